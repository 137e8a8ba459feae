package reach

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// either marks what stands left of "||". There, "pgrep app || nc -z db 5432" asks the server only once the application is known to be
// gone, and the server's outage alone fails nothing. What looks at files ("ls /tmp/starting || …") asks for a mode, not for health.
func (in *instrument) either(left *syntax.Stmt) {
	syntax.Walk(left, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			return !n.Negated
		case *syntax.BinaryCmd:
			if piped(n) {
				in.eitherPipe(n)
				return false
			}
			return n.Op != syntax.AndStmt || !inList("exit return", firstWord(n.Y))
		case *syntax.TestClause:
			in.fallback[n] = true
		case *syntax.CallExpr:
			if len(n.Args) > 0 && !looksAtFiles(n.Args[0].Lit()) {
				in.fallback[n] = true
			}
		}
		return true
	})
}

// eitherPipe marks every member of a pipeline, by what it begins with: a grep looks at what it is given.
func (in *instrument) eitherPipe(b *syntax.BinaryCmd) {
	if looksAtFiles(firstWord(pipeStart(b))) {
		return
	}
	syntax.Walk(b, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			in.fallback[c] = true
		}
		return true
	})
}

func pipeStart(b *syntax.BinaryCmd) *syntax.Stmt {
	for {
		left, ok := b.X.Cmd.(*syntax.BinaryCmd)
		if !ok || !piped(left) {
			return b.X
		}
		b = left
	}
}

// firstWord is the program of a simple command, where it stands there literally.
func firstWord(s *syntax.Stmt) string {
	if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 {
		return c.Args[0].Lit()
	}
	return ""
}

func looksAtFiles(program string) bool {
	return inList("ls find stat cat head tail grep egrep fgrep mountpoint", program[strings.LastIndexByte(program, '/')+1:])
}
