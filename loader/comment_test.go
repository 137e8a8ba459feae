package loader

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommentsAreFoundOutsideScalarsOnly(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"own line", "# hc a\n" + head1, []string{"1:1 own hc a"}},
		{"indented", head1 + "a:\n  # hc a\n  b: 1\n", []string{"4:3 own hc a"}},
		{"after a value", head1 + "a: 1 # hc a \n", []string{"3:6 hc a"}},
		{"no blank after the sign", head1 + "a: 1 #hc a\n", []string{"3:6 hc a"}},
		{"after a key", head1 + "a: # hc a\n  b: 1\n", []string{"3:4 hc a"}},
		{"after a dash", head1 + "a:\n- # hc a\n  b\n", []string{"4:3 hc a"}},
		{"after a quoted value", head1 + "a: 'x' # hc a\n", []string{"3:8 hc a"}},
		{"after a quote with a sign", head1 + "a: 'x # hc no' # hc a\n", []string{"3:16 hc a"}},
		{"after an escaped quote", head1 + `a: "x\" # hc no" # hc a` + "\n", []string{"3:18 hc a"}},
		{"after an anchor and an alias", head1 + "a: &x # hc a\n  1\nb: *x # hc b\n", []string{"3:7 hc a", "5:7 hc b"}},
		{"on a block scalar's header", head1 + "a: |- # hc a\n  x\n", []string{"3:7 hc a"}},
		{"after a block scalar", head1 + "a: |\n  x\n# hc a\n", []string{"5:1 own hc a"}},
		{"after a block scalar, indented", head1 + "a:\n  b: |\n    x\n  # hc a\n", []string{"6:3 own hc a"}},
		{"after a block scalar in an item", head1 + "a:\n- |\n  x\n# hc a\n- b: |\n    # hc no\n  # hc b\n", []string{"6:1 own hc a", "9:3 own hc b"}},
		{"in flow style", head1 + "a: [x, # hc a\n  y # hc b\n  ]\n", []string{"3:8 hc a", "4:5 hc b"}},
		{"at a marker", head1 + "--- # hc a\n" + head1, []string{"3:5 hc a"}},
		{"with CRLF", "apiVersion: v1\r\nkind: Pod\r\na: 1 # hc a\r\n# hc b\r\n", []string{"3:6 hc a", "4:1 own hc b"}},
		{"after a byte order mark", "\ufeff# hc a\n" + head1, []string{"1:1 own hc a"}},
		{"in a document that is broken", head1 + "a: b: c # hc a\n", []string{"3:9 hc a"}},
		{"after a document that is broken", head1 + "a: \"x\n---\n" + head1 + "# hc a\n", []string{"7:1 own hc a"}},
		{"between lines of text that is plain", head1 + "a: it's\n  so 'quoted\n  - \"text # hc a\n", []string{"5:11 hc a"}},
		{"after a plain line with quotes", head1 + "a: don't # hc a\n", []string{"3:10 hc a"}},
		{"none in a plain scalar", head1 + "a: x#hc b\n", nil},
		{"none in a quoted scalar", head1 + "a: ' # hc a'\n", nil},
		{"none in a quoted scalar over lines", head1 + "a: 'x\n  # hc a\n  '\n", nil},
		{"none in a double-quoted key", head1 + "\"a # hc a\": 1\n", nil},
		{"none in a literal", head1 + "a: |\n  # hc a\n  x # hc b\n", nil},
		{"none in a folded scalar", head1 + "a: >\n  x\n\n  # hc b\n", nil},
		{"none in a literal with an indicator", head1 + "a: |1\n  # hc a\n # hc b\n", nil},
		{"none in a literal item", head1 + "a:\n- - |\n    # hc a\n", nil},
		{"none in a literal of a tag", head1 + "a: !!str |\n  # hc a\n", nil},
		{"none in JSON", `{"apiVersion": "v1", "kind": "Pod", "a": "# hc a"}`, nil},
		{"none with another prefix", "# xhc a\n# h c\n" + head1, nil},
		{"none after two signs", "## hc a\n" + head1, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, _ := Parse("x.yaml", []byte(tc.src), Options{})
			var got []string
			for _, c := range f.Comments("hc") {
				own := ""
				if c.Own {
					own = "own "
				}
				got = append(got, fmt.Sprintf("%d:%d %s%s", c.Span.Start.Line, c.Span.Start.Column, own, c.Text))
				if f.Source[c.Span.Start.Offset] != '#' {
					t.Errorf("no # at %v", c.Span)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
