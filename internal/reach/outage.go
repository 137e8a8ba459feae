package reach

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Bounds of the search for a healthy run, and of the outages that are tried.
const (
	maxRuns    = 40
	maxTargets = 8
	maxOpen    = 4
)

// plan is what one run assumes.
type plan struct {
	down    string
	failing bool
	flips   map[int]bool
	static  bool
	refuse  string  // key of the call that fails
	slack   float64 // virtual seconds that the healthy run took
	hang    bool    // what is down does not answer at all
}

// flip is pl with one choice the other way.
func (pl plan) flip(id int) plan {
	flips := map[int]bool{id: !pl.flips[id]}
	for other, flipped := range pl.flips {
		if other != id {
			flips[other] = flipped
		}
	}
	pl.flips = flips
	return pl
}

// outcome is what one run came to.
type outcome struct {
	run    *run
	status int
	err    error
}

func (o outcome) healthy() bool { return o.err == nil && o.status == 0 }

// simulate runs the probe's command once. Runs that meet a sourced script for the first time start again with it.
func (w *world) simulate(argv []string, pl plan) outcome {
	for range maxScripts + 1 {
		deadline := float64(maxSeconds)
		if pl.down != "" || pl.failing || pl.refuse != "" {
			// A check that waits longer than the probe's timeout has failed.
			deadline = min(deadline, pl.slack+max(w.timeout, 10))
		}
		if pl.hang {
			deadline = pl.slack + w.timeout
		}
		r := &run{
			down: pl.down, failing: pl.failing, flips: pl.flips, static: pl.static, refuse: pl.refuse, hang: pl.hang,
			choices: map[int]choice{}, dials: map[int]bool{}, files: map[string]*bytes.Buffer{}, deadline: deadline,
		}
		w.run = r
		p := &process{ctx: context.Background(), env: w.env, dir: "/"}
		status, err := w.exec(p, argv, -1)
		r.mu.Lock()
		r.closed = true
		if r.hang && err == nil && r.clock > r.deadline {
			err = errEndless
		}
		r.mu.Unlock()
		if !errors.Is(err, errRestart) {
			return outcome{run: r, status: status, err: err}
		}
	}
	return outcome{run: w.run, err: errLost}
}

// study is what all runs of a command showed.
type study struct {
	healthy  []outcome // accepted healthy runs; the first is the plainest
	plans    []plan
	first    outcome
	outcomes map[string][]outcome // by target key: the outages, one per healthy run
	detours  []detour
	runs     int
}

// study finds healthy runs and takes each target down in each of them.
func (w *world) study(argv []string) *study {
	s := &study{outcomes: map[string][]outcome{}}
	s.first = w.simulate(argv, plan{})
	s.runs++
	base, ok := w.mend(s, argv, plan{}, s.first)
	if !ok {
		return s
	}
	w.variants(s, argv, base)
	for _, t := range s.targets() {
		for _, pl := range s.plans {
			if s.runs >= 2*maxRuns {
				return s
			}
			pl.down = t.outage()
			s.outcomes[t.key()] = append(s.outcomes[t.key()], w.simulate(argv, pl))
			s.runs++
		}
	}
	if !w.exhausted(s) {
		w.detours(s, argv)
	}
	return s
}

// mend looks for answers that make the run healthy: each choice turned alone, then in pairs.
func (w *world) mend(s *study, argv []string, pl plan, got outcome) (plan, bool) {
	if got.healthy() {
		s.accept(pl, got)
		return pl, true
	}
	if errors.Is(got.err, errLost) {
		return pl, false
	}
	type attempt struct {
		pl  plan
		got outcome
	}
	queue := []attempt{{pl, got}}
	for depth := 0; depth < 2; depth++ {
		var next []attempt
		for _, a := range queue {
			for _, id := range choiceIDs(a.got.run) {
				if a.pl.flips[id] || s.runs >= maxRuns {
					continue
				}
				trial := a.pl.flip(id)
				o := w.simulate(argv, trial)
				s.runs++
				if o.healthy() {
					s.accept(trial, o)
					return trial, true
				}
				next = append(next, attempt{trial, o})
			}
		}
		queue = next
	}
	return pl, false
}

// choiceIDs lists the sites where r had to choose, last first: the last one is nearest to the outcome.
func choiceIDs(r *run) []int {
	ids := slices.Collect(maps.Keys(r.choices))
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids
}

func (s *study) accept(pl plan, o outcome) {
	pl.slack = o.run.clock
	s.plans = append(s.plans, pl)
	s.healthy = append(s.healthy, o)
}

// variants accepts further healthy runs in which the configuration that the bundle does not show is otherwise.
func (w *world) variants(s *study, argv []string, base plan) {
	var open []int
	for _, id := range choiceIDs(s.healthy[0].run) {
		if s.healthy[0].run.choices[id].open && len(open) < maxOpen {
			open = append(open, id)
		}
	}
	for bits := 1; bits < 1<<len(open); bits++ {
		if s.runs >= maxRuns {
			return
		}
		pl := base
		for i, id := range open {
			if bits&(1<<i) != 0 {
				pl = pl.flip(id)
			}
		}
		o := w.simulate(argv, pl)
		s.runs++
		if o.healthy() {
			s.accept(pl, o)
		}
	}
}

// targets lists what the healthy runs touched, each once, in order.
func (s *study) targets() []touch {
	var out []touch
	for _, o := range s.healthy {
		for _, t := range o.run.touched {
			if len(out) < maxTargets && !slices.ContainsFunc(out, func(x touch) bool { return x.key() == t.key() }) {
				out = append(out, t)
			}
		}
	}
	return out
}

// verdict says what the outages of t did.
func (s *study) verdict(t touch) (decides bool, confidence Confidence, text string) {
	failed := 0
	confidence = Certain
	outages := s.outcomes[t.key()]
	for i, o := range outages {
		if o.healthy() || errors.Is(o.err, errLost) {
			continue
		}
		failed++
		if text == "" {
			text = outageText(o)
		}
		if s.healthy[i].run.vague {
			confidence = Likely
		}
	}
	switch {
	case failed == 0:
		if len(outages) > 0 {
			text = "the probe still succeeds"
		}
		return false, confidence, text
	case failed < len(outages):
		confidence = Likely
	}
	if !t.sure {
		confidence = Likely
	}
	return true, confidence, text
}

// hangs reports whether every healthy way of the check waits beyond the probe's timeout for a target that does not answer.
func (w *world) hangs(s *study, t touch, argv []string) bool {
	for _, pl := range s.plans {
		pl.down, pl.hang = t.outage(), true
		if o := w.simulate(argv, pl); !errors.Is(o.err, errEndless) || o.run.steps > maxSteps {
			return false
		}
	}
	return len(s.plans) > 0
}

func outageText(o outcome) string {
	if o.err != nil {
		return "the probe waits until it times out"
	}
	if slices.Contains(o.run.guessed, o.status) {
		return "the probe fails"
	}
	return "the probe exits " + strconv.Itoa(o.status)
}

// command expands the probe's argv as the kubelet does: $(VAR) from env values only; what comes from valueFrom is empty.
func (w *world) command() []string {
	if w.pod.engine != nil {
		return w.pod.engine.Argv
	}
	var argv []string
	for _, item := range w.pod.commandWords() {
		text := known(item, item.Text())
		argv = append(argv, expandReferences(text, func(name string) (string, bool) {
			b, ok := w.env.vars[name]
			switch {
			case !ok || !b.own:
				return "", false
			case b.field:
				return "", true
			}
			return b.value, true
		}))
	}
	return argv
}

func hasTemplate(s string) bool { return strings.Contains(s, "{{") || tainted(s) }
