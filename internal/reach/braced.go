package reach

import "strings"

// block is a { } block of a program: what stands before it, and its inside.
type block struct {
	head string
	expression
	at int // offset of the head
}

// blocks lists the { } blocks around an offset, innermost first.
func (c *code) blocks(at int) []block {
	var open []block
	var out []block
	for i := 0; i < len(c.bare) && i < at; i++ {
		switch c.bare[i] {
		case '{':
			from := strings.LastIndexAny(c.bare[:i], ";{}\n") + 1
			open = append(open, block{head: strings.TrimSpace(c.bare[from:i]), expression: expression{i + 1, 0}, at: from})
		case '}':
			open = open[:max(len(open)-1, 0)]
		}
	}
	for i := len(open) - 1; i >= 0; i-- {
		b := open[i]
		b.to = c.callEnd(b.from)
		out = append(out, b)
	}
	return out
}

// bracedFate says what a program with { } blocks does when the call at an offset fails: Node, PHP, Perl.
func (c *code) bracedFate(at int) (fate, int) {
	for _, b := range c.blocks(at) {
		switch f, status := c.bracedEnclosed(b); f {
		case propagates:
		default:
			return f, status
		}
	}
	if c.language == "node" {
		return c.eventFate()
	}
	return fails, uncaught
}

// bracedEnclosed says what a block does with a failure inside it.
func (c *code) bracedEnclosed(b block) (fate, int) {
	head := b.head
	switch {
	case strings.HasPrefix(head, "if") && strings.Contains(head, "require.main"):
		return propagates, 0
	case strings.HasPrefix(head, "if"), strings.HasPrefix(head, "else"), strings.HasPrefix(head, "switch"), strings.HasPrefix(head, "catch"), strings.HasPrefix(head, "unless"),
		strings.HasPrefix(head, "eval"), strings.Contains(head, ".on("), strings.Contains(head, ".then("), strings.Contains(head, ".catch("), strings.Contains(head, "else if"):
		return tolerates, 0
	case head == "try" || strings.HasSuffix(head, " try"):
		body, ok := c.catchBlock(b.to)
		if !ok {
			return propagates, 0
		}
		return c.handled(body)
	case strings.Contains(head, "function "):
		_, rest, _ := strings.Cut(head, "function ")
		if name := strings.TrimSpace(firstOf(rest, "(")); name != "" && len(c.uses(name)) < 2 {
			return tolerates, 0 // nobody calls it
		}
	}
	return propagates, 0
}

// catchBlock finds the catch block behind the try block that ends at offset i.
func (c *code) catchBlock(i int) (expression, bool) {
	rest := strings.TrimLeft(c.bare[min(i+1, len(c.bare)):], " \n\t\r")
	if !strings.HasPrefix(rest, "catch") {
		return expression{}, false
	}
	from := len(c.bare) - len(rest)
	open := strings.IndexByte(rest, '{')
	if open < 0 {
		return expression{}, false
	}
	return expression{from + open + 1, c.callEnd(from + open + 1)}, true
}

// eventFate reads the handlers of a Node program: an error event or a rejection that nobody handles ends it with status 1. Every handler
// must plainly end it, since the text does not say which one gets the failure.
func (c *code) eventFate() (fate, int) {
	status := 1
	for _, body := range c.eventHandlers() {
		f, n := c.handled(body)
		if f == tolerates {
			return tolerates, 0
		}
		if f == fails {
			status = n
		}
	}
	return fails, status
}

// eventHandlers lists what is given to .on("error", …), .once("error", …) and .catch(…).
func (c *code) eventHandlers() []expression {
	var out []expression
	for _, name := range [...]string{".on(", ".once(", ".addListener(", ".catch("} {
		for from := 0; ; {
			at := strings.Index(c.bare[from:], name)
			if at < 0 {
				break
			}
			from += at + len(name)
			args := c.split(expression{from, c.callEnd(from)}, ",")
			if name != ".catch(" {
				if len(args) < 2 || strings.Trim(c.text[args[0].from:args[0].to], "\"'`") != "error" {
					continue
				}
				args = args[1:]
			}
			if len(args) > 0 {
				out = append(out, c.handlerBody(args[0]))
			}
		}
	}
	return out
}

// handlerBody looks a handler up that is given by its name.
func (c *code) handlerBody(e expression) expression {
	name := c.bare[e.from:e.to]
	if !simpleName(name) {
		return e
	}
	if at, ok := c.assigned(name); ok {
		return at
	}
	for _, at := range c.uses(name) {
		if c.defines(at) {
			if open := strings.IndexByte(c.bare[at:], '{'); open >= 0 {
				return expression{at + open + 1, c.callEnd(at + open + 1)}
			}
		}
	}
	return e
}
