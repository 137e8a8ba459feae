package facts

import (
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

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
	Idle   bool    `json:"idle" jsonschema:"description=it only waits: the pause image or a command that sleeps"`
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

const (
	typeApp       = "app"
	typeSidecar   = "sidecar"
	typeInit      = "init"
	typeEphemeral = "ephemeral"
)

// workload prepares the facts of one workload.
func (b *bundle) workload(w *workload) Subject {
	s := Subject{Kind: SubjectWorkload, File: w.object.File, Object: w.object}
	facts := &Workload{
		Subject: SubjectWorkload, APIVersion: w.object.APIVersion, Kind: w.object.Kind,
		Namespace: w.object.Namespace, Name: w.object.Name,
		Class:         class(w),
		Replicas:      w.replicas,
		PodPath:       w.pod.Path(),
		Labels:        w.labels,
		RestartPolicy: "Always",
		PodRestart:    field(w.pod.Get("restartPolicy")),
		Selector:      ownSelector(w.object),
		Written:       wholeNumber(w.object.Root().Get("spec", "replicas"), 1, true),
		Kube:          b.kube,
		Containers:    []Container{},
		Services:      names(w.services),
		SoleServices:  soleServices(w),
		PDBs:          names(w.budgets),
		MissedBy:      w.missedBy,
		Fragment:      w.fragment(),
		Singleton:     w.singleton(),
		Partial:       b.partial(w.object),
	}
	facts.HostNetwork, _ = w.pod.Get("hostNetwork").Bool()
	if p := w.pod.Get("restartPolicy").Text(); p != "" {
		facts.RestartPolicy = p
	}
	facts.Job, facts.Rollout = jobOf(w, facts.RestartPolicy), rolloutOf(w, b.kube)
	nodes := facts.addContainers(w.pod)
	for i := range facts.Containers {
		b.addProbes(&s, w, facts, &facts.Containers[i], nodes[i])
	}
	facts.serve(w.services)
	facts.Defects = defects(w, facts, nodes)
	s.Input = facts
	return s
}

// addContainers reads all containers first, since a probe may ask what another one declares.
func (facts *Workload) addContainers(pod loader.Node) []loader.Node {
	var nodes []loader.Node
	for _, list := range []struct{ field, kind string }{
		{"containers", typeApp}, {"initContainers", typeInit}, {"ephemeralContainers", typeEphemeral},
	} {
		for _, n := range pod.Get(list.field).Items() {
			if n.Type() != loader.Map {
				continue
			}
			c := Container{
				Name: n.Get("name").Text(), Image: n.Get("image").Text(), Type: list.kind, Path: n.Path(), Idle: idle(n),
				Ports: ports(n.Get("ports")), Probes: []Probe{},
				Restart: field(n.Get("restartPolicy")), RestartRules: restartRules(n.Get("restartPolicyRules")),
			}
			// An init container that is restarted always is a sidecar (KEP-753).
			if list.kind == typeInit && n.Get("restartPolicy").Text() == "Always" {
				c.Type = typeSidecar
			}
			facts.Containers = append(facts.Containers, c)
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (b *bundle) addProbes(s *Subject, w *workload, facts *Workload, c *Container, n loader.Node) {
	config := &configuration{view: view{b, w}}
	for _, t := range probeTypes() {
		node := n.Get(t.field)
		if node.Type() != loader.Map {
			continue
		}
		p := readProbe(t.name, t.field, c, node)
		resolvePort(&p, node, c, facts.Containers)
		found := reach.Explore(view{b, w}, reach.Subject{
			Workload: w.object, Pod: w.pod, Labels: w.labels, Container: n, Probe: node,
		})
		addReach(&p, found.Result, s)
		(&asking{bundle: b, workload: w, facts: facts, own: c, node: n, probe: &p, found: found, config: config}).endpoint(s)
		p.Launch, p.BlindCurl = launchOf(p.Programs), blindCurl(p.Command)
		p.literals(n, node)
		c.Probes = append(c.Probes, p)
	}
	c.compare(n)
	if c.probe("liveness") != nil {
		c.SlowStart = slowStart(n)
	}
}

func ports(n loader.Node) []Port {
	out := []Port{}
	for _, p := range n.Items() {
		number, _ := p.Get("containerPort").Int()
		port := Port{Name: p.Get("name").Text(), Number: number, Protocol: p.Get("protocol").Text()}
		if port.Protocol == "" {
			port.Protocol = "TCP"
		}
		out = append(out, port)
	}
	return out
}

func class(w *workload) string {
	if w.object.Root().Get("metadata", "annotations", "helm.sh/hook").Present() {
		return "hook"
	}
	switch w.object.Kind {
	case "Job", "CronJob":
		return "batch"
	case "DaemonSet":
		return "daemon"
	}
	if len(w.services) > 0 {
		return "service"
	}
	return "worker"
}

// fragment reports whether the object is a part of a workload, such as a Kustomize patch, and not a whole one: apps/v1
// requires a selector, and every container an image.
func (w *workload) fragment() bool {
	if w.object.APIVersion == "apps/v1" && !w.object.Root().Get("spec", "selector").Present() {
		return true
	}
	for _, c := range w.pod.Get("containers").Items() {
		if !c.Get("image").Present() {
			return true
		}
	}
	return w.pod.Get("containers").Len() == 0
}

// singleton reports whether one replica works and the others wait (leader election), or another controller owns the object.
func (w *workload) singleton() bool {
	for _, ref := range w.object.Root().Get("metadata", "ownerReferences").Items() {
		if controller, _ := ref.Get("controller").Bool(); controller {
			return true
		}
	}
	for _, c := range w.pod.Get("containers").Items() {
		for _, list := range []string{"command", "args"} {
			for _, arg := range c.Get(list).Items() {
				if electsLeader(arg.Text()) {
					return true
				}
			}
		}
	}
	return false
}

// electsLeader knows the flags of controller-runtime, client-go and their many users: --leader-elect, --enable-leader-election.
func electsLeader(arg string) bool {
	name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if !strings.HasPrefix(arg, "-") || value == "false" {
		return false
	}
	return slices.Contains([]string{"leader-elect", "leader-election", "enable-leader-election", "leaderElect"}, name)
}

// soleServices names the Services that select the pods of w and no others.
func soleServices(w *workload) []string {
	out := []string{}
	for _, s := range w.services {
		if len(s.matches) == 1 && s.selector != nil {
			out = append(out, s.object.Name)
		}
	}
	return out
}

func names(list []*selecting) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, s.object.Name)
	}
	return out
}
