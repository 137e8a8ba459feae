package reach

import (
	"slices"
	"strings"
)

// keyed splits NAME=value, NAME: value and NAME => value.
func (c *code) keyed(e expression) (string, expression) {
	for _, sign := range [...]string{"=>", ":", "="} {
		parts := c.split(e, sign)
		if len(parts) < 2 {
			continue
		}
		key := strings.ToLower(strings.Trim(c.text[parts[0].from:parts[0].to], "'\": "))
		if simpleName(key) {
			return key, expression{parts[1].from, e.to}
		}
	}
	return "", e
}

// arguments flattens the arguments of a call: nested brackets, named ones by name, the others in order.
func (c *code) arguments(e expression) (positional []expression, named map[string]expression) {
	named = map[string]expression{}
	for _, part := range c.split(e, ",") {
		part = c.record(part)
		if strings.IndexByte("({[", c.bare[part.from]) >= 0 && c.callEnd(part.from+1) == part.to-1 {
			inner, keys := c.arguments(expression{part.from + 1, part.to - 1})
			positional = slices.Concat(positional, inner)
			for k, v := range keys {
				named[k] = v
			}
			continue
		}
		key, value := c.keyed(part)
		if key == "" {
			positional = append(positional, part)
		} else {
			named[key] = value
		}
	}
	return positional, named
}

// record looks up a variable that holds named values: const options = {host: "…"}.
func (c *code) record(e expression) expression {
	if !simpleName(c.text[e.from:e.to]) {
		return e
	}
	at, ok := c.assigned(c.text[e.from:e.to])
	if !ok {
		return e
	}
	if at = c.trimmed(at); at.from < at.to && c.bare[at.from] == '{' && c.callEnd(at.from+1) == at.to-1 {
		return at
	}
	return e
}
