package facts

import (
	"strings"

	"github.com/hclint/hclint/loader"
)

// SubjectAutoscaler is a HorizontalPodAutoscaler or a KEDA ScaledObject.
const SubjectAutoscaler = "autoscaler"

// Autoscaler is the input for a subject of kind autoscaler.
type Autoscaler struct {
	Subject    string `json:"subject" jsonschema:"enum=autoscaler"`
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	// Field is the name of the minimum in spec.
	Field   string `json:"field" jsonschema:"enum=minReplicas,enum=minReplicaCount"`
	Minimum Number `json:"minimum"`
	// Maximum is maxReplicas, or maxReplicaCount of KEDA; unset is 0.
	Maximum Number `json:"maximum"`
	// ZeroMetric: it has a metric of a type that can scale from 0: Object or External. KEDA brings its own.
	ZeroMetric bool        `json:"zero_metric" jsonschema:"description=a metric that can scale from 0"`
	Target     ScaleTarget `json:"target"`
	// Budgets are those that select the pods of the target alone.
	Budgets []ScaledBudget `json:"budgets"`
	Kube    Version        `json:"kube"`
	Partial bool           `json:"partial"`
}

// ScaleTarget is the workload that an autoscaler scales.
type ScaleTarget struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Found bool   `json:"found"`
	// Replicas is what the manifest says, which holds only until the autoscaler has looked.
	Replicas Number `json:"replicas"`
	Class    string `json:"class" jsonschema:"description=class of the workload; empty when not found"`
}

// ScaledBudget is a PodDisruptionBudget of an autoscaled workload.
type ScaledBudget struct {
	Name         string   `json:"name"`
	MinAvailable Quantity `json:"min_available"`
}

func autoscalerKinds() []objectKind {
	return []objectKind{
		{"autoscaling", "HorizontalPodAutoscaler", SubjectAutoscaler, func(b *bundle, o *loader.Object) any { return b.autoscaler(o) }},
		{"keda.sh", "ScaledObject", SubjectAutoscaler, func(b *bundle, o *loader.Object) any { return b.autoscaler(o) }},
	}
}

func (b *bundle) autoscaler(o *loader.Object) *Autoscaler {
	id := scaleTarget(o)
	a := &Autoscaler{
		Subject: SubjectAutoscaler, APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name,
		Target: ScaleTarget{Kind: id.kind, Name: id.name}, Budgets: []ScaledBudget{}, Kube: b.kube, Partial: b.partial(o),
	}
	spec := o.Root().Get("spec")
	var fallback int
	a.Field, fallback = minimumField(o)
	a.Minimum = wholeNumber(spec.Get(a.Field), fallback, true)
	a.Maximum = wholeNumber(spec.Get(strings.Replace(a.Field, "min", "max", 1)), 0, true)
	for _, m := range spec.Get("metrics").Items() {
		t := m.Get("type").Text()
		a.ZeroMetric = a.ZeroMetric || t == "Object" || t == "External"
	}
	for _, w := range b.scaled[o] {
		a.Target.Found = true
		a.Target.Replicas = wholeNumber(w.object.Root().Get("spec", "replicas"), 1, true)
		a.Target.Class = class(w)
		a.Budgets = scaledBudgets(w)
		break // copies of one workload, equally near
	}
	return a
}

func scaledBudgets(w *workload) []ScaledBudget {
	out := []ScaledBudget{}
	for _, s := range w.budgets {
		if s.selector != nil && len(s.matches) == 1 {
			least := quantity(s.object.Root().Get("spec", "minAvailable"))
			least.Known = least.Known && !s.patched
			out = append(out, ScaledBudget{Name: s.object.Name, MinAvailable: least})
		}
	}
	return out
}

// minimumField names the field with the minimum and its default: minReplicas 1 (autoscaling/v2), minReplicaCount 0 (KEDA).
func minimumField(o *loader.Object) (name string, fallback int) {
	if o.Kind == "ScaledObject" {
		return "minReplicaCount", 0
	}
	return "minReplicas", 1
}
