package reach

import (
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
func (p *pod) otherReplicas(res *Result, s *study) {
	if p.subject.Workload == nil || p.subject.Workload.Kind != "StatefulSet" || p.engine != nil {
		return
	}
	first, last, set := ordinals(p.subject.Workload)
	numbers := []int{first}
	switch {
	case last == first:
		numbers = []int{first + 1}
	case last > first+1:
		numbers = append(numbers, first+1)
	}
	known := map[string]bool{}
	for _, t := range s.targets() {
		known[t.key()] = true
	}
	for _, d := range s.detours {
		known[d.key()] = true
	}
	for _, n := range numbers {
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
