package loader

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// broken handles a document that is not YAML.
func (p *parser) broken(h head, b *treeBuilder, err error) {
	if hasTemplateSyntax(b.doc.text) {
		p.skip(h.from, reasonTemplate)
		return
	}
	if !p.relevant(h, b.doc.text) {
		p.skip(h.from, reasonOther)
		return
	}
	at, message := b.explain(err)
	if atPlaceholder(b.file.Source[b.doc.lo:b.doc.hi], at-b.doc.lo) {
		p.skip(h.from, reasonUnfilled)
		return
	}
	p.file.Problems = append(p.file.Problems, Problem{Span: p.file.spanAt(at, at+1), Message: message, Lost: true})
}

// relevant reports whether a document that cannot be read was meant for this tool. The keys of one in flow style are not
// known then, only words.
func (p *parser) relevant(h head, text []byte) bool {
	if h.shape == flowMap || h.shape == unsure {
		return bytes.Contains(text, []byte("kind")) && bytes.Contains(text, []byte("apiVersion")) || p.mentionsKey(text)
	}
	return p.hasOurKeys(h) || h.services && composeName(p.file.Name)
}

// explain words a parser error and says at which offset of the file it is.
func (b *treeBuilder) explain(err error) (at int, message string) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return b.doc.lo, "not valid YAML"
	}
	if load.Mark.Line == 0 {
		return b.badByte()
	}
	mark := load.Mark
	context := b.file.lineAt(int(b.offset(load.ContextMark.Line, load.ContextMark.Column)))
	message, atContext := plainWords(load, context)
	if atContext && load.ContextMark.Line > 0 {
		mark = load.ContextMark
	}
	at = int(b.offset(mark.Line, mark.Column))
	at = min(at, max(b.doc.hi-1, b.doc.lo))
	if load.Message == "found character that cannot start any token" {
		message = b.badStart(at)
	}
	if where, likelier := b.suspect(at); likelier != "" {
		return where, likelier
	}
	return at, message
}

// plainWords translates the parser's terms. atContext says that the construct's start is the better place to show: what
// was opened there is the mistake, not where the parser gave up. context is the line of the file where that is.
func plainWords(e *yaml.LoadError, context int) (message string, atContext bool) {
	for _, w := range wordings() {
		if rest, found := strings.CutPrefix(e.Message, w.parser); found {
			name, _, _ := strings.Cut(rest, "'")
			message = strings.NewReplacer("{rest}", rest, "{name}", name, "{line}", strconv.Itoa(context)).Replace(w.plain)
			return message, w.atContext
		}
	}
	if e.ContextMsg != "" {
		return e.Message + " " + strings.Replace(e.ContextMsg, "scanning", "reading", 1), false
	}
	return e.Message, false
}

const tabIndent = "a tab for indentation: YAML allows only spaces there"

// wording says in plain words what a message of the parser means.
type wording struct {
	parser    string // how the parser's message starts
	plain     string // {rest} is what follows in it, {name} that up to the next quote, {line} the construct's line
	atContext bool
}

func wordings() []wording {
	return []wording{
		{parser: "mapping values are not allowed", plain: `a ":" where no key can stand: quote the value, or check the indentation`},
		{parser: "found unexpected end of stream", plain: "this quote is never closed", atContext: true},
		{parser: "found unexpected document indicator", plain: "this quote is never closed before the next document", atContext: true},
		{parser: "could not find expected ':'", plain: `this line is neither "key: value" nor part of the text above it`, atContext: true},
		{parser: "did not find expected key", plain: "expected a key here: check the indentation, and quotes around the text before"},
		{parser: "did not find expected '-' indicator", plain: `expected "-" here: check the indentation of this sequence`},
		{parser: "did not find expected ',' or ", plain: "expected ',' or {rest} here, to go on with or close the bracket of line {line}"},
		{parser: "did not find expected node content", plain: "expected a value here"},
		{parser: "did not find expected <document start>", plain: "text after the end of the document"},
		{parser: "block sequence entries are not allowed", plain: `a "-" where no item can stand: check the indentation`},
		{parser: "unknown anchor '", plain: "alias *{name} has no anchor &{name} before it in this document"},
		{parser: "exceeded max depth", plain: "nested more than " + strconv.Itoa(maxDepth) + " levels deep"},
		{parser: "found a tab character that violates indentation", plain: tabIndent},
		{parser: "found incompatible YAML document", plain: "this version of YAML is not known: remove the %YAML line"},
		{parser: "found unknown escape character", plain: `unknown escape in a double-quoted string: write \\ for a backslash, or use single quotes`},
	}
}

// badStart words what is wrong with the character at the given offset, which no value can start with.
func (b *treeBuilder) badStart(at int) string {
	r, _ := utf8.DecodeRune(b.file.Source[at:])
	if r == '\t' {
		return tabIndent
	}
	return fmt.Sprintf("text cannot start with %q: quote it", string(r))
}

// badByte finds the byte that the parser refused to read; it does not say where it was.
func (b *treeBuilder) badByte() (at int, message string) {
	src := b.file.Source
	for i := b.doc.lo; i < b.doc.hi; {
		r, size := utf8.DecodeRune(src[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return i, fmt.Sprintf("byte 0x%02X is not UTF-8", src[i])
		case !printable(r):
			return i, fmt.Sprintf("control character U+%04X is not allowed in YAML", r)
		}
		i += size
	}
	return b.doc.lo, "not valid YAML"
}

// printable is the set of characters that a YAML stream may hold (YAML 1.2.2, 5.1).
func printable(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return true
	case r < 0x20, r >= 0x7F && r < 0xA0:
		return false
	}
	return r < 0xD800 || r >= 0xE000 && r != 0xFFFE && r != 0xFFFF
}
