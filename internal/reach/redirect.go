package reach

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmt rewrites background jobs, time, and redirections of descriptors other than 0, 1 and 2.
func (in *instrument) stmt(s *syntax.Stmt) {
	if t, ok := s.Cmd.(*syntax.TimeClause); ok && t.Stmt != nil && t.Stmt.Cmd != nil && len(s.Redirs) == 0 {
		s.Cmd, s.Redirs, s.Negated = t.Stmt.Cmd, t.Stmt.Redirs, s.Negated != t.Stmt.Negated
	}
	if s.Background {
		s.Background = false
		job := &syntax.Stmt{Cmd: s.Cmd, Redirs: s.Redirs, Position: s.Position}
		call := func(name string) *syntax.Stmt {
			return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: []*syntax.Word{litWord(name)}}, Position: s.Position}
		}
		run := &syntax.Stmt{Cmd: &syntax.BinaryCmd{Op: syntax.OrStmt, X: job, Y: call(callBack)}, Position: s.Position}
		s.Cmd, s.Redirs = &syntax.Block{Stmts: []*syntax.Stmt{call(callFork), run, call(callJoin)}}, nil
		return
	}
	if a, ok := s.Cmd.(*syntax.ArithmCmd); ok && !in.seen[a] {
		in.seen[a] = true
		if args := arithmeticNames(a.X); len(args) > 0 {
			id := in.world.newSite(in.script, a.Pos(), a.End(), nil)
			word := &syntax.Word{Parts: []syntax.WordPart{subst(callTaint, append([]*syntax.Word{litWord(strconv.Itoa(id) + mark)}, args...)...)}}
			note := &syntax.Stmt{Position: s.Position, Cmd: &syntax.CallExpr{Args: []*syntax.Word{litWord(":"), word}}}
			s.Cmd = &syntax.BinaryCmd{Op: syntax.AndStmt, X: note, Y: &syntax.Stmt{Cmd: a, Position: s.Position}}
		}
	}
	in.pipe(s)
	printInto(s)
	in.readFrom(s)
	in.redirects(s)
}

// printInto turns printf -v NAME … into NAME=$(printf …).
func printInto(s *syntax.Stmt) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) < 4 || c.Args[0].Lit() != "printf" || c.Args[1].Lit() != "-v" || !name(c.Args[2].Lit()) {
		return
	}
	printed := &syntax.CallExpr{Args: append([]*syntax.Word{c.Args[0]}, c.Args[3:]...)}
	value := &syntax.CmdSubst{Left: c.Pos(), Right: c.End(), Stmts: []*syntax.Stmt{{Cmd: printed, Position: s.Position}}}
	target := &syntax.Lit{Value: c.Args[2].Lit(), ValuePos: c.Args[2].Pos(), ValueEnd: c.Args[2].End()}
	s.Cmd = &syntax.CallExpr{Assigns: append(c.Assigns, &syntax.Assign{Name: target, Value: &syntax.Word{Parts: []syntax.WordPart{value}}})}
}

// readFrom turns read -u N into a redirection.
func (in *instrument) readFrom(s *syntax.Stmt) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || c.Args[0].Lit() != "read" && c.Args[0].Lit() != "mapfile" && c.Args[0].Lit() != "readarray" {
		return
	}
	for i := 1; i < len(c.Args); i++ {
		lit := c.Args[i].Lit()
		switch {
		case lit == "-u" && i+1 < len(c.Args):
			in.redirectRead(s, c, i, 2, c.Args[i+1].Lit())
			return
		case strings.HasPrefix(lit, "-u") && digits(lit[2:]):
			in.redirectRead(s, c, i, 1, lit[2:])
			return
		}
	}
}

func (in *instrument) redirectRead(s *syntax.Stmt, c *syntax.CallExpr, at, count int, fd string) {
	c.Args = append(append([]*syntax.Word(nil), c.Args[:at]...), c.Args[at+count:]...)
	s.Redirs = append(s.Redirs, &syntax.Redirect{Op: syntax.RdrIn, OpPos: s.Position, Word: litWord(virtualDir + fd)})
}

// redirects rewrites descriptors that the interpreter does not support: N<>file and N>file become an open that must
// succeed before the command; <&N and >&N become virtual files.
func (in *instrument) redirects(s *syntax.Stmt) {
	var kept []*syntax.Redirect
	var opens []*syntax.Stmt
	for _, r := range s.Redirs {
		switch {
		case standard(r):
			if k := in.standardRedirect(r); k != nil {
				kept = append(kept, k)
			} else {
				opens = append(opens, in.open(r))
			}
		case inList("<& >& << <<- <<<", r.Op.String()):
			// 3>&- closes, 3>&1 copies: nothing to simulate. A here-document on another descriptor reads as empty.
		default:
			opens = append(opens, in.open(r))
		}
	}
	s.Redirs = kept
	if len(opens) == 0 {
		return
	}
	in.openFirst(s, opens)
}

// standard reports redirections of the descriptors 0, 1 and 2.
func standard(r *syntax.Redirect) bool {
	return r.N == nil || inList("0 1 2", r.N.Value)
}

// standardRedirect rewrites a redirection of a standard descriptor; nil means that the file must be opened beforehand.
func (in *instrument) standardRedirect(r *syntax.Redirect) *syntax.Redirect {
	lit := ""
	if r.Word != nil {
		lit = r.Word.Lit()
	}
	switch r.Op {
	case syntax.DplIn:
		if lit != "-" {
			return in.virtual(r, syntax.RdrIn)
		}
	case syntax.DplOut:
		if !inList("- 1 2", lit) {
			return in.virtual(r, syntax.RdrOut)
		}
	case syntax.RdrClob:
		r.Op = syntax.RdrOut
	case syntax.RdrInOut, syntax.AppClob:
		return nil
	default:
		in.device(r)
	}
	return r
}

func (in *instrument) openFirst(s *syntax.Stmt, opens []*syntax.Stmt) {
	rest := &syntax.Stmt{Cmd: s.Cmd, Redirs: s.Redirs, Position: s.Position}
	if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) == 1 && c.Args[0].Lit() == "exec" || s.Cmd == nil {
		rest = nil
	}
	chain := opens[0]
	for _, next := range opens[1:] {
		chain = &syntax.Stmt{Cmd: &syntax.BinaryCmd{Op: syntax.AndStmt, X: chain, Y: next}, Position: s.Position}
	}
	if rest != nil {
		chain = &syntax.Stmt{Cmd: &syntax.BinaryCmd{Op: syntax.AndStmt, X: chain, Y: rest}, Position: s.Position}
	}
	s.Cmd, s.Redirs = chain.Cmd, nil
}

func (in *instrument) virtual(r *syntax.Redirect, op syntax.RedirOperator) *syntax.Redirect {
	word := &syntax.Word{Parts: append([]syntax.WordPart{&syntax.Lit{Value: virtualDir, ValuePos: r.OpPos, ValueEnd: r.OpPos}}, r.Word.Parts...)}
	return &syntax.Redirect{Op: op, OpPos: r.OpPos, N: r.N, Word: word}
}

func (in *instrument) open(r *syntax.Redirect) *syntax.Stmt {
	id := in.world.newSite(in.script, r.Pos(), r.End(), []*syntax.Word{r.Word})
	call := &syntax.CallExpr{Args: []*syntax.Word{litWord(callOpen), litWord(strconv.Itoa(id) + mark), quoted(r.Word)}}
	if r.N != nil {
		call.Args = append(call.Args, litWord(r.N.Value))
	}
	return &syntax.Stmt{Cmd: call, Position: r.OpPos}
}

// device puts a site number before paths that may be /dev/tcp/host/port.
func (in *instrument) device(r *syntax.Redirect) {
	if r.Word == nil || len(r.Word.Parts) == 0 || r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Op == syntax.WordHdoc || r.Op == syntax.DplIn || r.Op == syntax.DplOut {
		return
	}
	if lit := r.Word.Lit(); lit != "" && !strings.HasPrefix(lit, "/dev/tcp") && !strings.HasPrefix(lit, "/dev/udp") {
		return
	}
	id := in.world.newSite(in.script, r.Pos(), r.End(), []*syntax.Word{r.Word})
	first := &syntax.Lit{Value: strconv.Itoa(id) + mark, ValuePos: r.OpPos, ValueEnd: r.OpPos}
	r.Word = &syntax.Word{Parts: append([]syntax.WordPart{first}, r.Word.Parts...)}
}
