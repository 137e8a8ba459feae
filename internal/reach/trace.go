package reach

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/hclint/hclint/loader"
)

// trace lists the steps from the probe to the site.
func (w *world) trace(id int) []Step {
	var out []Step
	for id >= 0 {
		s := w.sites[id]
		out = append(out, w.step(id))
		if s.script.name != "" {
			if s.script.entry < 0 {
				out = append(out, w.entryStep("runs "+s.script.name+", from "+s.script.from))
			}
		}
		id = s.script.entry
	}
	slices.Reverse(out)
	return out
}

func (w *world) entryStep(text string) Step {
	command := w.pod.commandNode()
	return Step{Object: command.Object(), Span: command.KeySpan(), Text: text}
}

// where is the place of a node as a trace step.
func where(n loader.Node, text string) Step {
	return Step{Object: n.Object(), Span: n.KeySpan(), Text: text}
}

// origin says where the host's value is written: through the variables that the call's words name.
func (w *world) origin(t touch) []Step {
	if t.host == "" || tainted(t.host) {
		return nil
	}
	if t.site < 0 {
		return w.directOrigin(t)
	}
	s := w.sites[t.site]
	var out []Step
	seen := map[string]bool{}
	for _, word := range s.words {
		if out = w.variables(s.script, word, t.host, seen, 0); len(out) > 0 {
			return out
		}
	}
	if out = w.ambient(t); len(out) > 0 {
		return out
	}
	return w.mentioned(t.host)
}

// mentioned finds the variable with exactly this value that a script names: it came through a function's parameter.
func (w *world) mentioned(host string) []Step {
	names := make([]string, 0, len(w.env.vars))
	for name, b := range w.env.vars {
		if b.value == host && b.at.Present() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, s := range w.scripts {
			if strings.Contains(s.text, name) {
				return []Step{bindingStep(name, w.env.vars[name], host)}
			}
		}
	}
	return nil
}

// ambient explains hosts that a client takes from its own variables (PGHOST).
func (w *world) ambient(t touch) []Step {
	row := clientNamed(t.via)
	if row == nil {
		return nil
	}
	for name := range strings.FieldsSeq(row.env) {
		if b, ok := w.env.vars[name]; ok && strings.Contains(b.value, t.host) {
			return []Step{bindingStep(name, b, t.host)}
		}
	}
	return nil
}

func (w *world) directOrigin(t touch) []Step {
	for _, item := range w.pod.commandWords() {
		for _, name := range slices.Sorted(maps.Keys(w.env.vars)) {
			b := w.env.vars[name]
			if b.value != "" && strings.Contains(item.Text(), "$("+name+")") && strings.Contains(b.value, t.host) {
				return []Step{bindingStep(name, b, t.host)}
			}
		}
	}
	return w.ambient(t)
}

func bindingStep(name string, b binding, host string) Step {
	text := name + " is " + host
	if b.value != host {
		text = name + " names " + host // a URL may hold a password: never shown whole
	}
	if b.from != "" {
		text += ", from " + b.from
	}
	return where(b.at, text)
}

// variables follows the variables of a word to where the host is written.
func (w *world) variables(s *script, word *syntax.Word, host string, seen map[string]bool, depth int) []Step {
	if word == nil || depth > 6 {
		return nil
	}
	var out []Step
	syntax.Walk(word, func(n syntax.Node) bool {
		p, ok := n.(*syntax.ParamExp)
		if !ok || p.Param == nil || len(out) > 0 || seen[p.Param.Value] {
			return len(out) == 0
		}
		seen[p.Param.Value] = true
		out = w.variable(s, p.Param.Value, host, seen, depth)
		return len(out) == 0
	})
	return out
}

func (w *world) variable(s *script, name, host string, seen map[string]bool, depth int) []Step {
	// The script's own assignment is what counts at run time; its words may lead further, to the environment.
	for at := s; ; at = w.sites[at.entry].script {
		for _, a := range at.assigns[name] {
			if a.Value == nil {
				continue
			}
			if step, ok := w.assignStep(at, a, host); ok {
				return step
			}
			if rest := w.variables(at, a.Value, host, seen, depth+1); len(rest) > 0 {
				return rest
			}
		}
		if at.entry < 0 {
			break
		}
	}
	if b, ok := w.env.vars[name]; ok && b.at.Present() && strings.Contains(b.value, host) {
		return []Step{bindingStep(name, b, host)}
	}
	return nil
}

func (w *world) assignStep(s *script, a *syntax.Assign, host string) ([]Step, bool) {
	from, to := int(a.Pos().Offset()), int(a.End().Offset())
	if from < 0 || to > len(s.text) || from > to || !strings.Contains(s.text[from:to], host) {
		return nil, false
	}
	return []Step{{Object: s.object, Span: s.span(from, to), Text: a.Name.Value + " is " + host}}, true
}
