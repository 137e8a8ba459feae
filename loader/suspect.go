package loader

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

const (
	blankIndent = "U+%04X for indentation: YAML allows only spaces there"
	markerText  = `"---" starts a document only where nothing or a blank follows it`
)

// suspect looks for a mistake that the parser does not see as such and then stumbles over, at or before the offset where it
// gave up: what a merge left behind, a blank that only looks like one, a marker that is none.
func (b *treeBuilder) suspect(at int) (where int, message string) {
	src := b.file.Source
	end, _ := cutLine(src, at, true)
	last, before := b.doc.start(), b.doc.start() // offsets of the line at the offset, and of the one before
	for i := b.doc.start(); i < end; {
		lineEnd, next := cutLine(src, i, true)
		if isConflictMarker(src[i:lineEnd]) {
			return i, "a merge conflict is not resolved here"
		}
		before, last, i = last, i, next
	}
	for _, i := range []int{before, last} {
		lineEnd, _ := cutLine(src, i, true)
		line := src[i:lineEnd]
		if indent, r := strangeBlank(line); r != 0 {
			return i + indent, fmt.Sprintf(blankIndent, r)
		}
		if bytes.HasPrefix(line, []byte("---")) && !isMarker(line, "---") {
			return i, markerText
		}
	}
	return -1, ""
}

// isConflictMarker reports whether git writes such a line around the sides of a conflict.
func isConflictMarker(line []byte) bool {
	return bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> ")) || string(line) == "======="
}

// strangeBlank returns where in the indentation of line a blank stands that YAML takes for text, and that blank; 0 without one.
func strangeBlank(line []byte) (at int, r rune) {
	for at < len(line) {
		r, size := utf8.DecodeRune(line[at:])
		switch {
		case r == ' ' || r == '\t':
			at += size
		case unicode.Is(unicode.Zs, r) || r == 0x200B:
			return at, r
		default:
			return 0, 0
		}
	}
	return 0, 0
}
