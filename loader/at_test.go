package loader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAtPointsIntoTheText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, value string // what stands after "a:"
		find        string // in the decoded value
		want        string // line:column text; the value starts on line 3
	}{
		{"plain", " one two", "two", "3:8 two"},
		{"single-quoted", " 'it''s two'", "two", "3:11 two"},
		{"double-quoted", ` "a\tb\u00e9\x41\"two"`, "two", "3:21 two"},
		{"an escape itself", ` "a\u00e9b"`, "é", `3:6 \u00e9`},
		{"a wide character", " 'äö 日本 x'", "日本", "3:8 日本"},
		{"with an anchor", " &x two", "two", "3:7 two"},
		{"plain over lines", " one\n  two\n\n  three", "three", "6:3 three"},
		{"plain over lines, the blank between", " one\n  two", " two", "3:7 \n  two"},
		{"double-quoted over lines", " \"one\n  two \\\n   three\\\n\\  four\"", "three", "5:4 three"},
		{"double-quoted after an escaped break", " \"one\n  two \\\n   three\\\n\\  four\"", "four", "6:4 four"},
		{"single-quoted over lines", " 'one\n\n\n   two'", "two", "6:4 two"},
		{"literal", " |\n  one\n  two three\n", "three", "5:7 three"},
		{"literal, first line", " |\n  one\n", "one", "4:3 one"},
		{"literal, blank line first", " |\n\n\n  one\n   two\n", "two", "7:4 two"},
		{"literal, more indented", " |\n    one\n      two\n", "two", "5:7 two"},
		{"literal, short blank lines", " |\n    one\n\n  \n    two\n", "two", "7:5 two"},
		{"literal, indicator", " |2\n    one\n  two\n", "two", "5:3 two"},
		{"literal, indicator, first line", " |2\n    one\n  two\n", "  one", "4:3   one"},
		{"literal, stripped", " |- # comment\n  one\n  two\n\n", "two", "5:3 two"},
		{"literal, kept", " |+\n  one\n  two\n\n\n", "two", "5:3 two"},
		{"literal, over a line", " |\n  one\n  two\n", "one\ntw", "4:3 one\n  tw"},
		{"literal, tab", " |\n  one\n  \ttwo\n", "two", "5:4 two"},
		{"literal, marker-like", " |\n  ---\n  two\n", "two", "5:3 two"},
		{"literal, no line break at the end", " |\n  one\n  two", "two", "5:3 two"},
		{"folded", " >\n  one\n  two\n", "two", "5:3 two"},
		{"folded, paragraphs", " >-\n  one\n  two\n\n\n  three four\n", "four", "8:9 four"},
		{"folded, more indented", " >\n  one\n    two\n  three\n", "three", "6:3 three"},
		{"folded, more indented and blank", " >\n  one\n\n    two\n\n  three\n", "three", "8:3 three"},
		{"tagged", " !!str two", "two", "3:10 two"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, _ := Parse("x.yaml", []byte(head1+"a:"+tc.value+"\nb: 1\n"), Options{})
			if len(f.Objects) != 1 {
				t.Fatal(f.Problems)
			}
			n := f.Objects[0].Root().Get("a")
			text, _ := n.Str()
			i := strings.Index(text, tc.find)
			if i < 0 {
				t.Fatalf("%q is not in %q", tc.find, text)
			}
			if diff := cmp.Diff(tc.want, show(f, n.At(i, i+len(tc.find)))); diff != "" {
				t.Errorf("in %q (-want +got):\n%s", text, diff)
			}
		})
	}
}

func TestAtStaysInsideTheValue(t *testing.T) {
	t.Parallel()
	f, _ := Parse("x.yaml", []byte(head1+"a: |\n  one\nb: 'two'\nc: [x]\nd: 5\n"), Options{})
	root := f.Objects[0].Root()
	got := []string{
		show(f, root.Get("a").At(-5, 99)), show(f, root.Get("b").At(1, 99)), show(f, root.Get("b").At(3, 1)),
		show(f, root.Get("c").At(0, 1)), show(f, root.Get("d").At(0, 1)),
	}
	want := []string{"4:3 one", "5:6 wo", "5:8 ", "6:4 [x]", "7:4 5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValueSpanEndsWithTheValue(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, value, want string }{
		{"block scalar before a comment", " |\n  one\n# c\n", "|\n  one"},
		{"block scalar before blank lines", " |\n  one\n\n\n", "|\n  one"},
		{"empty block scalar", " |\n", "|"},
		{"empty block scalar with a comment", " |- # c\n", "|-"},
		{"folded", " >\n  one\n   two\n", ">\n  one\n   two"},
		{"plain over lines", " one\n  two # c\n", "one\n  two"},
		{"flow over lines", " [a, # ]\n  b,\n  ]\n", "[a, # ]\n  b,\n  ]"},
		{"flow in flow", " {a: {b: [c]}}\n", "{a: {b: [c]}}"},
		{"empty value last", "\n  k:\n", "k"},
		{"quoted with quotes", ` "a\"]b"`, `"a\"]b"`},
		{"single-quoted with quotes", ` 'a''b'`, `'a''b'`},
		{"a resolved key last", " {yes: }", "{yes: }"},
		{"an alias last", " [&x 1, *x]", "[&x 1, *x]"},
		{"a tag before a collection", " !!seq\n- 1\n", "- 1"},
	} {
		f, _ := Parse("x.yaml", []byte(head1+"a:"+tc.value+"\nb: 1\n"), Options{})
		if len(f.Objects) != 1 {
			t.Errorf("%s: %v", tc.name, f.Problems)
			continue
		}
		span := f.Objects[0].Root().Get("a").ValueSpan()
		got := string(f.Source[span.Start.Offset:span.End.Offset])
		if tc.name == "empty value last" {
			got = strings.TrimSuffix(got, ":")
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
