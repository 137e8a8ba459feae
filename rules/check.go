package rules

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// Options are what a person may change.
type Options struct {
	Enable, Disable []string            // rule names or aliases; when Enable is not empty only these run
	Severity        map[string]Severity // by rule name or alias; it replaces whatever the rule says
	Jobs            int                 // subjects evaluated at once; 0 means runtime.GOMAXPROCS(0)
	NoInlineIgnores bool                // comments and annotations suppress nothing
}

// Report is what Check found: every finding, suppressed ones included, in order.
type Report struct {
	Findings []Finding
}

// Check judges the subjects. The error is a broken policy, an unknown rule in opt or a cancelled context, never a bad
// input. files are where directives are looked for; they hold the objects of the subjects.
func (s *Set) Check(ctx context.Context, files []*loader.File, subjects []facts.Subject, opt Options) (*Report, error) {
	enabled, err := s.enabled(opt)
	if err != nil {
		return nil, err
	}
	severity, err := s.severities(opt)
	if err != nil {
		return nil, err
	}
	run := &run{enabled: enabled, severity: severity, jobs: opt.Jobs, set: s}
	found, err := run.evaluate(ctx, subjects)
	if err != nil {
		return nil, err
	}
	if !opt.NoInlineIgnores {
		about := s.suppress(found, files, subjects, run.ran(subjects))
		more, err := run.evaluate(ctx, about)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	slices.SortStableFunc(found, Finding.Compare)
	fingerprint(found)
	return &Report{Findings: found}, nil
}

// enabled returns the rules that opt leaves on.
func (s *Set) enabled(opt Options) ([]Rule, error) {
	on := make(map[string]bool, len(s.rules))
	for _, r := range s.rules {
		on[r.Name] = len(opt.Enable) == 0
	}
	for _, name := range opt.Enable {
		r, err := s.find(name)
		if err != nil {
			return nil, err
		}
		on[r.Name] = true
	}
	for _, name := range opt.Disable {
		r, err := s.find(name)
		if err != nil {
			return nil, err
		}
		on[r.Name] = false
	}
	return slices.DeleteFunc(slices.Clone(s.rules), func(r Rule) bool { return !on[r.Name] }), nil
}

// severities returns opt.Severity by rule name.
func (s *Set) severities(opt Options) (map[string]Severity, error) {
	out := make(map[string]Severity, len(opt.Severity))
	for name, severity := range opt.Severity {
		r, err := s.find(name)
		if err != nil {
			return nil, err
		}
		out[r.Name] = severity
	}
	return out, nil
}

// run is one Check.
type run struct {
	set      *Set
	enabled  []Rule
	severity map[string]Severity
	jobs     int
}

// ran returns the names of the enabled rules that had a subject to judge.
func (r *run) ran(subjects []facts.Subject) map[string]bool {
	kinds, out := kindsOf(subjects), map[string]bool{}
	for _, rule := range r.enabled {
		if slices.ContainsFunc(rule.Subjects, func(k string) bool { return slices.Contains(kinds, k) }) {
			out[rule.Name] = true
		}
	}
	return out
}

// kindsOf lists the kinds that occur among subjects, sorted.
func kindsOf(subjects []facts.Subject) []string {
	seen := map[string]bool{}
	for i := range subjects {
		seen[subjects[i].Kind] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// shapesOf lists the shapes that occur among subjects, in order.
func shapesOf(subjects []facts.Subject) []shape {
	seen := map[shape]bool{}
	for i := range subjects {
		seen[shapeOf(&subjects[i])] = true
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.features, b.features))
	})
}

func shapeOf(s *facts.Subject) shape { return shape{s.Kind, s.Features()} }

// evaluate runs the rules that subjects need and returns what they find, in no particular order.
func (r *run) evaluate(ctx context.Context, subjects []facts.Subject) ([]Finding, error) {
	if len(subjects) == 0 {
		return nil, ctx.Err()
	}
	programs, err := r.set.compile(r.enabled, shapesOf(subjects))
	if err != nil || len(programs) == 0 {
		return nil, err
	}
	e := &evaluator{
		programs: programs, convert: converter{}, severity: r.severity, store: inmem.New(), cancel: topdown.NewCancel(),
	}
	for i := range subjects {
		if err := e.convert.add(subjects[i].Input); err != nil {
			return nil, fmt.Errorf("facts of %s: %w", subjects[i].Kind, err)
		}
	}
	defer context.AfterFunc(ctx, e.cancel.Cancel)()
	return e.all(ctx, subjects, r.jobs)
}
