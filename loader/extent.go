package loader

import "bytes"

// spanAt converts a byte range, of a text inside another file to where it stands there.
func (f *File) spanAt(from, to int) Span {
	to = min(max(from, to), len(f.Source))
	if f.around.raw != nil {
		return f.outside(from, to)
	}
	return Span{Start: f.pos(from), End: f.pos(to)}
}

// scalarSpan is where a scalar, or an alias itself, stands.
func (f *File) scalarSpan(n *node) Span {
	from := f.contentAt(n)
	return f.spanAt(from, f.nodeEnd(n))
}

// contentAt is where n's content starts, after its anchor and tag.
func (f *File) contentAt(n *node) int {
	at := int(n.at)
	if n.flags&props == 0 {
		return at
	}
	src := f.Source
	for at < len(src) {
		switch {
		case src[at] == '&' || src[at] == '!':
			for at < len(src) && !isSpace(src[at]) {
				at++
			}
		case isSpace(src[at]):
			at++
		case src[at] == '#':
			_, at = cutLine(src, at, true)
		default:
			return at
		}
	}
	return len(src)
}

// nodeEnd is the offset past n's last byte.
func (f *File) nodeEnd(n *node) int {
	switch n.kind {
	case aliasNode:
		return min(int(n.at)+1+len(n.text), len(f.Source))
	case scalarNode:
		return f.scalarEnd(n)
	default:
		end := f.contentAt(n)
		if len(n.kids) > 0 {
			end = f.nodeEnd(&n.kids[len(n.kids)-1])
			if len(n.kids) > 1 && n.kind == mapNode {
				// an empty value is placed at its key's end
				end = max(end, f.nodeEnd(&n.kids[len(n.kids)-2]))
			}
		} else if n.flags&flow != 0 {
			end++
		}
		if n.flags&flow != 0 {
			return f.bracketEnd(end)
		}
		return end
	}
}

// bracketEnd finds the closing bracket of a flow collection whose last element ends at i.
func (f *File) bracketEnd(i int) int {
	src := f.Source
	for i < len(src) {
		switch c := src[i]; {
		case c == '}' || c == ']':
			return i + 1
		case c == '#' && i > 0 && isSpace(src[i-1]):
			_, i = cutLine(src, i, true)
		default:
			i++
		}
	}
	return i
}

func (f *File) scalarEnd(n *node) int {
	at := f.contentAt(n)
	src := f.Source
	switch {
	case n.flags&doubleQuoted != 0:
		return f.flowScalarEnd(at, '"')
	case n.flags&singleQuoted != 0:
		return f.flowScalarEnd(at, '\'')
	case n.flags&(literal|folded) != 0:
		b := f.blockText(n)
		return b.end
	case n.flags&renamed != 0:
		return at + wordLength(src[at:])
	case n.flags&continued != 0:
		end, next := cutLine(src, at, false)
		end, _ = continuedLine(src, end, next)
		return end
	}
	if end := at + len(n.text); end <= len(src) && string(src[at:end]) == n.text {
		return end
	}
	if n.text == "" {
		return at
	}
	return f.mapFlowScalar(n, len(n.text))
}

// wordLength is the length of the single plain word at the start of src.
func wordLength(src []byte) int {
	if n := bytes.IndexAny(src, " \t\r\n:,}"); n >= 0 {
		return n
	}
	return len(src)
}

// flowScalarEnd is the offset past the quote that closes the one at i.
func (f *File) flowScalarEnd(i int, quote byte) int {
	src := f.Source
	for i++; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] != quote:
		case quote == '\'' && i+1 < len(src) && src[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return len(src)
}

// block is the text of a block scalar in the source.
type block struct {
	start  int // the first line of its text
	indent int
	end    int // past the last byte that is not blank
}

// blockText finds the lines of a block scalar.
func (f *File) blockText(n *node) block {
	src := f.Source
	header := f.contentAt(n)
	headerEnd, start := cutLine(src, header, true)
	b := block{start: start, end: headerEnd}
	text := bytes.TrimRight([]byte(n.text), "\n")
	if len(text) == 0 {
		if i := bytes.IndexAny(src[header:headerEnd], " \t"); i > 0 {
			b.end = header + i
		}
		return b
	}
	b.indent = blockIndent(src[start:], text)
	for i := start; i < len(src); {
		end, next := cutLine(src, i, true)
		line := src[i:end]
		if n := leadingBlanks(line); n < b.indent && n < len(line) {
			break
		} else if len(bytes.TrimSpace(line)) > 0 {
			if b.indent == 0 && (isMarker(line, "---") || isMarker(line, "...")) {
				break
			}
			b.end = end
		}
		i = next
	}
	return b
}

// blockIndent compares the first line of a block scalar's value that is not empty with the source it came from.
// That also is right for an explicit indentation indicator.
func blockIndent(src, text []byte) int {
	first := bytes.TrimLeft(text, "\n")
	if i := bytes.IndexByte(first, '\n'); i >= 0 {
		first = first[:i]
	}
	for i := 0; i < len(src); {
		end, next := cutLine(src, i, true)
		if line := src[i:end]; leadingBlanks(line) < len(line) && bytes.HasSuffix(line, first) {
			return len(line) - len(first)
		} else if leadingBlanks(line) < len(line) {
			return leadingBlanks(line)
		}
		i = next
	}
	return 0
}
