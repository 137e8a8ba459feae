package facts

import (
	"net"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

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

// budgetSelector reads the selector of a PodDisruptionBudget. An absent one matches nothing; an empty one matches every pod in
// policy/v1 and none in policy/v1beta1 (k8s.io/api policy/v1 PodDisruptionBudgetSpec).
func budgetSelector(o *loader.Object) (labels.Selector, bool) {
	n := o.Root().Get("spec", "selector")
	if !n.Present() || n.Len() == 0 && o.APIVersion == "policy/v1beta1" {
		return labels.Nothing(), true
	}
	return selectorOf(n)
}

// pdbFacts has nothing to say of a patch that leaves how many pods may go to the budget that it patches.
func pdbFacts(b *bundle, o *loader.Object) any {
	if b.budgets[o].patches != nil && !limited(o) {
		return nil
	}
	return b.pdb(o)
}

func (b *bundle) pdb(o *loader.Object) *PDB {
	s := b.budgets[o]
	spec := s.object.Root().Get("spec")
	selector := spec.Get("selector")
	p := &PDB{
		Subject: SubjectPDB, APIVersion: s.object.APIVersion, Namespace: s.object.Namespace, Name: s.object.Name,
		MinAvailable:   quantity(spec.Get("minAvailable")),
		MaxUnavailable: quantity(spec.Get("maxUnavailable")),
		Selector:       plainMap(selector),
		HasSelector:    selector.Present(),
		SelectorKnown:  s.selector != nil && !selector.Unknown(),
		SelectsNone:    !selector.Present() && s.patches == nil || selector.Type() == loader.Map && selector.Len() == 0 && o.APIVersion == "policy/v1beta1",
		UnhealthyPods:  field(spec.Get("unhealthyPodEvictionPolicy")),
		Workloads:      []PDBWorkload{},
		Near:           s.near,
		Overlaps:       b.overlaps(s),
		Kube:           b.kube,
		Partial:        b.partial(s.object),
	}
	if s.patched {
		p.MinAvailable.Known, p.MaxUnavailable.Known = false, false
	}
	covered, differ := distinct(s.standing())
	differ = differ || b.mismatched(s, covered)
	for _, w := range covered {
		counted := PDBWorkload{
			Kind: w.object.Kind, Name: w.object.Name, Replicas: w.replicas, Scale: scaleOf(w.object), Dependencies: dependencies(w.facts),
		}
		if differ {
			counted.Replicas, counted.Scale = Count{From: w.replicas.From}, "unknown"
		}
		p.Workloads = append(p.Workloads, counted)
	}
	p.Expected = p.expected()
	p.resolve()
	return p
}

// standing are the workloads that s selects, without Helm's hooks: those run while a release changes, and are gone before
// anybody drains a node.
func (s *selecting) standing() []*workload {
	var out []*workload
	for _, w := range s.matches {
		if class(w) != "hook" {
			out = append(out, w)
		}
	}
	return out
}

// expected is the number of pods that the disruption controller counts at full health. Bare pods count for an integer
// minAvailable alone.
func (p *PDB) expected() Count {
	c := Count{Known: len(p.Workloads) > 0}
	scaled := p.MaxUnavailable.Set || p.MinAvailable.Percent
	for _, w := range p.Workloads {
		if !w.Replicas.Known || w.Scale == "none" || w.Scale == "unknown" || scaled && w.Scale == "bare" {
			return Count{}
		}
		c.Value += w.Replicas.Value
		if !w.Replicas.fixed() {
			c.From = w.Replicas.From
		} else if c.From == "" {
			c.From = w.Replicas.From
		}
	}
	return c
}

// scaleOf says what the disruption controller finds above the pods of o: it asks the scale subresource of their controller
// (k8s.io/kubernetes pkg/controller/disruption/disruption.go, finders).
func scaleOf(o *loader.Object) string {
	switch {
	case is(o, "", "Pod"):
		return "bare"
	case is(o, "batch", "Job"), is(o, "batch", "CronJob"), o.Kind == "DaemonSet":
		return "none"
	case slices.ContainsFunc(builtinTemplates(), func(t PodTemplate) bool { return is(o, group(t.APIVersion), t.Kind) }):
		return "scale"
	default:
		return "unknown"
	}
}

// dependencies lists the remote targets that decide a probe of the workload, each address once a probe.
func dependencies(w *Workload) []PDBDependency {
	out := []PDBDependency{}
	if w == nil {
		return out
	}
	for _, c := range w.Containers {
		for _, p := range c.Probes {
			for _, t := range p.Targets {
				if !t.Remote || !t.Decides || t.Place == string(reach.OwnService) {
					continue
				}
				d := PDBDependency{
					Container: c.Name, Probe: p.Type, Product: t.Dependency, Address: t.Host, Certain: t.Confidence == string(reach.Certain),
				}
				if t.Host != "" && t.Port != "" {
					d.Address = net.JoinHostPort(t.Host, t.Port)
				}
				out = appendNew(out, d)
			}
		}
	}
	return out
}

// resolve does the arithmetic of the disruption controller at full health: k8s.io/kubernetes
// pkg/controller/disruption/disruption.go, getExpectedPodCount. Both percentages round up.
func (p *PDB) resolve() {
	if !p.Expected.Known || p.MinAvailable.Set == p.MaxUnavailable.Set {
		return
	}
	n := p.Expected.Value
	switch {
	case p.MinAvailable.Set && p.MinAvailable.Known:
		p.Desired = p.MinAvailable.of(n, true)
	case p.MaxUnavailable.Set && p.MaxUnavailable.Known:
		p.Desired = max(0, n-p.MaxUnavailable.of(n, true))
	default:
		return
	}
	p.Allowed = max(0, n-p.Desired)
	p.Resolved = true
}
