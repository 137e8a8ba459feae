package reach

import (
	"regexp"
	"strings"
)

// pythonLine is a line of Python with its indentation.
type pythonLine struct {
	expression
	indent int
	head   string // the statement's first word: "try", "if", "def", …
}

func (c *code) pythonLines() []pythonLine {
	var out []pythonLine
	at := 0
	for line := range strings.Lines(c.bare) {
		text := strings.TrimRight(line, " \t\r\n")
		body := strings.TrimLeft(text, " \t")
		if body != "" {
			l := pythonLine{expression: expression{at + len(text) - len(body), at + len(text)}, indent: len(text) - len(body)}
			l.head = strings.TrimSuffix(c.word(l.from), ":")
			if l.head == "async" {
				l.head = c.word(l.from + len("async "))
			}
			out = append(out, l)
		}
		at += len(line)
	}
	return out
}

// pythonFate follows an exception raised at an offset outwards: through the statements that enclose it, then to where the function
// is called.
func (c *code) pythonFate(at, depth int) (fate, int) {
	lines := c.pythonLines()
	i := len(lines) - 1
	for i > 0 && lines[i].from > at {
		i--
	}
	if i < 0 || depth > 4 {
		return tolerates, 0
	}
	inline := lines[i].head == "try" && strings.Contains(c.bare[lines[i].from:at], ":")
	for {
		if !inline {
			i = encloser(lines, i)
		}
		inline = false
		if i < 0 {
			return fails, 1
		}
		switch f, status := c.pythonEnclosed(lines, i, depth); f {
		case propagates:
		default:
			return f, status
		}
	}
}

// encloser finds the line whose block holds line i.
func encloser(lines []pythonLine, i int) int {
	for j := i - 1; j >= 0; j-- {
		if lines[j].indent < lines[i].indent {
			return j
		}
	}
	return -1
}

// pythonEnclosed says what the statement at line i does with an exception inside it.
func (c *code) pythonEnclosed(lines []pythonLine, i, depth int) (fate, int) {
	text := c.text[lines[i].from:lines[i].to]
	switch lines[i].head {
	case "try":
		return c.pythonHandlers(lines, i)
	case "if", "elif":
		if !strings.Contains(text, "__main__") {
			return tolerates, 0
		}
	case "else", "except", "finally", "match", "case":
		if lines[i].head != "else" || !c.elseOfTry(lines, i) {
			return tolerates, 0
		}
	case "with":
		if strings.Contains(text, "suppress(") {
			return tolerates, 0
		}
	case "def":
		return c.pythonCaller(lines[i], depth)
	}
	return propagates, 0
}

func (c *code) elseOfTry(lines []pythonLine, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if lines[j].indent == lines[i].indent && lines[j].head != "except" {
			return lines[j].head == "try"
		}
		if lines[j].indent < lines[i].indent {
			return false
		}
	}
	return false
}

// pythonCaller goes on where the function defined at line is called; one that nobody calls never runs.
func (c *code) pythonCaller(line pythonLine, depth int) (fate, int) {
	_, rest, _ := strings.Cut(c.bare[line.from:line.to], "def ")
	name := strings.TrimSpace(firstOf(rest, "("))
	for _, at := range c.uses(name) {
		if !c.defines(at) {
			return c.pythonFate(at, depth+1)
		}
	}
	return tolerates, 0
}

// pythonHandlers says what the except clauses of the try at line i do with a connection error.
func (c *code) pythonHandlers(lines []pythonLine, i int) (fate, int) {
	result, status := propagates, 0
	for j := i + 1; j < len(lines) && lines[j].indent >= lines[i].indent; j++ {
		if lines[j].indent > lines[i].indent {
			continue
		}
		if lines[j].head == "finally" || lines[j].head == "else" {
			continue
		}
		if lines[j].head != "except" {
			break
		}
		if !catchesConnection(c.bare[lines[j].from:lines[j].to]) {
			continue
		}
		f, n := c.pythonHandler(lines, j)
		if f == tolerates {
			return tolerates, 0
		}
		if result != fails {
			result, status = f, n
		}
	}
	return result, status
}

// catchesConnection reports except clauses that a connection error may end in.
func catchesConnection(clause string) bool {
	head, _, _ := strings.Cut(strings.TrimPrefix(clause, "except"), ":")
	types := strings.FieldsFunc(firstOf(head, " as "), func(r rune) bool { return strings.ContainsRune(" (),", r) })
	for _, t := range types {
		switch t[strings.LastIndexByte(t, '.')+1:] {
		case "ImportError", "ModuleNotFoundError", "KeyError", "ValueError", "TypeError", "AttributeError", "IndexError", "NameError", "KeyboardInterrupt",
			"SystemExit", "JSONDecodeError", "AssertionError", "FileNotFoundError", "PermissionError", "NotImplementedError", "UnicodeDecodeError", "HTTPError":
		default:
			return true
		}
	}
	return len(types) == 0
}

func (c *code) pythonHandler(lines []pythonLine, j int) (fate, int) {
	body := expression{lines[j].from + len("except"), lines[j].to}
	for k := j + 1; k < len(lines) && lines[k].indent > lines[j].indent; k++ {
		body.to = lines[k].to
	}
	f, status := c.handled(body)
	if f != tolerates {
		return f, status
	}
	zero, failing, computed, _ := c.exits(body)
	if zero || failing || computed {
		return tolerates, 0
	}
	return c.pythonRemembered(lines, j, body)
}

// pythonRemembered follows a handler that only notes the failure: by returning a value, or in a variable.
func (c *code) pythonRemembered(lines []pythonLine, j int, body expression) (fate, int) {
	text := c.bare[body.from:body.to]
	if m := regexp.MustCompile(`\breturn\s+(False|None|0|True|[1-9][0-9]*)\b`).FindStringSubmatch(text); m != nil {
		name := c.functionAround(lines, j)
		if name == "" {
			return tolerates, 0
		}
		return c.pythonJudged(regexp.QuoteMeta(name)+`\([^()]*\)`, inList("False None 0", m[1]), 0)
	}
	m := regexp.MustCompile(`(?m)(?:^|[:;])\s*(\w+)\s*(\+?=)\s*(False|None|0|True|[1-9][0-9]*)\s*(?:$|;)`).FindStringSubmatch(text)
	if m == nil {
		return tolerates, 0
	}
	return c.pythonJudged(m[1], inList("False None 0", m[3]) && m[2] == "=", 0)
}

func (c *code) functionAround(lines []pythonLine, i int) string {
	for i >= 0 {
		if lines[i].head == "def" {
			_, rest, _ := strings.Cut(c.bare[lines[i].from:lines[i].to], "def ")
			return strings.TrimSpace(firstOf(rest, "("))
		}
		i = encloser(lines, i)
	}
	return ""
}

// pythonJudged reports a program that plainly ends with a failure when the expression, given as a pattern, is false (or true).
func (c *code) pythonJudged(pattern string, falsy bool, depth int) (fate, int) {
	found := func(form string) bool {
		return regexp.MustCompile(strings.ReplaceAll(form, "@", pattern)).MatchString(c.bare)
	}
	if m := regexp.MustCompile(`(?m)^\s*(\w+)\s*=\s*(?:asyncio\.run\()?(?:` + pattern + `)\)?\s*$`).FindStringSubmatch(c.bare); m != nil && depth < 4 {
		return c.pythonJudged(m[1], falsy, depth+1)
	}
	if falsy {
		if found(`exit\(\s*0 if @ else [1-9]`) || found(`exit\(\s*(?:int\()?not @`) || found(`if not @:\s*(?:[^\n]*\n?\s*){0,2}?(?:sys\.|os\._)?exit\([1-9]`) ||
			found(`if @:\s*(?:sys\.|os\._)?exit\(0?\)\s*\n?(?:else:)?\s*(?:sys\.|os\._)?exit\([1-9]`) {
			return fails, 1
		}
		return tolerates, 0
	}
	if found(`exit\(\s*(?:asyncio\.run\()?@\)`) || found(`exit\(\s*[1-9]\d* if @ else 0`) || found(`if @(?:\s*(?:>|!=)\s*0)?:\s*(?:[^\n]*\n?\s*){0,2}?(?:sys\.|os\._)?exit\([1-9]`) {
		return fails, 1
	}
	return tolerates, 0
}
