package loader

import (
	"bytes"
	"iter"
)

type tokenKind int

const (
	commentToken tokenKind = iota
	quotedToken
	blockToken
	plainToken    // the first line of a plain scalar
	moreToken     // a further one
	openToken     // "-", "?", "{" or "[": an item, a mapping or a sequence begins
	templateToken // {{ … }} or {% … %} outside quotes, block scalars and comments
)

// token is a lexical piece of YAML, as byte offsets.
type token struct {
	kind     tokenKind
	from, to int
}

// tokens finds the comments, scalars and templates in src. It is not a parser: it also reads what is not YAML (yet), and
// does as well as one can there.
func tokens(src []byte) iter.Seq[token] {
	return func(yield func(token) bool) {
		s := scanner{src: src, parent: -1, loneCR: hasLoneCR(src), yield: yield}
		s.run()
	}
}

type scanner struct {
	src    []byte
	i      int
	line   int  // offset at which the current line starts
	parent int  // column of the key or dash that a value belongs to
	depth  int  // of flow collections
	open   bool // a plain scalar may go on in the next line
	loneCR bool
	done   bool
	yield  func(token) bool
}

func (s *scanner) run() {
	s.startLine(0)
	for s.i < len(s.src) && !s.done {
		switch c := s.src[s.i]; {
		case c == '\n' || c == '\r':
			s.newline()
		case isBlank(c):
			s.i++
		case c == '#' && s.afterBlank():
			s.comment()
		default:
			s.token(c)
		}
	}
}

func (s *scanner) emit(kind tokenKind, from, to int) {
	if !s.done && !s.yield(token{kind, from, to}) {
		s.done = true
	}
}

func (s *scanner) newline() {
	if s.src[s.i] == '\r' && s.i+1 < len(s.src) && s.src[s.i+1] == '\n' {
		s.i++
	}
	s.startLine(s.i + 1)
}

// startLine begins the line at i: a marker, a directive, the next line of a plain scalar, or anything else.
func (s *scanner) startLine(i int) {
	s.i, s.line = i, i
	if bytes.HasPrefix(s.src[i:], []byte(byteOrderMark)) {
		s.i += len(byteOrderMark)
		s.line = s.i
	}
	rest := s.src[s.i:min(s.i+4, len(s.src))]
	if isMarker(rest, "---") || isMarker(rest, "...") {
		s.i += 3
		s.parent, s.depth, s.open = -1, 0, false
		return
	}
	end, _ := cutLine(s.src, s.i, s.loneCR)
	line := s.src[s.i:end]
	switch {
	case s.parent < 0 && !s.open && bytes.HasPrefix(line, []byte{'%'}):
		s.i = end
	case s.open && len(bytes.TrimSpace(line)) > 0:
		s.goOn(line)
	}
}

// goOn reads a line that may belong to a plain scalar.
func (s *scanner) goOn(line []byte) {
	indent := leadingBlanks(line)
	if indent > s.parent && line[indent] != '#' && s.depth == 0 {
		s.i += indent
		s.plain(false)
		return
	}
	s.open = false
}

func (s *scanner) afterBlank() bool {
	return s.i == s.line || isSpace(s.src[s.i-1])
}

func (s *scanner) comment() {
	end, _ := cutLine(s.src, s.i, s.loneCR)
	s.emit(commentToken, s.i, end)
	s.i = end
	s.open = false
}

// token reads what starts with c.
func (s *scanner) token(c byte) {
	if s.indicator(c) {
		s.i++
		return
	}
	switch c {
	case '"', '\'':
		s.quoted(c)
	case '&', '!', '*':
		s.word()
	case '{', '}', '[', ']', ',':
		if c != '{' || !s.template() {
			s.bracket(c)
		}
	case '|', '>':
		if s.depth > 0 || !s.blockHeader() {
			s.plain(true)
		}
	default:
		s.plain(true)
	}
}

// word skips an anchor, a tag or an alias.
func (s *scanner) word() {
	for s.i < len(s.src) && !isSpace(s.src[s.i]) && (s.depth == 0 || !isFlowIndicator(s.src[s.i])) {
		s.i++
	}
}

// indicator handles "-", "?" and ":" where they are not part of a plain scalar.
func (s *scanner) indicator(c byte) bool {
	blankAfter := s.i+1 >= len(s.src) || isSpace(s.src[s.i+1])
	switch c {
	case '-', '?':
		if blankAfter && s.depth == 0 {
			s.parent = s.i - s.line
			s.emit(openToken, s.i, s.i+1)
		}
		return blankAfter
	case ':':
		return blankAfter || s.depth > 0
	}
	return false
}

func (s *scanner) bracket(c byte) {
	switch c {
	case '{', '[':
		s.depth++
		s.emit(openToken, s.i, s.i+1)
	case '}', ']':
		s.depth = max(s.depth-1, 0)
	}
	s.i++
}

func isFlowIndicator(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

// maxTemplate is how far the end of a template is looked for.
const maxTemplate = 1024

// template skips {{ … }} or {% … %}, which may span lines.
func (s *scanner) template() bool {
	rest := s.src[s.i:min(s.i+maxTemplate, len(s.src))]
	closing := "}}"
	if bytes.HasPrefix(rest, []byte("{%")) {
		closing = "%}"
	} else if !bytes.HasPrefix(rest, []byte("{{")) {
		return false
	}
	n := bytes.Index(rest, []byte(closing))
	if n < 0 || bytes.Contains(rest[:n], []byte("\n---")) {
		return false
	}
	s.emit(templateToken, s.i, s.i+n+2)
	s.i += n + 2
	if start := bytes.LastIndexAny(s.src[:s.i], "\r\n") + 1; start > s.line {
		s.line = start
	}
	return true
}

// quoted reads a quoted scalar. One that is never closed ends with its document.
func (s *scanner) quoted(quote byte) {
	from, column := s.i, s.i-s.line
	for s.i++; s.i < len(s.src); s.i++ {
		c := s.src[s.i]
		if c == quote && !s.doubledQuote(quote) {
			s.i++
			s.emit(quotedToken, from, s.i)
			s.keyBefore(column)
			return
		}
		if c == '\\' && quote == '"' || c == quote {
			s.i++
			c = s.src[min(s.i, len(s.src)-1)]
		}
		if c == '\n' || c == '\r' {
			s.line = s.i + 1
			if rest := s.src[min(s.i+1, len(s.src)):min(s.i+5, len(s.src))]; isMarker(rest, "---") || isMarker(rest, "...") {
				break
			}
		}
	}
	s.i = min(s.i, len(s.src))
	s.emit(quotedToken, from, s.i)
}

// doubledQuote reports whether the single quote at s.i is one of two, which stand for one.
func (s *scanner) doubledQuote(quote byte) bool {
	return quote == '\'' && s.i+1 < len(s.src) && s.src[s.i+1] == '\''
}

// keyBefore makes the scalar that ended at s.i, and started at the column, the parent when a colon follows.
func (s *scanner) keyBefore(column int) {
	i := s.i
	for i < len(s.src) && isBlank(s.src[i]) {
		i++
	}
	if s.depth == 0 && i < len(s.src) && s.src[i] == ':' && (i+1 >= len(s.src) || isSpace(s.src[i+1])) {
		s.parent = column
	}
}

// plain reads one line of a plain scalar. mayBeKey is false for its further lines.
func (s *scanner) plain(mayBeKey bool) {
	from, column := s.i, s.i-s.line
	for s.i++; s.i < len(s.src) && !s.endsPlain(mayBeKey); s.i++ {
	}
	kind := plainToken
	if !mayBeKey {
		kind = moreToken
	}
	s.emit(kind, from, from+len(bytes.TrimRight(s.src[from:s.i], " \t")))
	s.open = true
	if mayBeKey && s.i < len(s.src) && s.src[s.i] == ':' {
		s.open = false
		if s.depth == 0 {
			s.parent = column
		}
	}
}

// endsPlain reports whether the byte at s.i, which is not the first, ends a plain scalar's line.
func (s *scanner) endsPlain(mayBeKey bool) bool {
	next := s.next()
	switch c := s.src[s.i]; c {
	case '\n', '\r':
		return true
	case '#':
		return isSpace(s.src[s.i-1])
	case ':':
		return mayBeKey && (isSpace(next) || s.depth > 0 && isFlowIndicator(next))
	case '{':
		return s.depth > 0 || next == '{' || next == '%'
	default:
		return s.depth > 0 && isFlowIndicator(c)
	}
}

// next is the byte after the one at s.i; a line break at the end.
func (s *scanner) next() byte {
	if s.i+1 < len(s.src) {
		return s.src[s.i+1]
	}
	return '\n'
}

// blockHeader reads a block scalar when its header starts here.
func (s *scanner) blockHeader() bool {
	from := s.i
	end, next := cutLine(s.src, from, s.loneCR)
	rest := bytes.TrimLeft(s.src[from+1:end], "+-0123456789")
	if hasContent(rest) || len(rest) > 0 && rest[0] == '#' {
		return false
	}
	if n := bytes.IndexByte(rest, '#'); n >= 0 {
		s.emit(commentToken, end-len(rest)+n, end)
	}
	to := end
	for next < len(s.src) {
		lineEnd, after := cutLine(s.src, next, s.loneCR)
		if s.endsBlock(s.src[next:lineEnd]) {
			break
		}
		to, next = lineEnd, after
	}
	s.emit(blockToken, from, to)
	s.open = false
	if next >= len(s.src) {
		s.i = len(s.src)
		return true
	}
	s.startLine(next)
	return true
}

func (s *scanner) endsBlock(line []byte) bool {
	return isMarker(line, "---") || isMarker(line, "...") ||
		len(bytes.TrimSpace(line)) > 0 && leadingBlanks(line) <= s.parent
}

// hasTemplateSyntax reports whether text has template syntax where YAML has structure: not in a comment, a block scalar
// or a quoted string.
func hasTemplateSyntax(text []byte) bool {
	if !bytes.Contains(text, []byte("{{")) && !bytes.Contains(text, []byte("{%")) {
		return false
	}
	for t := range tokens(text) {
		if t.kind == templateToken {
			return true
		}
	}
	return false
}
