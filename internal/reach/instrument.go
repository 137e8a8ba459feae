package reach

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Names of the pseudo-programs that an instrumented script calls. They hold a control character, so no script can
// call or define them.
const (
	callPoisoned = mark + "poisoned" // prints the chosen outcome of a test whose operands are unknown
	callFileTest = mark + "filetest" // prints 1 or 0 for a file test
	callTaint    = mark + "taint"    // prints the taint of its arguments
	callCheck    = mark + "check"    // bounds the size of its arguments
	callOpen     = mark + "open"     // opens a file descriptor that the interpreter does not support
	callStore    = mark + "store"    // keeps its input as a virtual file and prints the file's name
	callBack     = mark + "back"     // remembers the status of a background job
	callWhich    = mark + "which"
	callLocal    = mark + "local"  // a program that acts inside the container only
	callSource   = mark + "source" // followed by a number: the text of a sourced file as a function
	callWait     = mark + "wait"
	virtualDir   = "/dev/hclint/"
)

// instrument changes a parsed script so that the interpreter reports each call with its place, tests on unknown values
// can be decided from outside, and nothing needs what the interpreter would take from this machine: FIFOs for process
// substitution, the user database for ~name, a clock for time.
type instrument struct {
	world   *world
	script  *script
	refused string
	seen    map[syntax.Node]bool
}

func (in *instrument) file(f *syntax.File) {
	in.seen = map[syntax.Node]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.Stmt, *syntax.CallExpr, *syntax.Assign, *syntax.Word, *syntax.CaseClause, *syntax.TestClause:
			if in.seen[n] {
				return false // a rewritten test holds its words twice
			}
			in.seen[n] = true
		}
		in.node(n)
		return true
	})
}

func (in *instrument) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Stmt:
		in.stmt(n)
	case *syntax.CallExpr:
		in.call(n)
	case *syntax.Assign:
		in.assign(n)
	case *syntax.Word:
		in.word(n)
	case *syntax.CaseClause:
		in.taint(n.Word)
	case *syntax.TestClause:
		n.X = in.test(n.X)
	case *syntax.ParamExp:
		in.param(n)
	case *syntax.WhileClause:
		n.Do = in.counted(n.Do)
	case *syntax.ForClause:
		if _, ok := n.Loop.(*syntax.CStyleLoop); ok {
			n.Do = in.counted(n.Do)
		}
	case *syntax.FuncDecl:
		if n.Name != nil {
			in.world.functions[n.Name.Value] = true
		}
	case *syntax.CoprocClause:
		in.refused = "coprocesses are not followed"
	case *syntax.DblQuoted:
		n.Parts = in.arithmetic(n.Parts)
	}
}

// counted adds a step to loop bodies that may hold no command to count.
func (in *instrument) counted(body []*syntax.Stmt) []*syntax.Stmt {
	for _, s := range body {
		if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			return body
		}
	}
	tick := &syntax.Stmt{Cmd: &syntax.CallExpr{Args: []*syntax.Word{litWord(":")}}}
	if len(body) > 0 {
		tick.Position = body[0].Position
	}
	return append([]*syntax.Stmt{tick}, body...)
}

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
		case *syntax.DblQuoted, *syntax.SglQuoted, *syntax.Lit:
			parts = append(parts, p)
		default:
			parts = append(parts, &syntax.DblQuoted{Parts: []syntax.WordPart{p}})
		}
	}
	return &syntax.Word{Parts: parts}
}

// subst is $(name args…).
func subst(name string, args ...*syntax.Word) *syntax.CmdSubst {
	call := &syntax.CallExpr{Args: append([]*syntax.Word{litWord(name)}, args...)}
	return &syntax.CmdSubst{Stmts: []*syntax.Stmt{{Cmd: call}}}
}

// call puts the number of the call site before the program's name.
func (in *instrument) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 || len(c.Args[0].Parts) == 0 {
		return
	}
	if l, ok := c.Args[0].Parts[0].(*syntax.Lit); ok && strings.Contains(l.Value, mark) {
		return
	}
	id := in.world.newSite(in.script, c.Args[0].Pos(), c.End(), c.Args)
	c.Args = append([]*syntax.Word(nil), c.Args...)
	if lit := c.Args[0].Lit(); len(c.Args) == 2 && (lit == "." || lit == "source") {
		c.Args = append(c.Args, &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{
			&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "@"}},
		}}}})
	}
	first := &syntax.Lit{Value: strconv.Itoa(id) + mark, ValuePos: c.Args[0].Pos(), ValueEnd: c.Args[0].Pos()}
	c.Args[0] = &syntax.Word{Parts: append([]syntax.WordPart{first}, c.Args[0].Parts...)}
}

func (in *instrument) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	in.script.assigns[a.Name.Value] = append(in.script.assigns[a.Name.Value], a)
	if a.Array != nil {
		refs := 0
		for _, e := range a.Array.Elems {
			refs += references(e.Value)
		}
		if refs > 1 && len(a.Array.Elems) > 1 {
			in.refused = "arrays built from arrays are not followed"
		}
		return
	}
	if a.Value == nil {
		return
	}
	if refs := references(a.Value); refs > 1 || a.Append || hasReplace(a.Value) {
		if refs > 64 {
			in.refused = "a value is too large"
		}
		var args []*syntax.Word
		syntax.Walk(a.Value, func(n syntax.Node) bool {
			if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && name(p.Param.Value) {
				args = append(args, variable(p.Param.Value))
			}
			_, nested := n.(*syntax.CmdSubst)
			return !nested
		})
		args = append(args, variable(a.Name.Value))
		a.Value.Parts = append([]syntax.WordPart{subst(callCheck, args...)}, a.Value.Parts...)
	}
}

// variable is "${NAME-}".
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

// word rewrites what the interpreter would ask of this machine, and refuses what would grow without bound.
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

// braces estimates how many words the brace expansions of s make.
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

// tildeHome reports ~ and ~/…, which need only HOME.
func tildeHome(s string, more bool) bool {
	return s == "~" && !more || strings.HasPrefix(s, "~/")
}

// procSubst turns <(cmd) into $(cmd | store), which names a virtual file with cmd's output; >(cmd) into /dev/null.
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

// arithmetic lets the result of $(( )) carry the taint of its variables.
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

// taint makes a run know when a case matches an unknown value.
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

// param gives variables that nothing sets an unknown value instead of an empty one.
func (in *instrument) param(p *syntax.ParamExp) {
	if p.Param == nil || p.Exp != nil || p.Excl || p.Length || p.Slice != nil || p.Repl != nil || p.Index != nil || p.Width || p.IsSet {
		return
	}
	if p.Param.Value == "!" {
		p.Param.Value = "#"
		return
	}
	if !upper(p.Param.Value) || shellVariable(p.Param.Value) || !name(p.Param.Value) || optional(p.Param.Value) {
		return
	}
	p.Exp = &syntax.Expansion{Op: syntax.DefaultUnset, Word: litWord(unknown)}
}

// optional reports names of variables that hold extra options: where nothing sets them, they are empty.
func optional(name string) bool {
	for _, suffix := range [...]string{"OPTIONS", "OPTS", "ARGS", "FLAGS", "PARAMS", "EXTRA"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// test rewrites a [[ ]] expression: file tests and comparisons of unknown values are decided by the run.
func (in *instrument) test(x syntax.TestExpr) syntax.TestExpr {
	switch t := x.(type) {
	case *syntax.ParenTest:
		t.X = in.test(t.X)
	case *syntax.UnaryTest:
		return in.unaryTest(t)
	case *syntax.BinaryTest:
		if t.Op == syntax.AndTest || t.Op == syntax.OrTest {
			t.X, t.Y = in.test(t.X), in.test(t.Y)
			return t
		}
		return in.binaryTest(t)
	}
	return x
}

func (in *instrument) unaryTest(t *syntax.UnaryTest) syntax.TestExpr {
	if t.Op == syntax.TsNot {
		t.X = in.test(t.X)
		return t
	}
	word, ok := t.X.(*syntax.Word)
	if !ok || !fileTest(t.Op.String()) {
		return t
	}
	id := in.world.newSite(in.script, t.Pos(), t.End(), nil)
	return equalsOne(subst(callFileTest, litWord(strconv.Itoa(id)+mark), litWord(t.Op.String()), quoted(word)), "1")
}

func equalsOne(part syntax.WordPart, want string) syntax.TestExpr {
	w := &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{part}}}}
	return &syntax.BinaryTest{Op: syntax.TsMatch, X: w, Y: &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{&syntax.Lit{Value: want}}}}}}
}

func fileTest(op string) bool {
	switch op {
	case "-e", "-f", "-d", "-s", "-S", "-p", "-L", "-h", "-b", "-c", "-r", "-w", "-x", "-O", "-G", "-u", "-g", "-k", "-N", "-a":
		return true
	}
	return false
}

// binaryTest makes X op Y into ("" == poisoned && X op Y) || "1" == poisoned.
func (in *instrument) binaryTest(t *syntax.BinaryTest) syntax.TestExpr {
	x, okX := t.X.(*syntax.Word)
	y, okY := t.Y.(*syntax.Word)
	if !okX || !okY || references(x)+references(y) == 0 && !hasSubst(x) && !hasSubst(y) {
		return t
	}
	id := in.world.newSite(in.script, t.Pos(), t.End(), nil)
	ask := func() syntax.WordPart {
		return subst(callPoisoned, litWord(strconv.Itoa(id)+mark), litWord(t.Op.String()), quoted(x), quoted(y))
	}
	clean := &syntax.BinaryTest{Op: syntax.AndTest, X: equalsOne(ask(), ""), Y: t}
	return &syntax.ParenTest{X: &syntax.BinaryTest{Op: syntax.OrTest, X: clean, Y: equalsOne(ask(), "1")}}
}

// stmt rewrites background jobs, time, and redirections of descriptors other than 0, 1 and 2.
func (in *instrument) stmt(s *syntax.Stmt) {
	if t, ok := s.Cmd.(*syntax.TimeClause); ok && t.Stmt != nil && t.Stmt.Cmd != nil && len(s.Redirs) == 0 {
		s.Cmd, s.Redirs, s.Negated = t.Stmt.Cmd, t.Stmt.Redirs, s.Negated != t.Stmt.Negated
	}
	if s.Background {
		s.Background = false
		job := &syntax.Stmt{Cmd: s.Cmd, Redirs: s.Redirs, Position: s.Position}
		keep := &syntax.Stmt{Cmd: &syntax.CallExpr{Args: []*syntax.Word{litWord(callBack)}}, Position: s.Position}
		s.Cmd, s.Redirs = &syntax.BinaryCmd{Op: syntax.OrStmt, X: job, Y: keep}, nil
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
	in.readFrom(s)
	in.redirects(s)
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
		fd := "0"
		if r.N != nil {
			fd = r.N.Value
		}
		lit := ""
		if r.Word != nil {
			lit = r.Word.Lit()
		}
		standard := fd == "0" || fd == "1" || fd == "2"
		switch {
		case (r.Op == syntax.DplIn || r.Op == syntax.DplOut) && !standard:
			// 3>&- closes, 3>&1 copies: nothing to simulate.
		case r.Op == syntax.DplIn && lit != "-":
			kept = append(kept, in.virtual(r, syntax.RdrIn))
		case r.Op == syntax.DplOut && lit != "-" && lit != "1" && lit != "2":
			kept = append(kept, in.virtual(r, syntax.RdrOut))
		case r.Op == syntax.RdrClob && standard:
			r.Op = syntax.RdrOut
			kept = append(kept, r)
		case r.Op == syntax.RdrInOut || r.Op == syntax.RdrClob || r.Op == syntax.AppClob || !standard && r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc:
			opens = append(opens, in.open(r))
		case !standard:
			// a here-document on another descriptor: read as empty
		default:
			in.device(r)
			kept = append(kept, r)
		}
	}
	s.Redirs = kept
	if len(opens) == 0 {
		return
	}
	in.openFirst(s, opens)
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
