package facts

import (
	"strings"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// composeText is a scalar after Compose's interpolation; what comes from outside the file is a reach.Hole, and known is false.
func composeText(n loader.Node) (text string, known bool) {
	if n.Type() == loader.Opaque {
		return reach.Hole, false
	}
	text = interpolate(n.Text(), 0)
	return text, !strings.Contains(text, reach.Hole)
}

// shownText is composeText as people and rules see it.
func shownText(n loader.Node) (text string, known bool) {
	text, known = composeText(n)
	return withoutHoles(text), known
}

func withoutHoles(text string) string { return strings.ReplaceAll(text, reach.Hole, "…") }

// interpolate replaces the variables of a text as Compose does: $$ is a dollar, $X and ${X} are holes, and a default (${X:-d},
// ${X-d}) stands for its variable, since that is what the file deploys by itself.
func interpolate(text string, depth int) string {
	if !strings.Contains(text, "$") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		switch c := text[i+1]; {
		case c == '$':
			b.WriteByte('$')
			i += 2
		case c == '{':
			end := closingBrace(text, i+2)
			b.WriteString(variable(text[i+2:end], depth))
			i = min(end+1, len(text))
		case isNameByte(c):
			i += 2
			for i < len(text) && isNameByte(text[i]) {
				i++
			}
			b.WriteString(reach.Hole)
		default:
			b.WriteByte('$')
			i++
		}
	}
	return b.String()
}

// variable is the value of what stands between ${ and }.
func variable(expression string, depth int) string {
	end := 0
	for end < len(expression) && isNameByte(expression[end]) {
		end++
	}
	rest := strings.TrimPrefix(expression[end:], ":")
	if depth > 10 || !strings.HasPrefix(rest, "-") {
		return reach.Hole
	}
	return interpolate(rest[1:], depth+1)
}

// closingBrace is the offset of the brace that closes the one before from.
func closingBrace(text string, from int) int {
	open := 1
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '{':
			open++
		case '}':
			open--
		}
		if open == 0 {
			return i
		}
	}
	return len(text)
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
