package rules

import "bytes"

// prune blanks the rules of a lib that none of users, nor a rule they use, mentions: a run over restart policies needs a
// tenth of the lib. It goes by words, so it keeps too much rather than too little, and relies on "opa fmt", after which
// only the first line of a rule begins with a letter. A lib used in another way than lib.name is left whole.
func prune(lib []byte, users [][]byte) []byte {
	wanted := map[string]bool{"package": true, "import": true}
	for _, text := range users {
		if !plainUse(text) {
			return lib
		}
		for _, after := range bytes.Split(text, []byte("lib."))[1:] {
			wanted[string(firstWord(after))] = true
		}
	}
	blocks := split(lib)
	for grown := true; grown; {
		grown = false
		for i := range blocks {
			if b := &blocks[i]; !b.kept && wanted[b.name] {
				b.kept, grown = true, true
				addWords(wanted, b.text)
			}
		}
	}
	out := make([]byte, 0, len(lib))
	for _, b := range blocks {
		if b.kept || b.name == "" {
			out = append(out, b.text...)
			continue
		}
		out = append(out, bytes.Repeat([]byte("\n"), bytes.Count(b.text, []byte("\n")))...)
	}
	return out
}

// plainUse reports whether text uses the lib, if it does, as lib.name only.
func plainUse(text []byte) bool {
	uses := bytes.Count(text, []byte("policies.lib"))
	return uses == bytes.Count(text, []byte("import data.policies.lib\n")) && !bytes.Contains(text, []byte("lib["))
}

// block is one rule of a lib, or its package or import line; what stands above them all has no name.
type block struct {
	name string
	text []byte
	kept bool
}

func split(lib []byte) []block {
	blocks := []block{{}}
	for line := range bytes.Lines(lib) {
		if name := firstWord(bytes.TrimPrefix(line, []byte("default "))); len(name) > 0 {
			blocks = append(blocks, block{name: string(name)})
		}
		last := &blocks[len(blocks)-1]
		last.text = append(last.text, line...)
	}
	return blocks
}

// firstWord returns the identifier that text begins with.
func firstWord(text []byte) []byte {
	n := 0
	for n < len(text) && wordByte(text[n]) {
		n++
	}
	return text[:n]
}

// addWords adds the words of text to words, those in strings and comments left out.
func addWords(words map[string]bool, text []byte) {
	for len(text) > 0 {
		n := len(firstWord(text))
		if n == 0 {
			text = text[other(text):]
			continue
		}
		words[string(text[:n])] = true
		text = text[n:]
	}
}

// other returns the length of what text begins with: a string, a comment, or one byte.
func other(text []byte) int {
	switch text[0] {
	case '#':
		return until(text, '\n')
	case '`':
		return until(text, '`')
	case '"':
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(text)
	}
	return 1
}

// until returns the length of text up to and with the next end after its first byte.
func until(text []byte, end byte) int {
	if i := bytes.IndexByte(text[1:], end); i >= 0 {
		return i + 2
	}
	return len(text)
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
