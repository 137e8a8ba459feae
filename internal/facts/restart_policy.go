package facts

import (
	"math"
	"strings"

	"github.com/hclint/hclint/loader"
)

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

// The keys of a restart-policy document (RestartPolicyDocument).
const (
	keyRestartPolicy   = "restart_policy"
	keyRestartPolicies = "restart_policies"
	keyMaxRestarts     = "max_restarts_per_window"
	keyWindow          = "window_seconds"
	keyLimitExceeded   = "on_limit_exceeded"
	keyFraction        = "min_healthy_fraction"
	keyAppliesTo       = "applies_to"
	keyHealthCheck     = "health_check"
	keyTimeoutMS       = "timeout_ms"
	keyThreshold       = "failure_threshold"
	keyReset           = "reset_after_s"
	keyUnhealthy       = "on_unhealthy"
	keyDependsOn       = "depends_on"
)

// restartPolicies finds the restart policies of files: in any document that is not a Kubernetes object, and in the documents in
// the data of a ConfigMap.
func (b *bundle) restartPolicies(files []*loader.File) []Subject {
	var out []Subject
	for _, f := range files {
		for _, o := range f.Objects {
			switch {
			case o.Kind == "":
				out = append(out, b.policiesIn(o, o.Root())...)
			case is(o, "", "ConfigMap"):
				for _, n := range o.Root().Get("data").Entries() {
					out = append(out, b.embeddedPolicies(o, n)...)
				}
			}
		}
	}
	return out
}

func (b *bundle) embeddedPolicies(o *loader.Object, n loader.Node) []Subject {
	text, ok := n.Str()
	if !ok || !strings.Contains(text, keyRestartPolicy) && !strings.Contains(text, keyRestartPolicies) {
		return nil
	}
	var out []Subject
	for _, root := range n.Documents() {
		if root.Get("kind").Present() && root.Get("apiVersion").Present() {
			continue // a manifest of its own, in which the key is somebody else's
		}
		out = append(out, b.policiesIn(o, root)...)
	}
	return out
}

// policiesIn finds the policies of one document: under restart_policy, and in the list restart_policies, whose items are
// policies or hold one under restart_policy.
func (b *bundle) policiesIn(o *loader.Object, root loader.Node) []Subject {
	var out []Subject
	if n := root.Get(keyRestartPolicy); n.Type() != loader.Absent {
		out = append(out, b.restartPolicy(o, n, root))
	}
	for _, item := range root.Get(keyRestartPolicies).Items() {
		if inner := item.Get(keyRestartPolicy); inner.Type() != loader.Absent {
			out = append(out, b.restartPolicy(o, inner, item))
		} else {
			out = append(out, b.restartPolicy(o, item, loader.Node{}))
		}
	}
	return out
}

// restartPolicy prepares the policy n; its health_check stands beside it, in the mapping around.
func (b *bundle) restartPolicy(o *loader.Object, n, around loader.Node) Subject {
	check := around.Get(keyHealthCheck)
	p := &RestartPolicy{
		Subject: SubjectRestartPolicy, Path: n.Path(), Shape: typeName(n), Name: n.Get("name").Text(),
		MaxRestartsPerWindow: limit(n.Get(keyMaxRestarts)),
		WindowSeconds:        limit(n.Get(keyWindow)),
		OnLimitExceeded:      field(n.Get(keyLimitExceeded)),
		MinHealthyFraction:   field(n.Get(keyFraction)),
		AppliesTo:            b.appliesTo(o, n.Get(keyAppliesTo)),
		HealthCheck:          healthCheck(check),
		Violations:           append(append(restartPolicyViolations(n), healthCheckViolations(check)...), misspeltCheck(around)...),
	}
	p.Floor = restartFloor(p.MinHealthyFraction, p.AppliesTo.Replicas)
	return Subject{Kind: SubjectRestartPolicy, File: o.File, Object: o, Input: p}
}

func healthCheck(n loader.Node) HealthCheck {
	c := HealthCheck{
		Set: n.Type() == loader.Map, Path: n.Path(),
		TimeoutMS:        field(n.Get(keyTimeoutMS)),
		FailureThreshold: field(n.Get(keyThreshold)),
		ResetAfterS:      field(n.Get(keyReset)),
		OnUnhealthy:      field(n.Get(keyUnhealthy)),
		DependsOn:        []string{},
	}
	if c.Path == nil {
		c.Path = Path{}
	}
	for _, name := range n.Get(keyDependsOn).Items() {
		if name.Text() != "" {
			c.DependsOn = append(c.DependsOn, name.Text())
		}
	}
	return c
}

// restartFloor rounds up: 0.6 of 2 replicas is 1.2, so both must stay healthy.
func restartFloor(fraction Field, replicas Count) RestartFloor {
	if fraction.Type != "number" || fraction.Number <= 0 || fraction.Number > 1 || !replicas.Known || replicas.Value < 1 {
		return RestartFloor{}
	}
	const noise = 1e-9 // 0.07 of 100 is 7, not 7.000000000000001
	healthy := int(math.Ceil(fraction.Number*float64(replicas.Value) - noise))
	return RestartFloor{Resolved: true, Healthy: healthy, Allowed: replicas.Value - healthy}
}

// appliesTo resolves the workload that a policy names to its replicas.
func (b *bundle) appliesTo(o *loader.Object, n loader.Node) AppliesTo {
	a := AppliesTo{
		Set: n.Type() == loader.Map, Kind: n.Get("kind").Text(), Name: n.Get("name").Text(), Namespace: n.Get("namespace").Text(),
	}
	if !a.Set {
		return a
	}
	var found []*workload
	for _, w := range b.workloads {
		if w.object.Kind == a.Kind && w.object.Name == a.Name && sameNamespace(w.object.Namespace, a.Namespace) {
			found = append(found, w)
		}
	}
	found = nearest(o, found, func(w *workload) *loader.Object { return w.object })
	if len(found) > 0 {
		a.Found = true
		a.Replicas = found[0].replicas
	}
	return a
}
