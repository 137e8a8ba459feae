package rules

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/topdown"
	"golang.org/x/sync/errgroup"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// evaluator holds what the workers share; all of it is read-only or safe for concurrent use.
type evaluator struct {
	programs []program
	convert  converter
	severity map[string]Severity
	store    storage.Store
	cancel   topdown.Cancel
}

// worker is one goroutine's part.
type worker struct {
	*evaluator
	txn   storage.Transaction
	known words
}

// all evaluates subjects on jobs goroutines.
func (e *evaluator) all(ctx context.Context, subjects []facts.Subject, jobs int) ([]Finding, error) {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	found, errs := make([][]Finding, len(subjects)), make([]error, len(subjects))
	var next atomic.Int64
	var failed atomic.Bool
	var group errgroup.Group
	for range min(jobs, len(subjects)) {
		group.Go(func() error {
			txn, err := e.store.NewTransaction(ctx)
			if err != nil {
				return err
			}
			defer e.store.Abort(ctx, txn)
			w := worker{e, txn, words{}}
			for ctx.Err() == nil && !failed.Load() {
				i := int(next.Add(1) - 1)
				if i >= len(subjects) {
					return nil
				}
				if found[i], errs[i] = w.subject(ctx, &subjects[i]); errs[i] != nil {
					failed.Store(true)
				}
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	// Subjects are taken in order and finished once taken, so the first error is the same whichever worker met one first.
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(found...), nil
}

// subject evaluates one subject.
func (w worker) subject(ctx context.Context, subject *facts.Subject) ([]Finding, error) {
	var found []Finding
	of := shapeOf(subject)
	for i := range w.programs {
		p := &w.programs[i]
		q, ok := p.queries[of]
		if !ok {
			continue
		}
		var raw *loader.Object
		if p.object {
			raw = subject.Object
		}
		input, err := w.convert.term(w.known, subject.Input, raw)
		if err != nil {
			return nil, err
		}
		more, err := w.ask(ctx, p, q, subject, input)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// ask evaluates the query of one program for one subject.
func (w worker) ask(ctx context.Context, p *program, q query, subject *facts.Subject, input *ast.Term) ([]Finding, error) {
	var found []Finding
	defined := false
	err := topdown.NewQuery(q.body).
		WithQueryCompiler(q.compiler).
		WithCompiler(p.compiler).
		WithStore(w.store).
		WithTransaction(w.txn).
		WithInput(input).
		WithMetrics(metrics.NoOp()).
		WithStrictBuiltinErrors(true).
		WithCancel(w.cancel).
		Iter(ctx, func(r topdown.QueryResult) error {
			defined = true
			sets, ok := r["x"].Value.(*ast.Array)
			if !ok {
				return fmt.Errorf("the findings of %s are no array", subject.Kind)
			}
			for i, rule := range q.rules {
				more, err := w.read(rule, subject, sets.Elem(i))
				if err != nil {
					return fmt.Errorf("rule %s: %w", rule.Name, err)
				}
				found = append(found, more...)
			}
			return nil
		})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("policy, on %s: %w", subjectName(subject), err)
	case !defined:
		return nil, fmt.Errorf("policy, on %s: a rule has no findings, not even an empty set", subjectName(subject))
	}
	return found, nil
}

// subjectName says which subject an error is about.
func subjectName(s *facts.Subject) string {
	if s.Object == nil {
		return s.Kind + " in " + s.File.Name
	}
	return s.Object.Kind + " " + s.Object.Name + " in " + s.File.Name
}
