package reach

import (
	"strings"
)

// code is a program in a language that is not run: what it may contact, and what happens when that fails, is read off its text.
type code struct {
	language string // "python", "node", "php", "perl", "ruby", "" for any other
	text     string
	// bare is text with comments and the insides of strings blanked: the same length, so that offsets hold in both.
	bare string
	argv []string // of the process, the program's own file first
	env  func(string) (string, bool)
	// steps counts down the evaluations that are left.
	steps *int
}

// Bounds of what is read off one program.
const (
	maxEvaluations = 20000
	maxConnections = 64
	maxLiteral     = 4096
)

func newCode(program, text string, argv []string, env func(string) (string, bool)) *code {
	steps := maxEvaluations
	c := &code{text: text, argv: argv, env: env, steps: &steps}
	switch strings.TrimRight(program, "0123456789.") {
	case "python", "pypy":
		c.language = "python"
	case "node", "nodejs", "bun", "deno":
		c.language = "node"
	case "ruby", "rails", "rake":
		c.language = "ruby"
	case "php", "perl":
		c.language = program
	}
	c.bare = c.mask()
	return c
}

// mask blanks comments and the insides of strings.
func (c *code) mask() string {
	out := []byte(c.text)
	for i := 0; i < len(out); {
		if n := c.comment(i); n > 0 {
			blank(out[i:min(i+n, len(out))])
			i += n
			continue
		}
		quote := c.quote(i)
		if quote == "" {
			i++
			continue
		}
		end := closing(c.text, i+len(quote), quote)
		blank(out[i+len(quote) : end])
		i = end + len(quote)
	}
	return string(out)
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// comment gives the length of the comment at offset i, or 0.
func (c *code) comment(i int) int {
	s := c.text[i:]
	line := strings.IndexByte(s, '\n')
	if line < 0 {
		line = len(s)
	}
	switch {
	case s[0] == '#' && c.language != "node" && (c.language != "perl" || i == 0 || c.text[i-1] != '$'):
		return line
	case strings.HasPrefix(s, "//") && inList("node php", c.language):
		return line
	case strings.HasPrefix(s, "/*") && inList("node php", c.language):
		end := strings.Index(s[2:], "*/")
		if end < 0 {
			return len(s)
		}
		return end + 4
	}
	return 0
}

// quote gives the quotation mark that opens a string at offset i.
func (c *code) quote(i int) string {
	s := c.text[i:]
	switch {
	case c.language == "python" && (strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, "'''")):
		return s[:3]
	case s[0] == '"' || s[0] == '\'':
		return s[:1]
	case s[0] == '`' && inList("node ruby", c.language):
		return s[:1]
	}
	return ""
}

// closing finds the quotation mark that ends a string begun before offset i; the end of the text where none does.
func closing(s string, i int, quote string) int {
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], quote):
			return i
		}
	}
	return len(s)
}

// callEnd gives the offset of the bracket that closes the one before offset i.
func (c *code) callEnd(i int) int {
	depth := 1
	for ; i < len(c.bare); i++ {
		switch c.bare[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return len(c.bare)
}

// expression is a part of the text.
type expression struct{ from, to int }

// trimmed drops blanks at both ends.
func (c *code) trimmed(e expression) expression {
	for e.from < e.to && strings.IndexByte(" \t\r\n", c.text[e.from]) >= 0 {
		e.from++
	}
	for e.to > e.from && strings.IndexByte(" \t\r\n", c.text[e.to-1]) >= 0 {
		e.to--
	}
	return e
}

// split cuts e at separators outside strings and brackets.
func (c *code) split(e expression, separator string) []expression {
	var out []expression
	depth, from := 0, e.from
	for i := e.from; i < e.to; i++ {
		switch c.bare[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth == 0 && strings.HasPrefix(c.bare[i:e.to], separator) {
			out = append(out, c.trimmed(expression{from, i}))
			from = i + len(separator)
			i = from - 1
		}
	}
	if last := c.trimmed(expression{min(from, e.to), e.to}); last.from < last.to {
		out = append(out, last)
	}
	return out
}

// uses lists the offsets at which word stands alone in the code.
func (c *code) uses(word string) []int {
	var out []int
	if word == "" {
		return nil
	}
	for from := 0; ; {
		at := strings.Index(c.bare[from:], word)
		if at < 0 {
			return out
		}
		at += from
		from = at + len(word)
		if (at == 0 || !wordByte(c.bare[at-1]) || !wordByte(word[0])) && (from == len(c.bare) || !wordByte(c.bare[from]) || !wordByte(word[len(word)-1])) {
			out = append(out, at)
		}
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// word reads the name at offset i.
func (c *code) word(i int) string {
	end := i
	for end < len(c.bare) && wordByte(c.bare[end]) {
		end++
	}
	return c.bare[i:end]
}
