package facts

import (
	"net"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

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
		if w.Replicas.From != "replicas" && w.Replicas.From != "default" {
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
				if !slices.Contains(out, d) {
					out = append(out, d)
				}
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
		p.Desired = p.MinAvailable.of(n)
	case p.MaxUnavailable.Set && p.MaxUnavailable.Known:
		p.Desired = max(0, n-p.MaxUnavailable.of(n))
	default:
		return
	}
	p.Allowed = max(0, n-p.Desired)
	p.Resolved = true
}

// of is the quantity as a number of pods out of total, rounded up.
func (q Quantity) of(total int) int {
	if !q.Percent {
		return q.Value
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(&intstr.IntOrString{Type: intstr.String, StrVal: q.Text}, total, true)
	if err != nil {
		return 0
	}
	return n
}

func quantity(n loader.Node) Quantity {
	if !n.Present() {
		return Quantity{}
	}
	q := Quantity{Set: true, Text: n.Text()}
	if i, ok := n.Int(); ok {
		q.Known, q.Value = i >= 0, i
		return q
	}
	if !strings.HasSuffix(q.Text, "%") {
		return q
	}
	percent := intstr.FromString(q.Text)
	value, err := intstr.GetScaledValueFromIntOrPercent(&percent, 100, true)
	if err != nil || value < 0 {
		return q
	}
	q.Known, q.Percent, q.Value = true, true, value
	return q
}
