// Package facts prepares what a rule sees: Kubernetes' defaults filled in, timings computed, Services, budgets and
// autoscalers joined, probes followed to what they touch. Rules decide; facts only states.
package facts

import (
	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// The kinds of subjects; a rule names the ones it judges in its metadata (custom.subjects).
const (
	SubjectWorkload      = "workload"
	SubjectPDB           = "pdb"
	SubjectRestartPolicy = "restart_policy"
	SubjectInput         = "input"
	SubjectSuppression   = "suppression"
)

// Subject is one thing that rules judge, evaluated on its own.
type Subject struct {
	Kind   string
	File   *loader.File
	Object *loader.Object // nil for an input problem or a suppression
	// Span is where a finding stands that names no path.
	Span loader.Span
	// Input is the struct that becomes the Rego input: *Workload, *PDB, *RestartPolicy, *Input or *Suppression.
	Input any
	// Evidence holds the traces that facts refer to by index.
	Evidence [][]reach.Step
}

// Path leads into the subject's object; a rule extends it and gives it back.
type Path = loader.Path

// Count is a number that may be unknown (templated, or in another place).
type Count struct {
	Known bool   `json:"known"`
	Value int    `json:"value"`
	From  string `json:"from" jsonschema:"description=where the value is from: replicas; default; or the autoscaler as Kind name"`
}

// Workload is the input for a subject of kind workload: anything that holds a pod template, or a Pod.
type Workload struct {
	Subject    string `json:"subject" jsonschema:"enum=workload"`
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	// Class is what the workload is for: service (a Service selects it), worker (long-running, no Service selects it),
	// daemon (one per node), batch (Job, CronJob), hook (Helm test or hook).
	Class string `json:"class" jsonschema:"enum=service,enum=worker,enum=daemon,enum=batch,enum=hook"`
	// Replicas is the effective number: the autoscaler's minimum, else replicas, else 1.
	Replicas      Count             `json:"replicas"`
	PodPath       Path              `json:"pod_path"`
	Labels        map[string]string `json:"labels" jsonschema:"description=labels of the pod template"`
	HostNetwork   bool              `json:"host_network"`
	RestartPolicy string            `json:"restart_policy"`
	// PodRestart is restartPolicy of the pod as written; RestartPolicy fills in the default.
	PodRestart Field `json:"pod_restart"`
	// Selector is the workload's own selector of its pods, empty when it has none.
	Selector map[string]any `json:"selector" jsonschema:"description=the workload's own label selector; empty when it has none"`
	// Written is spec.replicas of the manifest, which an autoscaler overrides.
	Written    Number      `json:"written_replicas"`
	Job        Job         `json:"job"`
	Rollout    Rollout     `json:"rollout"`
	Kube       Version     `json:"kube" jsonschema:"description=the version of Kubernetes that the manifest is for"`
	Containers []Container `json:"containers"`
	// Defects are what is wrong in the form of the probes and in the keys around them.
	Defects []Defect `json:"defects" jsonschema:"description=what the API server rejects or drops in probes and restart settings"`
	// Services selects the pods: names of Services in the same namespace.
	Services []string `json:"services"`
	// SoleServices are those of Services that select no other workload.
	SoleServices []string `json:"sole_services" jsonschema:"description=Services that select this workload alone"`
	// PDBs select the pods.
	PDBs []string `json:"pdbs"`
	// MissedBy is a PodDisruptionBudget that selects nothing and was probably meant for the pods.
	MissedBy string `json:"missed_by" jsonschema:"description=a PodDisruptionBudget that misses the pods by a label; empty when none does"`
	// Fragment: a part of a workload, such as a Kustomize patch; what it does not say may stand elsewhere.
	Fragment  bool `json:"fragment" jsonschema:"description=a part of a workload such as a Kustomize patch"`
	Singleton bool `json:"singleton" jsonschema:"description=one active replica by design: leader election or an operator"`
	// Partial: something of the bundle could not be read, so what is absent here may exist.
	Partial bool `json:"partial"`
}

// Container is a container of the pod that can have probes, or one that must not.
type Container struct {
	Name   string  `json:"name"`
	Image  string  `json:"image"`
	Type   string  `json:"type" jsonschema:"enum=app,enum=sidecar,enum=init,enum=ephemeral,description=sidecar is a native one: an init container with restartPolicy Always"`
	Path   Path    `json:"path"`
	Ports  []Port  `json:"ports"`
	Probes []Probe `json:"probes"`
	// Restart is the container's own restartPolicy, which overrides that of the pod; RestartRules go with it.
	Restart      Field         `json:"restart"`
	RestartRules []RestartRule `json:"restart_rules"`
	// ServedBy are the Services that send traffic other than scrapes of metrics to the container, as far as the ports tell.
	ServedBy  []string  `json:"served_by" jsonschema:"description=Services that send traffic to this container; sorted"`
	Shared    Shared    `json:"shared" jsonschema:"description=liveness compared with readiness"`
	SlowStart SlowStart `json:"slow_start" jsonschema:"description=why the container is known to start slowly"`
}

// Port is a declared container port.
type Port struct {
	Name     string `json:"name"`
	Number   int    `json:"number" jsonschema:"description=0 when unknown"`
	Protocol string `json:"protocol"`
}

// Probe is one probe with the API server's defaults filled in.
type Probe struct {
	Type    string `json:"type" jsonschema:"enum=liveness,enum=readiness,enum=startup"`
	Field   string `json:"field" jsonschema:"enum=livenessProbe,enum=readinessProbe,enum=startupProbe"`
	Path    Path   `json:"path"`
	Handler string `json:"handler" jsonschema:"enum=exec,enum=httpGet,enum=tcpSocket,enum=grpc,enum=,description=empty when there is none or more than one"`
	// Restarts: its failure restarts (or, where nothing restarts, ends) the container.
	Restarts         bool `json:"restarts"`
	InitialDelay     int  `json:"initial_delay"`
	Period           int  `json:"period"`
	Timeout          int  `json:"timeout"`
	FailureThreshold int  `json:"failure_threshold"`
	SuccessThreshold int  `json:"success_threshold"`
	// Written lists the timing keys that stand in the manifest.
	Written []string `json:"written"`
	// Zero lists those whose written value is 0.
	Zero []string `json:"zero" jsonschema:"description=timing keys with a written 0; for all but initialDelaySeconds it means unset"`
	// Known is false when a timing is templated: then Budget means nothing.
	Known  bool   `json:"known"`
	Budget Budget `json:"budget"`
	// Overlaps: a probe that hangs takes longer than the period, so the next is late.
	Overlaps bool     `json:"overlaps" jsonschema:"description=timeout is larger than period"`
	Port     PortRef  `json:"port"`
	Host     string   `json:"host" jsonschema:"description=host of httpGet or tcpSocket as written"`
	HTTP     HTTP     `json:"http"`
	Service  string   `json:"service" jsonschema:"description=service of grpc"`
	Command  []string `json:"command"`
	// Programs, Targets, Opaque and NeverFails are what reach found (package reach).
	Programs   []string `json:"programs"`
	Targets    []Target `json:"targets"`
	Opaque     string   `json:"opaque"`
	NeverFails bool     `json:"never_fails"`
	// Endpoint is what is known of what the probe asks of its own pod.
	Endpoint Endpoint `json:"endpoint"`
	// Launch is what the command starts that is slow to start.
	Launch Launch `json:"launch"`
	// Literals is text that nobody expands; Shell is the command as a shell has to be given it, when there are any.
	Literals []Literal `json:"literals"`
	Shell    []string  `json:"shell"`
	// BlindCurl is the URL that the command asks with curl, leaving the status out of the verdict; "" when it does not.
	BlindCurl string `json:"blind_curl" jsonschema:"description=URL whose status curl ignores; empty when it does not"`
}

// HTTP is what an httpGet asks.
type HTTP struct {
	Scheme string `json:"scheme"`
	Path   string `json:"path"`
	// Headers are in the order of the manifest.
	Headers []Header `json:"headers"`
}

// Header is one header of an httpGet.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Budget is what an outage must last to have an effect, in seconds (the formulas are in probe.go).
type Budget struct {
	// Harmless: an outage shorter than this restarts nobody.
	Harmless int `json:"harmless"`
	// Fatal: an outage at least this long restarts every replica.
	Fatal int `json:"fatal"`
	// Earliest and Latest bound the verdict after the dependency stops answering (hangs).
	Earliest int `json:"earliest"`
	Latest   int `json:"latest"`
	// Spread: all replicas get the verdict within this time of each other.
	Spread int `json:"spread"`
}

// PortRef is a port as a probe names it.
type PortRef struct {
	Name     string `json:"name" jsonschema:"description=empty for a number"`
	Number   int    `json:"number" jsonschema:"description=resolved; 0 when unknown"`
	Declared bool   `json:"declared" jsonschema:"description=the same container declares it"`
	// DeclaredBy names another container of the pod that declares the name.
	DeclaredBy string `json:"declared_by"`
	Known      bool   `json:"known" jsonschema:"description=false when templated or absent"`
}

// Target is something outside (or inside) the pod that a probe touches.
type Target struct {
	Host       string `json:"host"`
	Port       string `json:"port"`
	Scheme     string `json:"scheme"`
	Place      string `json:"place" jsonschema:"enum=self,enum=node,enum=own-service,enum=service,enum=cluster,enum=external,enum=unknown"`
	Remote     bool   `json:"remote"`
	Dependency string `json:"dependency"`
	Subject    string `json:"subject" jsonschema:"description=what stands behind the address in the bundle; empty when unknown"`
	Via        string `json:"via"`
	Decides    bool   `json:"decides"`
	Confidence string `json:"confidence" jsonschema:"enum=certain,enum=likely"`
	Outcome    string `json:"outcome"`
	// Evidence is the index of the trace that proves it.
	Evidence int `json:"evidence"`
}

// PDB is the input for a subject of kind pdb: a PodDisruptionBudget with its arithmetic done.
type PDB struct {
	Subject        string   `json:"subject" jsonschema:"enum=pdb"`
	APIVersion     string   `json:"api_version"`
	Namespace      string   `json:"namespace"`
	Name           string   `json:"name"`
	MinAvailable   Quantity `json:"min_available"`
	MaxUnavailable Quantity `json:"max_unavailable"`
	// Selector is spec.selector as it stands; HasSelector tells an empty one from none. SelectsNone: it matches no pod whatsoever.
	Selector      map[string]any `json:"selector" jsonschema:"description=as written"`
	HasSelector   bool           `json:"has_selector"`
	SelectorKnown bool           `json:"selector_known" jsonschema:"description=false when a part of it is templated or malformed"`
	SelectsNone   bool           `json:"selects_none" jsonschema:"description=no selector; or an empty one in policy/v1beta1"`
	// UnhealthyPods is unhealthyPodEvictionPolicy.
	UnhealthyPods Field `json:"unhealthy_pods"`
	// Workloads are the workloads of the bundle that the selector matches, Helm hooks left out.
	Workloads []PDBWorkload `json:"workloads"`
	// Near is the workload that was probably meant when the selector matches none.
	Near NearMiss `json:"near"`
	// Overlaps are other budgets that select pods of the same workloads.
	Overlaps []Overlap `json:"overlaps"`
	// Expected is the number of pods counted at full health.
	Expected Count `json:"expected"`
	// Desired is how many must be healthy; Allowed how many may be evicted at full health. Both need Expected.
	Desired int `json:"desired"`
	Allowed int `json:"allowed"`
	// Resolved: Desired and Allowed are computed (known numbers, at least one workload, one of the two fields).
	Resolved bool    `json:"resolved"`
	Kube     Version `json:"kube"`
	Partial  bool    `json:"partial"`
}

// Quantity is an int-or-percent field.
type Quantity struct {
	Set     bool   `json:"set"`
	Known   bool   `json:"known" jsonschema:"description=false when templated or not a number or percentage"`
	Text    string `json:"text" jsonschema:"description=as written"`
	Percent bool   `json:"percent"`
	Value   int    `json:"value"`
}

// PDBWorkload is a workload that a PodDisruptionBudget covers.
type PDBWorkload struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Replicas Count  `json:"replicas"`
	// Scale says what the disruption controller finds above the pods.
	Scale string `json:"scale" jsonschema:"enum=scale,enum=bare,enum=none,enum=unknown,description=scale: a controller with a scale; bare: no controller; none: a controller without a scale"`
	// Dependencies are what its probes need to pass outside the pod.
	Dependencies []PDBDependency `json:"dependencies"`
}

// PDBDependency is something outside the pods that decides one of their probes.
type PDBDependency struct {
	Container string `json:"container"`
	Probe     string `json:"probe" jsonschema:"enum=liveness,enum=readiness,enum=startup"`
	Product   string `json:"product" jsonschema:"description=such as PostgreSQL; empty when unknown"`
	Address   string `json:"address" jsonschema:"description=host and port; empty when unknown"`
	Certain   bool   `json:"certain"`
}

// NearMiss is a workload that a selector misses by a label.
type NearMiss struct {
	Set  bool   `json:"set"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Key is the label that misses, or namespace.
	Key  string `json:"key"`
	Want string `json:"want" jsonschema:"description=what the selector asks of the label"`
	Have string `json:"have" jsonschema:"description=the value that the pods have"`
	Lack bool   `json:"lack" jsonschema:"description=the pods do not have the label"`
	// Selector is the workload's own selector, empty when it has none; Labels those of its pods.
	Selector map[string]any    `json:"selector"`
	Labels   map[string]string `json:"labels"`
}

// Overlap is another budget for pods that have one.
type Overlap struct {
	Name      string   `json:"name"`
	Workloads []string `json:"workloads" jsonschema:"description=Kind name of each workload that both select"`
}

// RestartPolicy is the input for a subject of kind restart_policy: a restart-policy document.
type RestartPolicy struct {
	Subject string `json:"subject" jsonschema:"enum=restart_policy"`
	Path    Path   `json:"path" jsonschema:"description=of the mapping under restart_policy"`
	Name    string `json:"name" jsonschema:"description=of a policy in a list; empty when it has none"`
	// Shape is wrong when restart_policy is no mapping (its type is named); then nothing else is set.
	Shape                string    `json:"shape" jsonschema:"description=map or the name of the wrong type"`
	MaxRestartsPerWindow Field     `json:"max_restarts_per_window"`
	WindowSeconds        Field     `json:"window_seconds"`
	OnLimitExceeded      Field     `json:"on_limit_exceeded"`
	MinHealthyFraction   Field     `json:"min_healthy_fraction"`
	AppliesTo            AppliesTo `json:"applies_to"`
	// Floor is the arithmetic of MinHealthyFraction with the replicas of AppliesTo.
	Floor RestartFloor `json:"floor"`
	// HealthCheck is what stands beside the policy.
	HealthCheck HealthCheck `json:"health_check"`
	// Violations are what the document's JSON Schema forbids: types, ranges, unknown keys.
	Violations []Violation `json:"violations"`
}

// Field is one field of a restart policy.
type Field struct {
	Set    bool    `json:"set" jsonschema:"description=the key is there"`
	Type   string  `json:"type" jsonschema:"enum=absent,enum=null,enum=bool,enum=number,enum=string,enum=list,enum=map,enum=unknown"`
	Number float64 `json:"number"`
	Text   string  `json:"text" jsonschema:"description=as written"`
	// Unbounded, for a field that is to bound restarts: there is no limit. The field is absent, or its value takes the limit away: null, 0, a negative number, or a
	// word such as unlimited.
	Unbounded bool `json:"unbounded" jsonschema:"description=nothing; or a value that takes the limit away"`
}

// Violation is one thing that the schema forbids.
type Violation struct {
	Path       Path   `json:"path"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion" jsonschema:"description=the key or value that was probably meant; empty when none is near"`
	// Value is what stands there.
	Value any `json:"value"`
}

// RestartFloor is how many replicas a restart policy keeps up.
type RestartFloor struct {
	// Resolved: the fraction is a number in (0, 1] and the replicas are known and more than 0.
	Resolved bool `json:"resolved"`
	// Healthy is how many must stay healthy: the fraction of the replicas, rounded up. Allowed is how many may be restarted at the same
	// time.
	Healthy int `json:"healthy"`
	Allowed int `json:"allowed"`
}

// HealthCheck says when an instance counts as unhealthy.
type HealthCheck struct {
	Set              bool  `json:"set"`
	Path             Path  `json:"path"`
	TimeoutMS        Field `json:"timeout_ms"`
	FailureThreshold Field `json:"failure_threshold"`
	ResetAfterS      Field `json:"reset_after_s"`
	OnUnhealthy      Field `json:"on_unhealthy"`
	// DependsOn are the names in depends_on.
	DependsOn []string `json:"depends_on"`
}

// AppliesTo is the workload that a restart policy names.
type AppliesTo struct {
	Set       bool   `json:"set"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Found     bool   `json:"found"`
	Replicas  Count  `json:"replicas"`
}

// Input is the input for a subject of kind input: something that stopped a part of the input from being checked.
type Input struct {
	Subject string `json:"subject" jsonschema:"enum=input"`
	File    string `json:"file"`
	Message string `json:"message"`
	// Lost: a document or a file could not be read at all.
	Lost bool `json:"lost" jsonschema:"description=a document or a file could not be read at all"`
}

// Suppression is the input for a subject of kind suppression: a directive that is malformed or that nothing needed.
type Suppression struct {
	Subject string `json:"subject" jsonschema:"enum=suppression"`
	State   string `json:"state" jsonschema:"enum=invalid,enum=unused"`
	Rule    string `json:"rule"`
	Message string `json:"message" jsonschema:"description=what is wrong with an invalid one"`
}
