package reach

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func litWord(s string) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: s}}}
}

func quoted(w *syntax.Word) *syntax.Word {
	if w == nil {
		return litWord("")
	}
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.DblQuoted, *syntax.SglQuoted, *syntax.Lit, *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
		default:
			return litWord("")
		}
	}
	parts := make([]syntax.WordPart, 0, len(w.Parts))
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit: // a pattern is not to be expanded into file names
			parts = append(parts, &syntax.SglQuoted{Value: p.Value})
		case *syntax.DblQuoted, *syntax.SglQuoted:
			parts = append(parts, p)
		default:
			parts = append(parts, &syntax.DblQuoted{Parts: []syntax.WordPart{p}})
		}
	}
	return &syntax.Word{Parts: parts}
}

func subst(name string, args ...*syntax.Word) *syntax.CmdSubst {
	call := &syntax.CallExpr{Args: append([]*syntax.Word{litWord(name)}, args...)}
	return &syntax.CmdSubst{Stmts: []*syntax.Stmt{{Cmd: call}}}
}

func variable(name string) *syntax.Word {
	p := &syntax.ParamExp{Param: &syntax.Lit{Value: name}, Exp: &syntax.Expansion{Op: syntax.DefaultUnset, Word: litWord("")}}
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{p}}}}
}

func name(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func references(w *syntax.Word) int {
	if w == nil {
		return 0
	}
	n := 0
	syntax.Walk(w, func(node syntax.Node) bool {
		if _, ok := node.(*syntax.ParamExp); ok {
			n++
		}
		return true
	})
	return n
}

func hasReplace(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(node syntax.Node) bool {
		if p, ok := node.(*syntax.ParamExp); ok && p.Repl != nil {
			found = true
		}
		return true
	})
	return found
}

func (in *instrument) word(w *syntax.Word) {
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if i == 0 && strings.HasPrefix(p.Value, "~") && !tildeHome(p.Value, len(w.Parts) > 1) {
				p.Value = unknown + p.Value[1:]
			}
			if strings.Count(p.Value, "{") > 6 || strings.Contains(p.Value, "..") && strings.Contains(p.Value, "{") {
				if braces(p.Value) > 1000 {
					in.refused = "a brace expansion is too large"
				}
			}
		case *syntax.ProcSubst:
			w.Parts[i] = in.procSubst(p)
		}
	}
	w.Parts = in.arithmetic(w.Parts)
}

func braces(s string) int {
	total := 1
	for rest := s; ; {
		_, after, ok := strings.Cut(rest, "{")
		if !ok {
			return total
		}
		group, tail, ok := strings.Cut(after, "}")
		if !ok {
			return total
		}
		n := strings.Count(group, ",") + 1
		if a, b, ok := strings.Cut(group, ".."); ok {
			b = firstOf(b, "..")
			x, err1 := strconv.Atoi(a)
			y, err2 := strconv.Atoi(b)
			switch {
			case err1 == nil && err2 == nil:
				n = max(x-y, y-x, 0)
			case len(a) > 1 || len(b) > 1:
				n = 1 << 20
			default:
				n = 64
			}
			if n < 0 || n > 1<<20 {
				n = 1 << 20
			}
		}
		total = min(total*n, 1<<20)
		rest = tail
	}
}

func tildeHome(s string, more bool) bool {
	return s == "~" && !more || strings.HasPrefix(s, "~/")
}

func (in *instrument) procSubst(p *syntax.ProcSubst) syntax.WordPart {
	if p.Op != syntax.CmdIn || len(p.Stmts) == 0 {
		return &syntax.Lit{Value: "/dev/null", ValuePos: p.Pos(), ValueEnd: p.End()}
	}
	block := &syntax.Stmt{Cmd: &syntax.Block{Stmts: p.Stmts}, Position: p.Pos()}
	store := &syntax.Stmt{Cmd: &syntax.CallExpr{Args: []*syntax.Word{litWord(callStore)}}, Position: p.Pos()}
	return &syntax.CmdSubst{Left: p.OpPos, Right: p.Rparen, Stmts: []*syntax.Stmt{{
		Cmd: &syntax.BinaryCmd{Op: syntax.Pipe, X: block, Y: store}, Position: p.Pos(),
	}}}
}

func (in *instrument) arithmetic(parts []syntax.WordPart) []syntax.WordPart {
	for _, p := range parts {
		if a, ok := p.(*syntax.ArithmExp); ok {
			if args := arithmeticNames(a.X); len(args) > 0 {
				parts = append(parts[:len(parts):len(parts)], subst(callTaint, args...))
			}
		}
	}
	return parts
}

func arithmeticNames(x syntax.ArithmExpr) []*syntax.Word {
	var args []*syntax.Word
	if x == nil {
		return nil
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			if n.Param != nil && name(n.Param.Value) {
				args = append(args, variable(n.Param.Value))
			}
			return false
		case *syntax.Lit:
			if name(n.Value) {
				args = append(args, variable(n.Value))
			}
		}
		return true
	})
	return args
}

func (in *instrument) taint(w *syntax.Word) {
	if w == nil || len(w.Parts) == 0 || references(w) == 0 && !hasSubst(w) {
		return
	}
	copied := quoted(&syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)})
	id := in.world.newSite(in.script, w.Pos(), w.End(), nil)
	w.Parts = append(w.Parts, subst(callTaint, litWord(strconv.Itoa(id)+mark), copied))
}

func hasSubst(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(n syntax.Node) bool {
		if _, ok := n.(*syntax.CmdSubst); ok {
			found = true
		}
		return true
	})
	return found
}
