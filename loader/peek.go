package loader

import "bytes"

// shape is the form of a document's root.
type shape int

const (
	blockMap  shape = iota
	flowMap         // JSON, KYAML
	otherRoot       // a sequence or a scalar
	template        // starts with {{ or {%
	unsure          // only parsing will tell
)

// head is what the top-level keys of a document say about it, found without parsing.
type head struct {
	shape            shape
	apiVersion, kind string
	hasAPIVersion    bool
	hasKind          bool
	from             int // offset in the file of the first key
	kindAt, kindTo   int // of the "kind" key
	listed           bool
	templated        bool // apiVersion or kind is a template
	wanted           bool // has one of Options.Keys
	services         bool // has "services", as Compose files do
}

// peek reads the head of d.
func peek(d document, keys []string) head {
	text := d.text
	at := contentStart(text)
	base := d.hi - len(text)
	h := head{from: base + at, kindAt: base + at, kindTo: base + at}
	if at >= len(text) {
		h.shape = otherRoot
		return h
	}
	switch c := text[at]; {
	case bytes.HasPrefix(text[at:], []byte("{{")), bytes.HasPrefix(text[at:], []byte("{%")):
		h.shape = template
	case c == '{':
		h.shape = flowMap
	case c == '[', c == '-' && at+1 < len(text) && isSpace(text[at+1]), c == '|', c == '>':
		h.shape = otherRoot
	case c == '&', c == '!', c == '?', c == '<':
		h.shape = unsure
	default:
		h.scan(d, at, keys)
	}
	return h
}

// scan reads the keys at the indentation of the first one.
func (h *head) scan(d document, at int, keys []string) {
	text := d.text
	loneCR := hasLoneCR(text)
	start := bytes.LastIndexAny(text[:at], "\r\n") + 1
	indent := at - start
	if bytes.HasPrefix(text[start:], []byte("---")) {
		h.shape = unsure // "--- key: value" is an error, "--- text" a scalar
		return
	}
	found := false
	for i := start; i < len(text); {
		end, next := cutLine(text, i, loneCR)
		line := text[i:end]
		if len(line) > indent && leadingBlanks(line) == indent {
			key, value, ok := cutKey(line[indent:])
			switch {
			case ok:
				found = true
				width := len(key)
				if line[indent] == '"' || line[indent] == '\'' {
					width += 2
				}
				h.key(key, value, d.hi-len(text)+i+indent, width, keys)
			case line[indent] == '?', line[indent] == '!', bytes.HasPrefix(line[indent:], []byte("<<")):
				h.shape = unsure
			}
		}
		i = next
	}
	if !found {
		h.shape = otherRoot
	}
}

func (h *head) key(key string, value []byte, at, width int, keys []string) {
	switch key {
	case "apiVersion":
		h.hasAPIVersion = true
		h.apiVersion = h.headValue(value)
	case "kind":
		h.hasKind = true
		h.kindAt, h.kindTo = at, at+width
		h.kind = h.headValue(value)
	case "items", "objects":
		h.listed = true
	case "services":
		h.services = true
	case "<<":
		h.shape = unsure
	}
	for _, k := range keys {
		if k == key {
			h.wanted = true
		}
	}
}

// headValue reads the scalar after "apiVersion:" or "kind:".
func (h *head) headValue(value []byte) string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '"', '\'':
		if n := bytes.IndexByte(value[1:], value[0]); n >= 0 {
			return string(value[1 : 1+n])
		}
		return ""
	case '#':
		return ""
	case '{':
		h.templated = h.templated || bytes.HasPrefix(value, []byte("{{"))
		h.shape = unsure
		return ""
	case '&', '*', '!', '|', '>', '[':
		h.shape = unsure
		return ""
	}
	if n := bytes.Index(value, []byte(" #")); n >= 0 {
		value = bytes.TrimSpace(value[:n])
	}
	return string(value)
}

// cutKey splits a line that starts a mapping entry into its key and the text after the colon.
func cutKey(line []byte) (key string, value []byte, ok bool) {
	switch c := line[0]; {
	case c == '"' || c == '\'':
		return cutQuotedKey(line)
	case c == '-' && len(line) > 1 && !isSpace(line[1]):
	case bytes.IndexByte([]byte("#-{[?!&*%@`|>}],"), c) >= 0:
		return "", nil, false
	}
	for i := 0; i < len(line); i++ {
		n := bytes.IndexByte(line[i:], ':')
		if n < 0 {
			break
		}
		i += n
		if i+1 == len(line) || isBlank(line[i+1]) {
			return string(bytes.TrimRight(line[:i], " \t")), line[i+1:], true
		}
	}
	return "", nil, false
}

func cutQuotedKey(line []byte) (key string, value []byte, ok bool) {
	n := bytes.IndexByte(line[1:], line[0])
	if n < 0 {
		return "", nil, false
	}
	rest := bytes.TrimLeft(line[n+2:], " \t")
	if len(rest) == 0 || rest[0] != ':' {
		return "", nil, false
	}
	return string(line[1 : 1+n]), rest[1:], true
}

func leadingBlanks(line []byte) int {
	for i, c := range line {
		if c != ' ' {
			return i
		}
	}
	return len(line)
}
