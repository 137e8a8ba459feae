package reach

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hclint/hclint/loader"
)

// ordinals are the first and the last replica's number of a StatefulSet; set is false where the manifest leaves the number of replicas open.
func ordinals(workload *loader.Object) (first, last int, set bool) {
	spec := workload.Root().Get("spec")
	if n, ok := spec.Get("ordinals", "start").Int(); ok && n > 0 {
		first = n
	}
	n, set := spec.Get("replicas").Int()
	return first, first + max(n, 1) - 1, set
}

// otherReplicas repeats the study under other names that pods of the StatefulSet have: a script may take another way on them. Only a
// StatefulSet's names can be named in advance.
func (p *pod) otherReplicas(res *Result, w *world, s *study, argv []string) {
	if p.subject.Workload == nil || p.subject.Workload.Kind != "StatefulSet" || p.engine != nil || !w.looksAtName(argv) {
		return
	}
	first, last, set := ordinals(p.subject.Workload)
	known := map[string]bool{}
	for _, t := range s.targets() {
		known[t.key()] = true
	}
	for _, d := range s.detours {
		known[d.key()] = true
	}
	for _, n := range otherNumbers(first, last) {
		other := *p
		other.name = p.subject.Workload.Name + "-" + strconv.Itoa(n)
		w := other.newWorld()
		argv := firstCommand(w.command())
		study := w.study(argv)
		res.NeverFails = res.NeverFails && w.neverFails(study, argv)
		if last > first || !set {
			other.dependsOn(res, w, study, known)
		}
	}
}

// otherNumbers are the replicas worth a second study, the last having been the first: the lowest two, or one that could be added.
func otherNumbers(first, last int) []int {
	switch {
	case last == first:
		return []int{first + 1}
	case last > first+1:
		return []int{first, first + 1}
	}
	return []int{first}
}

// looksAtName reports whether the check can tell one replica from another: it mentions the host's name, or has the pod's in a variable.
func (w *world) looksAtName(argv []string) bool {
	texts := slices.Clone(argv)
	for _, s := range w.scripts {
		texts = append(texts, s.text)
	}
	for _, text := range texts {
		if text = strings.ToLower(text); strings.Contains(text, "hostname") || strings.Contains(text, "uname") {
			return true
		}
	}
	for name, v := range w.env.vars {
		if name != "HOSTNAME" && strings.Contains(v.value, w.pod.name) {
			return true
		}
	}
	return false
}

// dependsOn adds what the probe needs under this name and not under the one that was tried first. Peers are left out: each replica has others.
func (p *pod) dependsOn(res *Result, w *world, s *study, known map[string]bool) {
	own := func(t touch) bool {
		ordinal, peer := strings.CutPrefix(firstOf(strings.ToLower(t.host), "."), p.subject.Workload.Name+"-")
		return !t.place.Remote() || known[t.key()] || peer && digits(ordinal)
	}
	for _, t := range s.targets() {
		if decides, _, text := s.verdict(t); decides && !own(t) {
			known[t.key()] = true
			res.add(w, t, text)
		}
	}
	for _, d := range s.detours {
		if !own(d.touch) {
			known[d.key()] = true
			res.add(w, d.touch, d.text)
		}
	}
}
