package reach

import (
	"strconv"
	"strings"
)

// value evaluates an expression that makes a string out of literals, the environment, the arguments and variables that are
// assigned once; ok is false for any other.
func (c *code) value(e expression, depth int) (string, bool) {
	e = c.trimmed(e)
	*c.steps--
	if e.from >= e.to || depth > 8 || *c.steps < 0 {
		return "", false
	}
	for _, or := range [...]string{" or ", "||", "??"} {
		if parts := c.split(e, or); len(parts) == 2 {
			if v, ok := c.value(parts[0], depth+1); ok && v != "" {
				return v, !tainted(v)
			} else if !c.unset(parts[0]) {
				return "", false
			}
			return c.value(parts[1], depth+1)
		}
	}
	joint := "+"
	if inList("php perl", c.language) {
		joint = "."
	}
	if parts := c.split(e, joint); len(parts) > 1 && !c.numberOrCall(e, joint) {
		return c.joined(parts, depth)
	}
	return c.atom(e, depth)
}

// numberOrCall reports a "." that joins nothing: a decimal point, or a method of PHP's kin.
func (c *code) numberOrCall(e expression, joint string) bool {
	return joint == "." && !strings.ContainsAny(c.bare[e.from:e.to], "'\"")
}

func (c *code) joined(parts []expression, depth int) (string, bool) {
	var b strings.Builder
	for _, p := range parts {
		v, ok := c.value(p, depth+1)
		if !ok || b.Len() > maxLiteral {
			return "", false
		}
		b.WriteString(v)
	}
	return b.String(), true
}

// atom evaluates an expression that is not joined of others.
func (c *code) atom(e expression, depth int) (string, bool) {
	text := c.text[e.from:e.to]
	if digits(text) {
		return text, true
	}
	if v, ok, is := c.stringLiteral(e, depth); is {
		return v, ok
	}
	if name, fallback, ok := c.environment(e); ok {
		return c.variable(name, fallback, depth)
	}
	if i, ok := c.argument(text); ok {
		if i < 0 || i >= len(c.argv) || tainted(c.argv[i]) {
			return "", false
		}
		return c.argv[i], true
	}
	if inner, ok := c.conversion(e); ok {
		return c.value(inner, depth+1)
	}
	name := strings.TrimLeft(text, "$@")
	if simpleName(name) {
		if at, ok := c.assigned(name); ok {
			return c.value(at, depth+1)
		}
	}
	return "", false
}

func simpleName(s string) bool { return s != "" && name(s) }

// variable reads a variable of the environment, or evaluates the default given for it.
func (c *code) variable(name string, fallback *expression, depth int) (string, bool) {
	if v, set := c.env(name); set {
		return v, !tainted(v)
	}
	if fallback == nil {
		return "", false
	}
	return c.value(*fallback, depth+1)
}

// unset reports an expression that reads a variable which nothing sets.
func (c *code) unset(e expression) bool {
	name, _, ok := c.environment(e)
	if !ok {
		return false
	}
	v, set := c.env(name)
	return !set || v == ""
}

// conversion looks through str(x), int(x), URI(x), new URL(x), Request(x), x.strip() and their kin.
func (c *code) conversion(e expression) (expression, bool) {
	text := c.text[e.from:e.to]
	for _, f := range [...]string{
		"str(", "int(", "String(", "Number(", "parseInt(", "Integer(", "URI(", "URI.parse(", "new URL(", "Request(", "urllib.request.Request(", "request.Request(", "u.Request(", "(", "[",
		"pika.ConnectionParameters(", "ConnectionParameters(", "pika.URLParameters(", "URLParameters(",
	} {
		if strings.HasPrefix(text, f) && c.callEnd(e.from+len(f)) == e.to-1 {
			if parts := c.split(expression{e.from + len(f), e.to - 1}, ","); len(parts) > 0 {
				_, value := c.keyed(parts[0])
				return value, true
			}
		}
	}
	for _, f := range [...]string{".strip()", ".to_i", ".to_s", ".trim()", ".chomp"} {
		if strings.HasSuffix(text, f) {
			return expression{e.from, e.to - len(f)}, true
		}
	}
	return expression{}, false
}

// assigned finds the only assignment to a variable.
func (c *code) assigned(name string) (expression, bool) {
	var found []expression
	for _, at := range c.uses(name) {
		i := at + len(name)
		for i < len(c.bare) && c.bare[i] == ' ' {
			i++
		}
		if i+1 >= len(c.bare) || c.bare[i] != '=' || strings.IndexByte("=~>", c.bare[i+1]) >= 0 || c.inCall(at) {
			continue
		}
		found = append(found, expression{i + 1, c.statementEnd(i + 1)})
	}
	if len(found) != 1 {
		return expression{}, false
	}
	return found[0], true
}

// statementEnd is where the statement ends that goes on at offset i.
func (c *code) statementEnd(i int) int {
	for depth := 0; i < len(c.bare) && (depth > 0 || c.bare[i] != '\n' && c.bare[i] != ';'); i++ {
		switch c.bare[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return i
}

// inCall reports that a name at an offset stands among the arguments of a call, where = gives a parameter its value.
func (c *code) inCall(at int) bool {
	i := at - 1
	for i >= 0 && strings.IndexByte(" \t\n$", c.bare[i]) >= 0 {
		i--
	}
	return i >= 0 && (c.bare[i] == '(' || c.bare[i] == ',')
}

// stringLiteral evaluates a quoted string; is reports whether e is one.
func (c *code) stringLiteral(e expression, depth int) (v string, ok, is bool) {
	from := e.from
	for from < e.to && strings.IndexByte("rbfuRBFU", c.text[from]) >= 0 && c.language == "python" {
		from++
	}
	prefix := strings.ToLower(c.text[e.from:from])
	quote := ""
	if from < e.to {
		quote = c.quote(from)
	}
	if quote == "" {
		return "", false, false
	}
	end := closing(c.text, from+len(quote), quote)
	inner := expression{from + len(quote), end}
	switch {
	case end+len(quote) > len(c.text) || end+len(quote) > e.to:
		return "", false, true
	case end+len(quote) < e.to: // something is done with the string
		v, ok = c.formatted(c.text[inner.from:inner.to], c.trimmed(expression{end + len(quote), e.to}), depth)
		return v, ok, c.text[end+len(quote)] != '['
	}
	open := c.hole(quote, prefix)
	if open == "" {
		text := c.text[inner.from:inner.to]
		return text, !strings.Contains(text, `\`), true
	}
	v, ok = c.filled(inner, open, depth)
	return v, ok, true
}

// formatted evaluates "%s:%d" % (x, y) and "{}:{}".format(x, y).
func (c *code) formatted(text string, rest expression, depth int) (string, bool) {
	var marks []string
	tail := c.text[rest.from:rest.to]
	switch {
	case strings.HasPrefix(tail, "%"):
		rest.from++
		rest = c.trimmed(rest)
		if rest.from < rest.to && c.bare[rest.from] == '(' && c.callEnd(rest.from+1) == rest.to-1 {
			rest = expression{rest.from + 1, rest.to - 1}
		}
		marks = []string{"%s", "%d"}
	case strings.HasPrefix(tail, ".format(") && c.callEnd(rest.from+len(".format(")) == rest.to-1:
		rest = expression{rest.from + len(".format("), rest.to - 1}
		marks = []string{"{}"}
	default:
		return "", false
	}
	for _, part := range c.split(rest, ",") {
		v, ok := c.value(part, depth+1)
		at, n := firstMark(text, marks)
		if !ok || at < 0 {
			return "", false
		}
		text = text[:at] + v + text[at+n:]
	}
	at, _ := firstMark(text, marks)
	return text, at < 0 && !strings.ContainsAny(text, "%{")
}

// firstMark finds the first of marks in text, and its length.
func firstMark(text string, marks []string) (at, n int) {
	at = -1
	for _, m := range marks {
		if i := strings.Index(text, m); i >= 0 && (at < 0 || i < at) {
			at, n = i, len(m)
		}
	}
	return at, n
}

// hole is what opens a placeholder inside a string of the language.
func (c *code) hole(quote, prefix string) string {
	switch {
	case c.language == "python" && strings.Contains(prefix, "f"):
		return "{"
	case c.language == "node" && quote == "`":
		return "${"
	case c.language == "ruby" && quote == `"`:
		return "#{"
	case inList("php perl", c.language) && quote == `"`:
		return "$"
	}
	return ""
}

// filled evaluates a string with placeholders.
func (c *code) filled(e expression, open string, depth int) (string, bool) {
	var b strings.Builder
	for i := e.from; i < e.to; {
		if !strings.HasPrefix(c.text[i:e.to], open) {
			b.WriteByte(c.text[i])
			i++
			continue
		}
		if open == "$" {
			return "", false
		}
		end := strings.IndexByte(c.text[i:e.to], '}')
		if end < 0 {
			return "", false
		}
		inner := *c
		inner.bare = inner.unmasked(i+len(open), i+end)
		v, ok := inner.value(expression{i + len(open), i + end}, depth+1)
		if !ok {
			return "", false
		}
		b.WriteString(v)
		i += end + 1
	}
	return b.String(), true
}

// unmasked is bare with the text of a placeholder put back.
func (c *code) unmasked(from, to int) string {
	sub := code{language: c.language, text: c.text[from:to]}
	return c.bare[:from] + sub.mask() + c.bare[to:]
}

// environment reads os.environ["X"], os.getenv("X", "default"), process.env.X, ENV["X"] and their kin.
func (c *code) environment(e expression) (name string, fallback *expression, ok bool) {
	text := c.text[e.from:e.to]
	for _, form := range [...]string{
		"os.environ[", "os.environ.get(", "os.getenv(", "environ[", "environ.get(", "getenv(", "ENV[", "ENV.fetch(", "$ENV{", "$_ENV[", "$_SERVER[", "process.env[", "Deno.env.get(",
	} {
		if !strings.HasPrefix(text, form) || c.callEnd(e.from+len(form)) != e.to-1 {
			continue
		}
		parts := c.split(expression{e.from + len(form), e.to - 1}, ",")
		if len(parts) == 0 {
			return "", nil, false
		}
		if len(parts) > 1 {
			fallback = &parts[1]
		}
		return strings.Trim(c.text[parts[0].from:parts[0].to], "'\" "), fallback, true
	}
	if rest, found := strings.CutPrefix(text, "process.env."); found && simpleName(rest) {
		return rest, nil, true
	}
	return "", nil, false
}

// argument reads sys.argv[1], process.argv[2], ARGV[0] and $argv[1] as an index into the process's arguments.
func (c *code) argument(text string) (int, bool) {
	for _, form := range [...]struct {
		open  string
		shift int
	}{{"sys.argv[", 0}, {"process.argv[", -1}, {"ARGV[", 1}, {"$ARGV[", 1}, {"$argv[", 0}} {
		if rest, ok := strings.CutPrefix(text, form.open); ok {
			if n, err := strconv.Atoi(strings.TrimSuffix(rest, "]")); err == nil {
				return n + form.shift, true
			}
		}
	}
	return 0, false
}
