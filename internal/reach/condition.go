package reach

import (
	"path"
	"strconv"
	"strings"
)

// condition evaluates the words of [ … ] as test(1) does. Where they hold unknown values the run chooses.
type condition struct {
	world *world
	site  int
	words []string
	dir   string
	pos   int
	bad   bool
}

// evaluate gives the outcome; ok is false for words that test(1) would refuse.
func (t *condition) evaluate() (result, ok bool) {
	switch n := len(t.words); {
	case n == 0:
		return false, true
	case n == 1:
		return t.unary("-n", t.words[0]), true
	case n == 3 && binaryOperator(t.words[1]):
		return t.binary(t.words[0], t.words[1], t.words[2]), true
	case n == 4 && t.words[0] == "!" && binaryOperator(t.words[2]):
		return !t.binary(t.words[1], t.words[2], t.words[3]), true
	}
	result = t.or()
	return result, !t.bad && t.pos == len(t.words)
}

func (t *condition) peek() string {
	if t.pos < len(t.words) {
		return t.words[t.pos]
	}
	return ""
}

func (t *condition) or() bool {
	result := t.and()
	for t.peek() == "-o" && !t.bad {
		t.pos++
		right := t.and()
		result = result || right
	}
	return result
}

func (t *condition) and() bool {
	result := t.not()
	for t.peek() == "-a" && !t.bad {
		t.pos++
		right := t.not()
		result = result && right
	}
	return result
}

func (t *condition) not() bool {
	if t.peek() == "!" && t.pos+1 < len(t.words) {
		t.pos++
		return !t.not()
	}
	return t.primary()
}

func (t *condition) primary() bool {
	rest := t.words[min(t.pos, len(t.words)):]
	switch {
	case len(rest) == 0:
		t.bad = true
		return false
	case rest[0] == "(":
		t.pos++
		result := t.or()
		if t.peek() != ")" {
			t.bad = true
		}
		t.pos++
		return result
	case len(rest) >= 3 && binaryOperator(rest[1]):
		t.pos += 3
		return t.binary(rest[0], rest[1], rest[2])
	case len(rest) >= 2 && len(rest[0]) == 2 && rest[0][0] == '-':
		t.pos += 2
		return t.unary(rest[0], rest[1])
	}
	t.pos++
	return rest[0] != ""
}

func binaryOperator(op string) bool {
	switch op {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef":
		return true
	}
	return false
}

func (t *condition) unary(op, word string) bool {
	switch {
	case inList("-n -z", op) && tainted(word):
		return t.world.decide(t.site, op, word, "")
	case op == "-n":
		return word != ""
	case op == "-z":
		return word == ""
	case op == "-t", op == "-v":
		return false
	case fileTest(op):
		if !path.IsAbs(word) && !tainted(word) {
			word = path.Join("/", t.dir, word)
		}
		return t.world.fileTest(t.site, op, word)
	}
	t.bad = true
	return false
}

func (t *condition) binary(x, op, y string) bool {
	switch op {
	case "-nt", "-ot", "-ef":
		return t.world.decide(t.site, op, x, y)
	}
	if tainted(x) || tainted(y) {
		return t.world.decide(t.site, op, x, y)
	}
	switch op {
	case "=", "==":
		return x == y
	case "!=":
		return x != y
	case "<":
		return x < y
	case ">":
		return x > y
	}
	return compareNumbers(x, op, y)
}

func compareNumbers(x, op, y string) bool {
	a, errA := strconv.Atoi(strings.TrimSpace(x))
	b, errB := strconv.Atoi(strings.TrimSpace(y))
	if errA != nil || errB != nil {
		return false // test(1) says "integer expected" and exits 2
	}
	switch op {
	case "-eq":
		return a == b
	case "-ne":
		return a != b
	case "-lt":
		return a < b
	case "-le":
		return a <= b
	case "-gt":
		return a > b
	}
	return a >= b
}

// decide chooses the outcome of a comparison with an unknown operand. What a healthy program answers is expected to
// match; what the configuration says may go either way.
func (w *world) decide(site int, op, x, y string) bool {
	open := strings.Contains(x+y, unknown)
	def := true
	switch op {
	case "!=", "-ne", "-z":
		def = false
	}
	return w.choose(site, open, def)
}

// fileTest answers a test of a file: by the bundle where it shows the file, else by choice.
func (w *world) fileTest(site int, op, name string) bool {
	if tainted(name) {
		return w.choose(site, true, true)
	}
	f, state := w.fs.open(name)
	w.run.mu.Lock()
	written := w.run.files[path.Clean(name)]
	w.run.mu.Unlock()
	switch {
	case written != nil:
		return op != "-d" && (op != "-s" || written.Len() > 0)
	case f != nil:
		return !inList("-d -S -p -w", op) && (op != "-s" || f.text != "")
	case state == present:
		return inList("-d -e -r -x", op)
	case state == missing:
		return false
	case inList("/ /dev/null /tmp", name):
		return op != "-f"
	}
	return w.choose(site, true, true)
}
