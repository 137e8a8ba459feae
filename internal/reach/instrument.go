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
	callFork     = mark + "fork"     // a background job begins: nobody waits for it
	callPipe     = mark + "pipe"     // keeps the status of a member of a pipeline
	callJoin     = mark + "join"     // it ends
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
	// fallback holds the calls and tests left of "||" that ask whether the application is well.
	fallback map[syntax.Node]bool
}

func (in *instrument) file(f *syntax.File) {
	in.seen, in.fallback = map[syntax.Node]bool{}, map[syntax.Node]bool{}
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
		first := len(in.world.sites)
		n.X = in.test(n.X)
		for id := first; in.fallback[n] && id < len(in.world.sites); id++ {
			in.world.fallbacks[id] = true
		}
	case *syntax.ParamExp:
		in.param(n)
	case *syntax.DblQuoted:
		n.Parts = in.arithmetic(n.Parts)
	default:
		in.compound(n)
	}
}

func (in *instrument) compound(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.BinaryCmd:
		if n.Op == syntax.OrStmt {
			in.either(n.X)
		}
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

// subst is $(name args…).

// call puts the number of the call site before the program's name.

func (in *instrument) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 || len(c.Args[0].Parts) == 0 {
		return
	}
	if l, ok := c.Args[0].Parts[0].(*syntax.Lit); ok && strings.Contains(l.Value, mark) {
		return
	}
	id := in.world.newSite(in.script, c.Args[0].Pos(), c.End(), c.Args)
	if in.fallback[c] {
		in.world.fallbacks[id] = true
	}
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
		in.array(a.Array)
		return
	}
	if a.Value == nil {
		return
	}
	in.bounded(a)
}

func (in *instrument) array(a *syntax.ArrayExpr) {
	refs := 0
	for _, e := range a.Elems {
		refs += references(e.Value)
	}
	if refs > 1 && len(a.Elems) > 1 {
		in.refused = "arrays built from arrays are not followed"
	}
}

// bounded adds a size check to values that can grow by being assigned again.

func (in *instrument) bounded(a *syntax.Assign) {
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

// word rewrites what the interpreter would ask of this machine, and refuses what would grow without bound.

// braces estimates how many words the brace expansions of s make.

// tildeHome reports ~ and ~/…, which need only HOME.

// procSubst turns <(cmd) into $(cmd | store), which names a virtual file with cmd's output; >(cmd) into /dev/null.

// arithmetic lets the result of $(( )) carry the taint of its variables.

// taint makes a run know when a case matches an unknown value.

// param gives variables that nothing sets an unknown value instead of an empty one.

// simple reports $NAME and ${NAME}.

// optional reports names of variables that hold extra options: where nothing sets them, they are empty.
