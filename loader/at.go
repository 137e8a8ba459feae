package loader

import (
	"strings"
	"unicode/utf8"
)

// At maps bytes [from, to) of a String node's value to the source: through block scalars (indentation, folding), quoted
// escapes and line continuation. It is exact for literal blocks, plain and quoted single lines; otherwise the nearest place.
// Of a node that is not a scalar it is ValueSpan.
func (n Node) At(from, to int) Span {
	v := n.value()
	if v == nil || v.kind != scalarNode {
		return n.ValueSpan()
	}
	from = min(max(from, 0), len(v.text))
	to = min(max(from, to), len(v.text))
	f := n.obj.source()
	return f.spanAt(f.skipContinuation(v, f.mapText(v, from)), f.mapText(v, to))
}

// skipContinuation moves a start from an escaped line break, which is nothing in the value, to the text after it.
func (f *File) skipContinuation(n *node, at int) int {
	src := f.Source
	for n.flags&doubleQuoted != 0 && at+1 < len(src) && src[at] == '\\' && (src[at+1] == '\n' || src[at+1] == '\r') {
		width, _ := whiteSpace(src[at+1:])
		at += 1 + width
	}
	return at
}

// mapText returns the source offset of byte i of a scalar's value.
func (f *File) mapText(n *node, i int) int {
	switch {
	case n.flags&renamed != 0:
		return f.contentAt(n)
	case n.flags&literal != 0:
		return f.mapLiteral(n, i)
	case n.flags&folded != 0:
		return f.mapFolded(n, i)
	default:
		return f.mapFlowScalar(n, i)
	}
}

// mapLiteral: line k of the value is line k of the block.
func (f *File) mapLiteral(n *node, i int) int {
	b := f.blockText(n)
	row := strings.Count(n.text[:i], "\n")
	column := i - (strings.LastIndexByte(n.text[:i], '\n') + 1)
	at := b.start
	for ; row > 0; row-- {
		_, next := cutLine(f.Source, at, true)
		if next >= len(f.Source) {
			break
		}
		at = next
	}
	end, _ := cutLine(f.Source, at, true)
	return min(at+b.indent+column, end, b.end)
}

// mapFolded walks the lines of the block and of the value together: line breaks became a blank or newlines.
func (f *File) mapFolded(n *node, i int) int {
	b := f.blockText(n)
	value := 0
	last := b.start
	for at := b.start; at < b.end; {
		end, next := cutLine(f.Source, at, true)
		start := min(at+b.indent, end)
		line := string(f.Source[start:end])
		at = next
		if strings.TrimSpace(line) == "" {
			continue
		}
		for value < len(n.text) && n.text[value] == '\n' {
			value++
		}
		if !strings.HasPrefix(n.text[value:], line) && strings.HasPrefix(n.text[value:], " ") {
			value++
		}
		if i <= value+len(line) {
			return start + max(i-value, 0)
		}
		value += len(line)
		last = end
	}
	return last
}

// mapFlowScalar walks a plain or quoted scalar and its value together.
func (f *File) mapFlowScalar(n *node, i int) int {
	src := f.Source
	at := f.contentAt(n)
	if n.flags&(singleQuoted|doubleQuoted) != 0 {
		at++
	}
	for v := 0; v < i && at < len(src); {
		switch c := src[at]; {
		case c == '\'' && n.flags&singleQuoted != 0:
			at += 2
			v++
		case c == '\\' && n.flags&doubleQuoted != 0:
			width, size := escape(src[at:])
			at += width
			v += size
		case isSpace(c):
			width, size := fold(src[at:])
			at += width
			v += size
		default:
			at++
			v++
		}
	}
	return min(at, len(src))
}

// fold measures the white space at the start of src: its width there and in the value, where one line break is a
// blank and n of them are n-1 newlines.
func fold(src []byte) (width, size int) {
	width, breaks := whiteSpace(src)
	switch breaks {
	case 0:
		return 1, 1
	case 1:
		return width, 1
	default:
		return width, breaks - 1
	}
}

// whiteSpace measures the white space at the start of src and counts its line breaks.
func whiteSpace(src []byte) (width, breaks int) {
	for width < len(src) && isSpace(src[width]) {
		if src[width] == '\n' || src[width] == '\r' && (width+1 >= len(src) || src[width+1] != '\n') {
			breaks++
		}
		width++
	}
	return width, breaks
}

// escape measures the escape sequence at the start of src: its width there and in the value.
func escape(src []byte) (width, size int) {
	if len(src) < 2 {
		return 1, 1
	}
	switch src[1] {
	case '\n', '\r':
		width, breaks := whiteSpace(src[1:])
		return width + 1, breaks - 1
	case 'x':
		return escapedRune(src, 2)
	case 'u':
		return escapedRune(src, 4)
	case 'U':
		return escapedRune(src, 8)
	case 'N', '_': // next line and no-break space
		return 2, 2
	case 'L', 'P': // line and paragraph separator
		return 2, 3
	default:
		return 2, 1
	}
}

// escapedRune measures an escape with the given number of hexadecimal digits.
func escapedRune(src []byte, digits int) (width, size int) {
	r := hex(src[2:min(2+digits, len(src))])
	if digits == 4 && r >= 0xD800 && r < 0xDC00 && len(src) >= 12 && src[6] == '\\' && src[7] == 'u' {
		return 12, 4 // a JSON surrogate pair
	}
	return 2 + digits, max(utf8.RuneLen(r), 1)
}

func hex(digits []byte) rune {
	var r rune
	for _, c := range digits {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		}
	}
	if r > utf8.MaxRune {
		return utf8.RuneError
	}
	return r
}
