package loader

import "bytes"

// atPlaceholder reports whether the parser gave up at offset at of text, or on the line before, because of a placeholder that a
// program fills in: ${words} of Terraform or envsubst and {words} of Python, alone on a line or in the middle of a value, where
// the mapping that YAML takes it for cannot stand.
func atPlaceholder(text []byte, at int) bool {
	at = min(max(at, 0), len(text))
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	end, _ := cutLine(text, start, true)
	before := bytes.TrimRight(text[:start], " \t\r\n")
	before = bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])
	return unfilled(text[start:end]) || fills(before)
}

// unfilled looks for a placeholder in a line outside comments and quotes.
func unfilled(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte(" #"))
	line = bytes.TrimSpace(line)
	if fills(line) {
		return true
	}
	if bytes.HasPrefix(line, []byte("#")) || bytes.IndexByte(line, '\'') >= 0 {
		return false
	}
	for {
		before, rest, opened := bytes.Cut(line, []byte("{"))
		inside, after, closed := bytes.Cut(rest, []byte("}"))
		if !opened || !closed {
			return false
		}
		if named(inside, bytes.HasSuffix(before, []byte("$"))) && (bytes.IndexByte(inside, '[') > 0 || len(after) > 0 && isPartOfWord(after[0])) {
			return true
		}
		line = after
	}
}

// fills reports whether a line is a placeholder and nothing else.
func fills(line []byte) bool {
	if !bytes.HasSuffix(line, []byte("}")) {
		return false
	}
	return bytes.HasPrefix(line, []byte("${")) || bytes.HasPrefix(line, []byte("{")) && named(line[1:len(line)-1], false)
}

// named reports whether the text between the braces is a name such as images[server] or self.path, or after a dollar sign any
// expression.
func named(inside []byte, dollar bool) bool {
	return len(inside) > 0 && (dollar || !bytes.ContainsAny(inside, " \t:,\"'{}"))
}

func isPartOfWord(c byte) bool {
	return bytes.IndexByte([]byte("-_./"), c) >= 0 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
