package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// read turns the set of findings of one rule into findings. What it does not know or cannot use is a broken policy.
func (e *evaluator) read(rule Rule, subject *facts.Subject, set *ast.Term) ([]Finding, error) {
	results, ok := set.Value.(ast.Set)
	if !ok {
		return nil, errors.New("findings is no set")
	}
	if results.Len() == 0 {
		return nil, nil
	}
	found := make([]Finding, 0, results.Len())
	err := results.Iter(func(t *ast.Term) error {
		f, err := readFinding(rule, subject, t)
		if err != nil {
			return fmt.Errorf("%w in %v", err, t)
		}
		if severity, ok := e.severity[rule.Name]; ok {
			f.Severity = severity
		}
		found = append(found, f)
		return nil
	})
	return found, err
}

// readFinding reads one finding of a rule:
//
//	path        array, absolute into the subject's object; [] is the object itself (required)
//	message     string (required)
//	effect      string
//	evidence    array of indexes into the subject's evidence
//	confidence  "certain" (default) or "likely"
//	severity    "error", "warning" or "info"; without it the rule's, one step lower when likely
//	container   string
//	fixes       array of {"title": string, "safety": "display" (default), "safe" or "unsafe", "suggestion": any value}
func readFinding(rule Rule, subject *facts.Subject, t *ast.Term) (Finding, error) {
	obj, ok := t.Value.(ast.Object)
	if !ok {
		return Finding{}, errors.New("a finding is no object")
	}
	r := reading{subject: subject, finding: Finding{
		Rule: rule.Name, Severity: rule.Severity, File: subject.File, Object: subject.Object, Help: rule.Title, URL: rule.URL,
	}}
	if err := eachKey(obj, r.field); err != nil {
		return Finding{}, err
	}
	f := r.finding
	switch {
	case f.Path == nil:
		return Finding{}, errors.New(`no "path"`)
	case strings.TrimSpace(f.Message) == "":
		return Finding{}, errors.New(`no "message"`)
	case r.severity != 0:
		f.Severity = r.severity
	case f.Likely:
		f.Severity = max(Info, f.Severity-1)
	}
	f.Span = subject.Span
	if subject.Object != nil {
		f.Span = subject.Object.Span(f.Path)
	}
	return f, nil
}

// reading is a finding that is being read.
type reading struct {
	subject  *facts.Subject
	finding  Finding
	severity Severity // as the finding says, 0 when it does not
}

func (r *reading) field(key string, v *ast.Term) (err error) {
	f := &r.finding
	switch key {
	case "path":
		f.Path, err = readPath(v)
	case "message":
		f.Message, err = text(v)
	case "effect":
		f.Effect, err = text(v)
	case "evidence":
		f.Trace, err = readEvidence(r.subject, v)
	case "confidence":
		f.Likely, err = readLikely(v)
	case "severity":
		r.severity, err = readSeverity(v)
	case "container":
		f.Container, err = text(v)
	case "fixes":
		f.Fixes, err = readFixes(v)
	default:
		err = errUnknownKey
	}
	return err
}

var errUnknownKey = errors.New("unknown key")

// eachKey calls f with every key and value of obj, and says in the error which key it was about.
func eachKey(obj ast.Object, f func(key string, v *ast.Term) error) error {
	return obj.Iter(func(k, v *ast.Term) error {
		key, err := text(k)
		if err != nil {
			return fmt.Errorf("key: %w", err)
		}
		if err := f(key, v); errors.Is(err, errUnknownKey) {
			return fmt.Errorf("unknown key %q", key)
		} else if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	})
}

func text(t *ast.Term) (string, error) {
	s, ok := t.Value.(ast.String)
	if !ok {
		return "", errors.New("no string")
	}
	return string(s), nil
}

func number(t *ast.Term) (int, error) {
	if n, ok := t.Value.(ast.Number); ok {
		if i, ok := n.Int(); ok {
			return i, nil
		}
	}
	return 0, errors.New("no whole number")
}

// each calls f with every element of an array.
func each(t *ast.Term, f func(*ast.Term) error) error {
	array, ok := t.Value.(*ast.Array)
	if !ok {
		return errors.New("no array")
	}
	return array.Iter(f)
}

func readPath(t *ast.Term) (loader.Path, error) {
	path := loader.Path{}
	err := each(t, func(step *ast.Term) error {
		if s, err := text(step); err == nil {
			path = append(path, s)
			return nil
		}
		i, err := number(step)
		if err != nil || i < 0 {
			return fmt.Errorf("step %v is no string and no index", step)
		}
		path = append(path, i)
		return nil
	})
	return path, err
}

// readEvidence joins the traces that a finding names; a step that several of them share is told once.
func readEvidence(subject *facts.Subject, t *ast.Term) ([]Step, error) {
	var steps []Step
	err := each(t, func(index *ast.Term) error {
		i, err := number(index)
		if err != nil || i < 0 || i >= len(subject.Evidence) {
			return fmt.Errorf("%v is no index of a trace", index)
		}
		for _, s := range subject.Evidence[i] {
			if step := newStep(subject, s); !slices.Contains(steps, step) {
				steps = append(steps, step)
			}
		}
		return nil
	})
	return steps, err
}

func newStep(subject *facts.Subject, s reach.Step) Step {
	step := Step{File: subject.File, Span: s.Span, Text: s.Text}
	if s.Object != nil {
		step.File = s.Object.File
	}
	return step
}

func readLikely(t *ast.Term) (bool, error) {
	switch s, err := text(t); {
	case err != nil:
		return false, err
	case s == string(reach.Certain):
		return false, nil
	case s == string(reach.Likely):
		return true, nil
	default:
		return false, fmt.Errorf("%q: want certain or likely", s)
	}
}

func readSeverity(t *ast.Term) (Severity, error) {
	s, err := text(t)
	if err != nil {
		return 0, err
	}
	return ParseSeverity(s)
}

func readFixes(t *ast.Term) ([]Fix, error) {
	var fixes []Fix
	err := each(t, func(t *ast.Term) error {
		fix, err := readFix(t)
		fixes = append(fixes, fix)
		return err
	})
	return fixes, err
}

func readFix(t *ast.Term) (Fix, error) {
	obj, ok := t.Value.(ast.Object)
	if !ok {
		return Fix{}, errors.New("a fix is no object")
	}
	fix := Fix{Safety: Display}
	err := eachKey(obj, func(key string, v *ast.Term) (err error) {
		switch key {
		case "title":
			fix.Title, err = text(v)
		case "safety":
			fix.Safety, err = readSafety(v)
		case "suggestion":
			fix.Suggestion, err = readSuggestion(v)
		default:
			err = errUnknownKey
		}
		return err
	})
	if err == nil && fix.Title == "" {
		err = errors.New(`no "title"`)
	}
	return fix, err
}

func readSafety(t *ast.Term) (Safety, error) {
	s, err := text(t)
	switch safety := Safety(s); {
	case err != nil:
		return "", err
	case safety == Safe, safety == Unsafe, safety == Display:
		return safety, nil
	default:
		return "", fmt.Errorf("%q: want safe, unsafe or display", s)
	}
}

// readSuggestion renders any value as YAML.
func readSuggestion(t *ast.Term) (string, error) {
	value, err := ast.ValueToInterface(t.Value, nothing{})
	if err != nil {
		return "", err
	}
	return suggestion(value)
}

// nothing resolves no reference: a finding is ground.
type nothing struct{}

// Resolve is never called for a ground value.
func (nothing) Resolve(ref ast.Ref) (any, error) {
	return nil, fmt.Errorf("%v is not resolved", ref)
}
