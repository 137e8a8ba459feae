package facts

import (
	"slices"

	"github.com/hclint/hclint/loader"
)

// A directory may hold several versions of one object: golden files of a generator, one file for each way to install. Only one of them is
// ever deployed, so copies count once, and what depends on which of them it is stays unknown.

// distinct keeps one workload of each identity. differ reports whether it matters which copy is deployed: their replicas differ,
// or things of one name are of two kinds, as where a generator makes either a Deployment or a DaemonSet.
func distinct(list []*workload) (kept []*workload, differ bool) {
	for _, w := range list {
		i := slices.IndexFunc(kept, func(k *workload) bool {
			return k.object.Name == w.object.Name && sameNamespace(k.object.Namespace, w.object.Namespace)
		})
		switch {
		case i < 0 || w.object.Name == "":
			kept = append(kept, w)
		case kept[i].object.Kind != w.object.Kind:
			kept, differ = append(kept, w), true
		default:
			differ = differ || kept[i].replicas != w.replicas
		}
	}
	return kept, differ
}

// copied reports whether another file of the directory holds a budget of the same name.
func (b *bundle) copied(s *selecting) bool {
	return slices.ContainsFunc(b.byID[identity{s.object.Kind, s.object.Name}], func(o *loader.Object) bool {
		return distance(o, s.object) == 1 && sameNamespace(o.Namespace, s.object.Namespace) && o.Root().Get("spec", "selector").Present()
	})
}

// mismatched reports whether one of several copies of a budget meets workloads of another file, which may belong to another copy.
func (b *bundle) mismatched(s *selecting, covered []*workload) bool {
	return b.copied(s) && slices.ContainsFunc(covered, func(w *workload) bool { return w.object.File != s.object.File })
}

// completeBudget gives a budget without a selector, which is a patch, the selector of the budget that it patches, where the bundle
// has that one.
func (b *bundle) completeBudget(s *selecting) {
	if s.object.Root().Get("spec", "selector").Present() {
		return
	}
	var found []*selecting
	for _, other := range b.inOrder {
		if other.object.Name == s.object.Name && other.object.Root().Get("spec", "selector").Present() &&
			sameNamespace(other.object.Namespace, s.object.Namespace) {
			found = append(found, other)
		}
	}
	found = nearest(s.object, found, func(o *selecting) *loader.Object { return o.object })
	if len(found) == 0 {
		return
	}
	s.patches, s.selector = found[0], found[0].selector
	if limited(s.object) {
		found[0].patched = true
	}
}

// limited reports whether a budget or a patch of one says how many pods may go.
func limited(o *loader.Object) bool {
	spec := o.Root().Get("spec")
	return spec.Get("minAvailable").Present() || spec.Get("maxUnavailable").Present()
}
