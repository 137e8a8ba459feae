package loader

import "bytes"

const byteOrderMark = "\xEF\xBB\xBF"

// document is one YAML or JSON document of a file, not yet parsed.
type document struct {
	lo, hi int    // its range in the file's source
	text   []byte // that range without the byte order mark
	masked bool   // text has surrogate escapes replaced
	bom    int    // offset of a byte order mark that text lacks; -1 without one
}

// start is the offset in the file of the document's first byte.
func (d document) start() int {
	if d.bom == d.lo {
		return d.lo + len(byteOrderMark)
	}
	return d.lo
}

// splitter cuts a stream at its document markers. "---" and "..." at column 0 followed by a blank always are
// markers, whatever surrounds them (YAML 1.2.2, 9.1.2), so that a broken document cannot hide the next one.
type splitter struct {
	src  []byte
	docs []document
	lo   int
	// what the lines since lo hold
	content, marker, directive bool
}

func split(src []byte) []document {
	s := splitter{src: src}
	loneCR := hasLoneCR(src)
	for i := 0; i < len(src); {
		end, next := cutLine(src, i, loneCR)
		line := src[i:end]
		if bare := bytes.TrimPrefix(line, []byte(byteOrderMark)); !s.content || isMarker(bare, "---") {
			line = bare
		}
		s.line(line, i, next)
		i = next
	}
	s.cut(len(src))
	return s.docs
}

func (s *splitter) line(line []byte, start, next int) {
	switch {
	case isMarker(line, "---"):
		if s.content || s.marker || !s.directive {
			s.cut(start)
			s.lo = start
		}
		s.marker = true
		s.content = hasContent(line[3:])
	case isMarker(line, "..."):
		s.cut(start)
		s.lo = next
	case len(line) > 0 && line[0] == '%' && !s.content && !s.marker:
		s.directive = true
	case !s.content:
		s.content = hasContent(line)
	}
}

// cut ends the document at hi; one without content is nothing.
func (s *splitter) cut(hi int) {
	if s.content {
		s.add(s.lo, hi)
	}
	s.content, s.marker, s.directive = false, false, false
}

func (s *splitter) add(lo, hi int) {
	d := document{lo: lo, hi: hi, text: s.src[lo:hi], bom: -1}
	if at := leadingBOM(d.text); at >= 0 {
		d.bom = lo + at
		if at == 0 {
			d.text = d.text[len(byteOrderMark):]
		} else {
			d.text = append(bytes.Clone(d.text[:at]), d.text[at+len(byteOrderMark):]...)
		}
	}
	if at := contentStart(d.text); at < len(d.text) && d.text[at] == '{' && d.bom <= lo {
		s.addFlow(d, at)
		return
	}
	s.docs = append(s.docs, d)
}

// addFlow adds d, whose content starts with "{" at the given offset of its text, as one document for each of the
// mappings that follow one another without a marker: a stream of JSON values, as kubectl reads it.
func (s *splitter) addFlow(d document, at int) {
	for {
		end := flowEnd(d.text, at)
		if end < 0 {
			break
		}
		next := end
		for next < len(d.text) && isSpace(d.text[next]) {
			next++
		}
		if next >= len(d.text) || d.text[next] != '{' {
			break
		}
		base := d.hi - len(d.text)
		first := d
		first.hi, first.text = base+end, d.text[:end]
		s.docs = append(s.docs, first)
		d = document{lo: base + next, hi: d.hi, text: d.text[next:], bom: -1}
		at = 0
	}
	s.docs = append(s.docs, d)
}

// flowEnd returns the offset past the bracket that closes the one at i, or -1.
func flowEnd(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			i = closingQuote(text, i)
		case '#':
			if i > 0 && isSpace(text[i-1]) {
				i, _ = cutLine(text, i, true)
			}
		}
	}
	return -1
}

// closingQuote is the offset of the double quote that closes the one at i; the text's length without one.
func closingQuote(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// leadingBOM is the offset of a byte order mark before the first content of text, or -1.
func leadingBOM(text []byte) int {
	at := bytes.Index(text, []byte(byteOrderMark))
	if at < 0 || contentStart(text[:at]) < at {
		return -1
	}
	if at == 0 || text[at-1] == '\n' || text[at-1] == '\r' {
		return at
	}
	return -1
}

// contentStart is the offset of the first byte of text that is not blank, a comment, a directive or a marker.
func contentStart(text []byte) int {
	loneCR := hasLoneCR(text)
	marker := false
	for i := 0; i < len(text); {
		end, next := cutLine(text, i, loneCR)
		line := text[i:end]
		if !marker && isMarker(line, "---") {
			marker = true
			i += 3
			line = line[3:]
		} else if !marker && len(line) > 0 && line[0] == '%' {
			i = next
			continue
		}
		if hasContent(line) {
			for isBlank(text[i]) {
				i++
			}
			return i
		}
		i = next
	}
	return len(text)
}

func isMarker(line []byte, marker string) bool {
	return len(line) >= 3 && string(line[:3]) == marker && (len(line) == 3 || isSpace(line[3]))
}

func hasContent(line []byte) bool {
	for _, c := range line {
		if !isSpace(c) {
			return c != '#'
		}
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
