package facts

import (
	"math"
	"strconv"

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
)

// restartPolicies finds the restart policies of files: under restart_policy in any document that is not a Kubernetes object,
// and in the list restart_policies, whose items are policies or hold one under restart_policy.
func (b *bundle) restartPolicies(files []*loader.File) []Subject {
	var out []Subject
	for _, f := range files {
		for _, o := range f.Objects {
			if o.Kind != "" {
				continue
			}
			if n := o.Root().Get(keyRestartPolicy); n.Type() != loader.Absent {
				check := violations(o.Root().Get(keyHealthCheck), healthCheckKeys())
				out = append(out, b.restartPolicy(o, n, check...))
			}
			for _, item := range o.Root().Get(keyRestartPolicies).Items() {
				if inner := item.Get(keyRestartPolicy); inner.Type() != loader.Absent {
					item = inner
				}
				out = append(out, b.restartPolicy(o, item))
			}
		}
	}
	return out
}

func (b *bundle) restartPolicy(o *loader.Object, n loader.Node, besides ...Violation) Subject {
	p := &RestartPolicy{
		Subject: SubjectRestartPolicy, Path: n.Path(), Shape: typeName(n),
		MaxRestartsPerWindow: field(n.Get(keyMaxRestarts)),
		WindowSeconds:        field(n.Get(keyWindow)),
		OnLimitExceeded:      field(n.Get(keyLimitExceeded)),
		MinHealthyFraction:   field(n.Get(keyFraction)),
		AppliesTo:            b.appliesTo(o, n.Get(keyAppliesTo)),
		Violations:           append(restartPolicyViolations(n), besides...),
	}
	return Subject{Kind: SubjectRestartPolicy, File: o.File, Object: o, Input: p}
}

// appliesTo resolves the workload that a policy names to its replicas.
func (b *bundle) appliesTo(o *loader.Object, n loader.Node) AppliesTo {
	a := AppliesTo{Set: n.Type() == loader.Map, Kind: n.Get("kind").Text(), Name: n.Get("name").Text()}
	if !a.Set {
		return a
	}
	var found []*workload
	for _, w := range b.workloads {
		if w.object.Kind == a.Kind && w.object.Name == a.Name && sameNamespace(w.object.Namespace, n.Get("namespace").Text()) {
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

func field(n loader.Node) Field {
	f := Field{Set: n.Type() != loader.Absent, Type: typeName(n), Text: n.Text(), Unbounded: noCap(n)}
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
