package reach

import (
	"errors"
	"io"
	"maps"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// unknownSubst makes the output of a command substitution unknown; the calls that instrument added print nothing.
func unknownSubst(out io.Writer, cs *syntax.CmdSubst) error {
	if len(cs.Stmts) == 1 {
		if c, ok := cs.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && strings.HasPrefix(c.Args[0].Lit(), mark) {
			return nil
		}
	}
	_, err := io.WriteString(out, answer)
	return err
}

// readScript evaluates the calls of s in the order of the text, whatever decides between them: the static answer.
func (w *world) readScript(p *process, s *script) error {
	vars := map[string]string{}
	maps.Copy(vars, p.overlay)
	inner := *p
	inner.overlay = vars
	cfg := &expand.Config{
		Env:       shellEnv{&inner, w},
		CmdSubst:  unknownSubst,
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return "/dev/null", nil },
		NoUnset:   false,
	}
	called := s.called()
	var failed error
	syntax.Walk(s.file, func(n syntax.Node) bool {
		if failed != nil {
			return false
		}
		switch n := n.(type) {
		case *syntax.FuncDecl:
			return n.Name != nil && called[n.Name.Value]
		case *syntax.Assign:
			if n.Name != nil && n.Value != nil {
				if v, err := expand.Literal(cfg, n.Value); err == nil && len(v) < maxOutput {
					vars[n.Name.Value] = v
				}
			}
		case *syntax.CallExpr:
			failed = w.readCall(cfg, &inner, n)
		}
		return true
	})
	return failed
}

func (w *world) readCall(cfg *expand.Config, p *process, c *syntax.CallExpr) error {
	if len(c.Args) == 0 || strings.HasPrefix(c.Args[0].Lit(), mark) {
		return nil
	}
	fields, err := expand.Fields(cfg, c.Args...)
	if err != nil || len(fields) == 0 {
		return w.tick(0)
	}
	site, program := unmark(fields[0])
	if program == "" || interp.IsBuiltin(program) && program != "exec" && program != "command" || w.isFunction(program) {
		return w.tick(0)
	}
	quiet := *p
	quiet.stdout, quiet.stdin = nil, nil
	_, err = w.exec(&quiet, append([]string{program}, fields[1:]...), site)
	if errors.Is(err, errEndless) {
		return err
	}
	return nil
}

// called lists the names that appear as commands.
func (s *script) called() map[string]bool {
	out := map[string]bool{}
	syntax.Walk(s.file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			_, program := unmark(c.Args[0].Lit())
			out[program] = true
		}
		return true
	})
	return out
}
