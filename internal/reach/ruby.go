package reach

import "strings"

// rubyFrame is a Ruby block that ends with "end".
type rubyFrame struct {
	kind string
	name string // of a method
}

// rubyStatements cuts the code at line ends and semicolons.
func (c *code) rubyStatements() []expression {
	var out []expression
	from := 0
	for i := 0; i <= len(c.bare); i++ {
		if i == len(c.bare) || c.bare[i] == '\n' || c.bare[i] == ';' {
			if e := c.trimmed(expression{from, i}); e.from < e.to {
				out = append(out, e)
			}
			from = i + 1
		}
	}
	return out
}

// rubyFate follows an exception outwards through the blocks that enclose it.
func (c *code) rubyFate(at int) (fate, int) {
	var open []rubyFrame
	statements := c.rubyStatements()
	here := len(statements)
	for i, s := range statements {
		if s.from > at {
			break
		}
		here = i
		if s.to > at {
			if _, handler, ok := strings.Cut(c.bare[at:s.to], " rescue "); ok {
				return c.handled(expression{s.to - len(handler), s.to})
			}
		}
		open = c.rubyStep(open, s)
	}
	for len(open) > 0 {
		top := open[len(open)-1]
		open = open[:len(open)-1]
		if f, status := c.rubyEnclosed(top, statements, here); f != propagates {
			return f, status
		}
	}
	return fails, 1
}

// rubyStep opens and closes blocks.
func (c *code) rubyStep(open []rubyFrame, s expression) []rubyFrame {
	text := c.bare[s.from:s.to]
	kind := rubyOpener(text)
	switch {
	case kind != "":
		f := rubyFrame{kind: kind}
		if kind == "def" {
			f.name = strings.FieldsFunc(strings.TrimPrefix(text, "def ")+" ", func(r rune) bool { return strings.ContainsRune(" (", r) })[0]
		}
		return append(open, f)
	case rubyEnd(text):
		return open[:max(len(open)-1, 0)]
	}
	return open
}

func rubyOpener(text string) string {
	first, _, _ := strings.Cut(text, " ")
	switch first {
	case "begin", "def", "if", "unless", "case", "while", "until", "for", "class", "module":
		if !strings.HasSuffix(text, " end") && text != first || first == "begin" || first == "case" {
			return first
		}
		return ""
	}
	for _, word := range [...]string{"begin", "if", "case"} {
		if _, rest, ok := strings.Cut(text, "= "+word); ok && (rest == "" || rest[0] == ' ') {
			return word
		}
	}
	if strings.HasSuffix(text, " do") || strings.Contains(text, " do |") {
		return "do"
	}
	return ""
}

// rubyEnclosed says what the block does with an exception at statement here.
func (c *code) rubyEnclosed(f rubyFrame, statements []expression, here int) (fate, int) {
	switch f.kind {
	case "if", "unless", "case":
		return tolerates, 0
	case "def":
		if len(c.uses(f.name)) < 2 {
			return tolerates, 0
		}
	}
	result, status := propagates, 0
	for _, b := range c.rubyRescues(statements[here+1:]) {
		fate, n := c.handled(b)
		if fate == tolerates {
			return tolerates, 0
		}
		if result != fails {
			result, status = fate, n
		}
	}
	return result, status
}

// rubyRescues lists the rescue clauses of the block that rest is the remainder of.
func (c *code) rubyRescues(rest []expression) []expression {
	var bodies []expression
	depth, over := 0, false
	for _, s := range rest {
		text := c.bare[s.from:s.to]
		switch {
		case rubyOpener(text) != "":
			depth++
		case rubyEnd(text):
			depth--
		case depth == 0 && firstOf(text, " ") == "rescue":
			bodies = append(bodies, expression{s.from + len("rescue"), s.to})
		case depth == 0 && (text == "ensure" || text == "else"):
			over = true // what follows is no handler
		}
		if depth < 0 {
			break
		}
		if len(bodies) > 0 && !over {
			bodies[len(bodies)-1].to = s.to
		}
	}
	return bodies
}

func rubyEnd(text string) bool {
	return text == "end" || strings.HasPrefix(text, "end ") || strings.HasPrefix(text, "end.") || strings.HasPrefix(text, "end)")
}
