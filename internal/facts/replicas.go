package facts

import "github.com/hclint/hclint/loader"

// replicasOf is the number of pods that w keeps at least: the autoscaler's minimum, else replicas, else 1.
func replicasOf(w *workload) Count {
	switch w.object.Kind {
	case "DaemonSet", "Job", "CronJob":
		return Count{From: w.object.Kind}
	case "Pod":
		return Count{Known: true, Value: 1, From: "Pod"}
	}
	if c, ok := scaledMinimum(w); ok {
		return c
	}
	return writtenReplicas(w.object.Root().Get("spec", "replicas"))
}

// writtenReplicas reads a field replicas, which is 1 when it is left out.
func writtenReplicas(n loader.Node) Count {
	if !n.Present() {
		return Count{Known: true, Value: 1, From: "default"}
	}
	if v, ok := int32Value(n); ok && v >= 0 {
		return Count{Known: true, Value: v, From: "replicas"}
	}
	return Count{From: "replicas"}
}

// fixed reports whether the manifest says the number itself, and no autoscaler.
func (c Count) fixed() bool { return c.From == "replicas" || c.From == "default" }

// patched reports whether a patch of w in the bundle (an object of its name that is no whole workload) sets replicas, so that the
// number depends on which overlay is deployed.
func (b *bundle) patched(w *workload) bool {
	if !w.replicas.fixed() {
		return false
	}
	for _, o := range b.byID[identity{w.object.Kind, w.object.Name}] {
		spec := o.Root().Get("spec")
		if o != w.object && spec.Get("replicas").Present() && !spec.Get("selector").Present() && group(o.APIVersion) == group(w.object.APIVersion) &&
			sameNamespace(o.Namespace, w.object.Namespace) {
			return true
		}
	}
	return false
}

func scaledMinimum(w *workload) (Count, bool) {
	o := w.scaler()
	if o == nil {
		return Count{}, false
	}
	c := Count{From: o.Kind + " " + o.Name}
	name, fallback := minimumField(o)
	minimum := wholeNumber(o.Root().Get("spec", name), fallback, true)
	c.Value, c.Known = minimum.Value, minimum.Known
	return c, true
}

// scaler is the nearest of the autoscalers of w; nil when it has none.
func (w *workload) scaler() *loader.Object {
	return first(nearest(w.object, w.scalers, func(o *loader.Object) *loader.Object { return o }))
}

// scaleTarget is what an autoscaler scales.
func scaleTarget(o *loader.Object) identity {
	ref := o.Root().Get("spec", "scaleTargetRef")
	kind := ref.Get("kind").Text()
	if kind == "" && o.Kind == "ScaledObject" {
		kind = "Deployment" // the default of keda.sh/v1alpha1
	}
	return identity{kind, ref.Get("name").Text()}
}

// joinScalers gives each workload the autoscalers that have it among their nearest targets, so that one environment's
// autoscaler says nothing about another's workload.
func (b *bundle) joinScalers() {
	if len(b.scalers) == 0 {
		return
	}
	byID := map[identity][]*workload{}
	for _, w := range b.workloads {
		id := identity{w.object.Kind, w.object.Name}
		byID[id] = append(byID[id], w)
	}
	for _, o := range b.scalers {
		var found []*workload
		for _, w := range byID[scaleTarget(o)] {
			if sameNamespace(o.Namespace, w.object.Namespace) {
				found = append(found, w)
			}
		}
		for _, w := range nearest(o, found, func(w *workload) *loader.Object { return w.object }) {
			w.scalers = append(w.scalers, o)
			b.scaled[o] = append(b.scaled[o], w)
		}
	}
}
