package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/loader"
)

func TestExcerptPutsCaretsBelowTheSpan(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		source, mark string
		want         excerpt
	}{
		"plain":          {"a: b\nkey: value\n", "value", excerpt{"key: value", "     ^^^^^"}},
		"no line end":    {"key: value", "value", excerpt{"key: value", "     ^^^^^"}},
		"CRLF":           {"a: b\r\nkey: value\r\n", "value", excerpt{"key: value", "     ^^^^^"}},
		"tabs":           {"\tkey:\tvalue\n", "value", excerpt{"\tkey:\tvalue", "\t    \t^^^^^"}},
		"marked tab":     {"a\tb\n", "\tb", excerpt{"a\tb", " ^^"}},
		"wide runes":     {"名: 値x\n", "値x", excerpt{"名: 値x", "    ^^^"}},
		"combining":      {"e\u0301: x\n", "x", excerpt{"e\u0301: x", "   ^"}},
		"empty":          {"key: value\n", "", excerpt{"key: value", "^"}},
		"byte order":     {"\ufeffkey: value\n", "value", excerpt{"key: value", "     ^^^^^"}},
		"several lines":  {"key: |\n  a\n  b\n", "|\n  a\n  b", excerpt{"key: |", "     ^"}},
		"whole document": {"key: value\nb: c\n", "key: value\nb: c\n", excerpt{"key: value", "^^^^^^^^^^"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &loader.File{Source: []byte(tc.source)}
			got, ok := newExcerpt(f, spanOf(f, tc.mark), 100)
			if !ok {
				t.Fatal("no excerpt")
			}
			if got != tc.want {
				t.Errorf("got\n%q\n%q\nwant\n%q\n%q", got.line, got.carets, tc.want.line, tc.want.carets)
			}
		})
	}
}

func TestExcerptIsAbsentWhereThereIsNoLine(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		file *loader.File
		span loader.Span
	}{
		"no file":      {nil, loader.Span{Start: loader.Pos{Line: 1, Column: 1}}},
		"no place":     {&loader.File{Source: []byte("a: b")}, loader.Span{}},
		"past the end": {&loader.File{Source: []byte("a: b")}, loader.Span{Start: loader.Pos{Line: 3, Column: 1, Offset: 9}}},
		"blank line":   {&loader.File{Source: []byte("\n\na: b")}, loader.Span{Start: loader.Pos{Line: 2, Column: 1, Offset: 1}}},
		"empty file":   {&loader.File{}, loader.Span{Start: loader.Pos{Line: 1, Column: 1}}},
	} {
		if got, ok := newExcerpt(tc.file, tc.span, 100); ok {
			t.Errorf("%s: got %q", name, got.line)
		}
	}
}

func TestALongLineIsCutAroundTheCarets(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ before, mark, after int }{
		"at the start":          {0, 5, 500},
		"in the middle":         {300, 5, 300},
		"at the end":            {500, 5, 0},
		"marked itself":         {3, 400, 3},
		"marked, in the middle": {200, 400, 200},
		"just too long":         {50, 1, 50},
	} {
		f := &loader.File{Source: []byte(strings.Repeat("ä", tc.before) + strings.Repeat("M", tc.mark) + strings.Repeat("z", tc.after))}
		got, ok := newExcerpt(f, spanOf(f, strings.Repeat("M", tc.mark)), 100)
		if !ok {
			t.Fatalf("%s: no excerpt", name)
		}
		if w := width(got.line); w > 100 {
			t.Errorf("%s: %d cells wide", name, w)
		}
		// The carets stand below the marked text, cut or not.
		runes, carets := []rune(got.line), []rune(got.carets)
		for i := range runes {
			under := i < len(carets) && carets[i] == '^'
			marked := runes[i] == 'M' || runes[i] == '…' && tc.mark > 100 && i > 0 && runes[i-1] == 'M'
			if under != marked {
				t.Errorf("%s: cell %d: caret %v below %q\n%s\n%s", name, i, under, runes[i], got.line, got.carets)
				break
			}
		}
	}
}

func TestWrapBreaksAtBlanksOnly(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		head, text string
		want       []string
	}{
		{"", "one two three", []string{"one two", "three"}},
		{"a b c d:1", "one", []string{"a b c d:1", "one"}},
		{"", "averyveryverylongword x", []string{"averyveryverylongword", "x"}},
		{"f:1", "", []string{"f:1"}},
		{"", "", []string{""}},
	} {
		if diff := cmp.Diff(tc.want, wrap(tc.head, tc.text, 8)); diff != "" {
			t.Errorf("%q %q (-want +got):\n%s", tc.head, tc.text, diff)
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add([]byte("key: value\n"), 5, 10, 100)
	f.Add([]byte("\ufeff\t\x1b[2J\u202e\r\n\xff"), 0, 9, 20)
	f.Add([]byte(strings.Repeat("値", 300)), 300, 309, 40)
	f.Fuzz(func(t *testing.T, source []byte, from, to, room int) {
		room = max(20, min(room, 200))
		file := &loader.File{Source: source}
		span := loader.Span{Start: loader.Pos{Line: 1, Column: 1, Offset: from}, End: loader.Pos{Line: 1, Column: 1, Offset: to}}
		got, ok := newExcerpt(file, span, room)
		if !ok {
			return
		}
		if strings.ContainsFunc(got.line, unsafeRune) || !utf8.ValidString(got.line) {
			t.Errorf("%q is not safe to show", got.line)
		}
		if w := width(got.line); w > room {
			t.Errorf("%d cells in a room of %d: %q", w, room, got.line)
		}
		if !strings.HasSuffix(got.carets, "^") || strings.Trim(got.carets, " \t^") != "" {
			t.Errorf("carets %q", got.carets)
		}
	})
}
