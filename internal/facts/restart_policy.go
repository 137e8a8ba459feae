package facts

import (
	"math"
	"strconv"
	"strings"

	"github.com/hclint/hclint/loader"
)

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

// limit reads a field that is to bound restarts.
func limit(n loader.Node) Field {
	f := field(n)
	f.Unbounded = noCap(n)
	return f
}

func field(n loader.Node) Field {
	f := Field{Set: n.Type() != loader.Absent, Type: typeName(n), Text: n.Text()}
	f.Number, _ = number(n)
	return f
}

// number is a numeric value; ok is false for anything else.
func number(n loader.Node) (value float64, ok bool) {
	if i, ok := n.Int(); ok {
		return float64(i), true
	}
	if n.Type() != loader.Float {
		return 0, false
	}
	value, err := strconv.ParseFloat(n.Text(), 64)
	return value, err == nil && !math.IsInf(value, 0) && !math.IsNaN(value)
}

// typeName names what a node holds in the words of the restart-policy facts.
func typeName(n loader.Node) string {
	switch n.Type() {
	case loader.Absent:
		return "absent"
	case loader.Null:
		return "null"
	case loader.Bool:
		return "bool"
	case loader.Int, loader.Float:
		return "number"
	case loader.String:
		if templated(n.Text()) {
			return "unknown"
		}
		return "string"
	case loader.Map:
		return "map"
	case loader.Seq:
		return "list"
	case loader.Opaque:
	}
	return "unknown"
}
