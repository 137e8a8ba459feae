package loader

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func FuzzParse(f *testing.F) {
	for _, src := range []string{
		pod, string(manifests(1)), head1, head1 + "a: {{ .x }}\n", head1 + "a: &x [*x]\n", head1 + "<<: {a: 1}\na: 2\n",
		head1 + "a: |2\n    x\n   y\n\nb: >-\n  a\n\n   b\n  c\n", head1 + "a: \"x\\\n  y\\u00e9\\x41\"\nb: 'it''s\n\n  x'\n", "\ufeff" + head1 + "...\n---\n\ufeff" + head1,
		"{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"X\", \"a\": \"\\ud83d\\ude00\"}]}{}",
		"---\n{\n apiVersion: v1, kind: X, # c\n a: [b,],\n}\n", head1 + "a: \xff\n", head1 + "a: b: c\r\n# hc\r", "apiVersion: v1\rkind: X\ra: \u2028\u0085 b\r",
		head1 + "? a\n: b\n? [c]\n: d\n", head1 + "a: !!binary aGk=\nb: !x &y z\nc: *y\n", "apiVersion: template.openshift.io/v1\nkind: Template\nobjects:\n- {apiVersion: v1, kind: X}\n",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: RoleList\n  items:\n  - metadata: {}\n", "\xff\xfea\x00", "%YAML 1.1\n%TAG ! x\n---\n" + head1,
		"apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    restart_policy: &x [*x]\n    ---\n    restart_policy: {a: 1, a: \u00fc}\n  b: >\n    restart_policy:\n     'x\n  c: \"restart_policy: {\\n\\x41\"\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		file, skips := Parse("x.yaml", src, Options{Keys: []string{"restart_policy"}})
		checkFile(t, file)
		again, skipsAgain := Parse("x.yaml", src, Options{Keys: []string{"restart_policy"}})
		if diff := cmp.Diff(skips, skipsAgain); diff != "" {
			t.Errorf("skips differ between two runs:\n%s", diff)
		}
		if diff := cmp.Diff(file.Problems, again.Problems); diff != "" {
			t.Errorf("problems differ between two runs:\n%s", diff)
		}
		if len(file.Objects) != len(again.Objects) {
			t.Errorf("%d objects, then %d", len(file.Objects), len(again.Objects))
		}
	})
}

// checkFile asks everything of a file that can be asked.
func checkFile(t *testing.T, f *File) {
	t.Helper()
	for _, p := range f.Problems {
		checkSpan(t, f, p.Span)
	}
	for _, c := range f.Comments("") {
		checkSpan(t, f, c.Span)
	}
	checkTokens(t, f)
	for _, o := range f.Objects {
		checkSpan(t, f, o.Span(nil))
		checkSpan(t, f, o.Span(Path{"spec", 3}))
		first, last := o.Lines()
		if first < 1 || last < first || last > bytes.Count(f.Source, []byte("\n"))+bytes.Count(f.Source, []byte("\r"))+1 {
			t.Errorf("lines %d-%d", first, last)
		}
		o.Root().Plain()
		visited := 0
		checkNode(t, o, o.Root(), &visited)
		for _, n := range o.Root().Get("data").Entries() {
			for _, root := range n.Documents() {
				checkSpan(t, f, root.KeySpan())
				checkSpan(t, f, root.ValueSpan())
				checkSpan(t, f, o.Span(append(root.Path(), "restart_policy", 0)))
			}
		}
	}
}

func checkNode(t *testing.T, o *Object, n Node, visited *int) {
	t.Helper()
	if *visited++; *visited > 2000 {
		return
	}
	checkSpan(t, o.File, n.KeySpan())
	checkSpan(t, o.File, n.ValueSpan())
	text := n.Text()
	checkSpan(t, o.File, n.At(len(text)/2, len(text)))
	found := o.Find(n.Path())
	if found.raw != n.raw {
		t.Errorf("%v leads elsewhere", n.Path())
	}
	if o.Span(n.Path()) != n.KeySpan() {
		t.Errorf("%v: two spans", n.Path())
	}
	n.Int()
	n.Bool()
	n.Unknown()
	for _, child := range n.Items() {
		checkNode(t, o, child, visited)
	}
	for _, child := range n.Entries() {
		checkNode(t, o, child, visited)
	}
}

// checkTokens compares the scanner with the parser: no comment starts inside a quoted or block scalar.
func checkTokens(t *testing.T, f *File) {
	t.Helper()
	if len(f.Problems) > 0 {
		return
	}
	inside := make([]bool, len(f.Source)+1)
	for _, o := range f.Objects {
		if o.root == nil {
			continue
		}
		eachScalar(o.root, func(n *node) {
			from, to := f.contentAt(n), f.nodeEnd(n)
			if n.flags&(literal|folded) != 0 {
				from = f.blockText(n).start
			}
			for i := from; i < to; i++ {
				inside[i] = true
			}
		})
	}
	for tok := range tokens(f.Source) {
		if tok.kind == commentToken && inside[tok.from] {
			t.Errorf("a comment in a scalar: %s", show(f, f.spanAt(tok.from, tok.to)))
		}
	}
}

func eachScalar(n *node, visit func(*node)) {
	if n.kind == scalarNode && n.flags&(singleQuoted|doubleQuoted|literal|folded) != 0 {
		visit(n)
	}
	if n.kind == aliasNode {
		return
	}
	for i := range n.kids {
		eachScalar(&n.kids[i], visit)
	}
}

func checkSpan(t *testing.T, f *File, s Span) {
	t.Helper()
	if s.IsZero() {
		return
	}
	if s.Start.Offset > s.End.Offset {
		t.Errorf("span %v ends before it starts", s)
	}
	for _, p := range []Pos{s.Start, s.End} {
		if p.Offset < 0 || p.Offset > len(f.Source) || p.Line < 1 || p.Column < 1 {
			t.Fatalf("%v is outside the file", p)
		}
		line := 1
		start := 0
		for i := 0; i < p.Offset; i++ {
			if c := f.Source[i]; c == '\n' || c == '\r' && (i+1 >= len(f.Source) || f.Source[i+1] != '\n') {
				line++
				start = i + 1
			}
		}
		column := utf8.RuneCount(f.Source[start:p.Offset]) + 1
		if bytes.HasPrefix(f.Source[start:p.Offset], []byte(byteOrderMark)) && column != p.Column {
			column--
		}
		if line != p.Line || column != p.Column {
			t.Errorf("offset %d is %d:%d, not %d:%d", p.Offset, line, column, p.Line, p.Column)
		}
	}
}
