package facts

import (
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

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

func (b *bundle) pdb(o *loader.Object) *PDB {
	s := b.budgets[o]
	spec := s.object.Root().Get("spec")
	p := &PDB{
		Subject: SubjectPDB, APIVersion: s.object.APIVersion, Namespace: s.object.Namespace, Name: s.object.Name,
		MinAvailable:   quantity(spec.Get("minAvailable")),
		MaxUnavailable: quantity(spec.Get("maxUnavailable")),
		Workloads:      []PDBWorkload{},
		Partial:        b.partial(s.object),
	}
	p.Expected.Known = true
	for _, w := range s.matches {
		p.Workloads = append(p.Workloads, PDBWorkload{Kind: w.object.Kind, Name: w.object.Name, Replicas: w.replicas})
		p.Expected.Known = p.Expected.Known && w.replicas.Known && w.object.Kind != "Pod"
		p.Expected.Value += w.replicas.Value
	}
	p.Expected.Known = p.Expected.Known && len(s.matches) > 0
	if !p.Expected.Known {
		p.Expected.Value = 0
	}
	p.resolve()
	return p
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
