package reach

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// pipe makes each member of a pipeline report its status, for scripts that look at PIPESTATUS: the interpreter does not keep it.
func (in *instrument) pipe(s *syntax.Stmt) {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || !piped(b) || in.seen[b] || !strings.Contains(in.script.text, "PIPESTATUS") {
		return
	}
	members := []**syntax.Stmt{&b.Y}
	for {
		in.seen[b] = true
		left, ok := b.X.Cmd.(*syntax.BinaryCmd)
		if !ok || !piped(left) || len(b.X.Redirs) > 0 {
			members = append(members, &b.X)
			break
		}
		b = left
		members = append(members, &b.Y)
	}
	for i, m := range members {
		*m = reporting(*m, len(members)-1-i)
	}
}

func piped(b *syntax.BinaryCmd) bool { return b.Op == syntax.Pipe || b.Op == syntax.PipeAll }

// reporting is (member && report n 0) || report n $?.
func reporting(member *syntax.Stmt, n int) *syntax.Stmt {
	report := func(status *syntax.Word) *syntax.Stmt {
		return &syntax.Stmt{Position: member.Position, Cmd: &syntax.CallExpr{Args: []*syntax.Word{litWord(callPipe), litWord(strconv.Itoa(n)), status}}}
	}
	last := &syntax.Word{Parts: []syntax.WordPart{&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "?"}}}}
	good := &syntax.Stmt{Position: member.Position, Cmd: &syntax.BinaryCmd{Op: syntax.AndStmt, X: member, Y: report(litWord("0"))}}
	return &syntax.Stmt{Position: member.Position, Cmd: &syntax.BinaryCmd{Op: syntax.OrStmt, X: good, Y: report(last)}}
}

// reported keeps the status of a member of a pipeline, and ends with it.
func (w *world) reported(args []string) int {
	if len(args) < 2 {
		return 0
	}
	status, err := strconv.Atoi(args[1])
	if err != nil {
		return 0
	}
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	if w.run.pipe == nil {
		w.run.pipe = map[string]int{}
	}
	w.run.pipe[args[0]] = status
	return status
}
