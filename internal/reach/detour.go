package reach

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bounds of the search for other ways of the check.
const (
	maxDetourRuns  = 48
	maxDetourDepth = 3
	maxWorlds      = 256
	maxSearchSteps = 20 * maxSteps
)

// detour is a target that no expected run reaches: only where something local answers otherwise.
type detour struct {
	touch
	text string // what its outage does
	run  *run
}

// dialID names the connections of a site among the flips of a plan, where sites themselves are not negative.
func dialID(site int, self bool) int {
	id := -2 * (site + 2)
	if self {
		return id
	}
	return id - 1
}

// dial notes a connection and reports whether the plan has it fail.
func (r *run) dial(site int, t touch) bool {
	id := dialID(site, t.place == Self)
	r.dials[id] = true
	return r.flips[id]
}

// exhausted reports whether the healthy run has started every program that the scripts hold, as a plain chain of commands does: then
// no other way of the check leads to a target that it has not met.
func (w *world) exhausted(s *study) bool {
	if len(s.healthy) == 0 {
		return false
	}
	started := map[int]bool{}
	for _, c := range s.healthy[0].run.calls {
		started[c.site] = true
	}
	for id := range w.sites {
		if !started[id] {
			return false
		}
	}
	for _, text := range w.scripts {
		if strings.Contains(text.text, "/dev/") { // a connection that no program makes
			return false
		}
	}
	return true
}

// detours looks for healthy runs in which what is asked inside the container answers otherwise than expected (no such process, an unknown program
// that fails, a port of the pod that is closed), and which then depend on a target that the expected runs never reach. Where those reach it and get
// over its outage, that is the author's answer.
func (w *world) detours(s *study, argv []string) {
	known := map[string]bool{}
	for _, t := range s.targets() {
		known[t.key()] = true
	}
	type attempt struct {
		pl plan
		r  *run
	}
	var queue []attempt
	seen := map[string]bool{}
	for i, pl := range s.plans {
		queue = append(queue, attempt{pl, s.healthy[i].run})
		seen[pl.flipped()] = true
	}
	left, steps := maxDetourRuns, 0
	for depth := 0; depth < maxDetourDepth; depth++ {
		var next []attempt
		for _, a := range queue {
			for _, id := range w.alternatives(a.r) {
				trial := a.pl.flip(id)
				key := trial.flipped()
				if a.pl.flips[id] || seen[key] {
					continue
				}
				seen[key] = true
				o := w.simulate(argv, trial)
				steps += o.run.steps
				if left--; left < 0 || steps > maxSearchSteps {
					return
				}
				if errors.Is(o.err, errLost) {
					continue
				}
				next = append(next, attempt{trial, o.run})
				if o.healthy() {
					left -= w.depends(s, argv, trial, o, known)
				}
			}
		}
		queue = next
	}
}

// depends takes down what only this run reaches, and returns how many runs that took.
func (w *world) depends(s *study, argv []string, pl plan, o outcome, known map[string]bool) int {
	runs := 0
	pl.slack = o.run.clock
	for _, t := range o.run.touched {
		// A loop that goes on from the pod's own port to this one at the same place asks for any of them.
		if !t.place.Remote() || known[t.key()] || pl.flips[dialID(t.site, true)] || len(s.detours) == maxTargets {
			continue
		}
		pl.down = t.outage()
		down := w.simulate(argv, pl)
		runs++
		if down.healthy() || errors.Is(down.err, errLost) {
			continue
		}
		known[t.key()] = true
		s.detours = append(s.detours, detour{touch: t, text: outageText(down), run: o.run})
	}
	return runs
}

// flipped names the flips of a plan.
func (pl plan) flipped() string {
	var ids []int
	for id, on := range pl.flips {
		if on {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return fmt.Sprint(ids)
}

// alternatives lists what a run asked inside the container and was told what a healthy one answers.
func (w *world) alternatives(r *run) []int {
	var ids []int
	for _, id := range choiceIDs(r) {
		if r.choices[id].open || !w.fallbacks[id] {
			ids = append(ids, id)
		}
	}
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(r.dials))) {
		if site := -id/2 - 2; id%2 == 0 && !w.fallbacks[site] {
			ids = append(ids, id)
		}
	}
	return ids
}

// neverFails reports whether the command succeeds whatever the programs, files, outputs and servers that it asks answer, each alone and
// together.
func (w *world) neverFails(s *study, argv []string) bool {
	for _, list := range s.outcomes {
		if slices.ContainsFunc(list, func(o outcome) bool { return !o.healthy() }) {
			return false
		}
	}
	if !w.simulate(argv, plan{failing: true, slack: s.first.run.clock}).proven() {
		return false
	}
	steps := 0
	queue, seen := []plan{{}}, map[string]bool{"[]": true}
	for len(queue) > 0 {
		pl := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		o := w.simulate(argv, pl)
		steps += o.run.steps
		if !o.proven() {
			return false
		}
		for _, id := range slices.Concat(choiceIDs(o.run), slices.Collect(maps.Keys(o.run.dials))) {
			next := pl.flip(id)
			if key := next.flipped(); !pl.flips[id] && !seen[key] {
				seen[key] = true
				queue = append(queue, next)
			}
		}
		if len(seen) > maxWorlds || steps > maxSearchSteps {
			return false
		}
	}
	return true
}

// proven reports a success that rests on nothing that was not seen.
func (o outcome) proven() bool {
	return o.healthy() && o.run.opaque == "" && !o.run.vague && !o.run.trusting
}
