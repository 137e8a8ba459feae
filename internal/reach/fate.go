package reach

import (
	"regexp"
	"strconv"
	"strings"
)

// fate is what becomes of a program when one of its connections fails.
type fate int

const (
	tolerates  fate = iota // it goes on, exits 0, or its text does not say
	fails                  // it ends with a status that is not 0
	propagates             // the failure goes on to what encloses it
)

// outcome says what becomes of the program when the connection at k fails, and its exit status then.
func (c *code) outcome(k connection) (fate, int) {
	switch {
	case c.language == "":
		return tolerates, 0
	case k.connector != nil && k.quiet:
		return c.exitsOnValue(k.at)
	}
	switch c.language {
	case "python":
		return c.pythonFate(k.at, 0)
	case "ruby":
		return c.rubyFate(k.at)
	}
	return c.bracedFate(k.at)
}

// uncaught is the status of PHP and Perl after an error that nobody handles. Theirs is not quoted.
const uncaught = 255

// exitCalls finds calls that end a program: the name, and what stands between the brackets.
func exitCalls() *regexp.Regexp {
	return regexp.MustCompile(`\b(sys\.exit|os\._exit|SystemExit|process\.exit|Deno\.exit|process\.exitCode|exit|quit|abort|die)\b(!?[ \t]*=?[ \t]*)(\([^()]*(?:\([^()]*\)[^()]*)*\)|[0-9]+|true|false)?`)
}

// exits lists what the exit calls of a part of the text end the program with: status 0, another one, or one that is computed.
func (c *code) exits(part expression) (zero, failing, computed bool, status int) {
	status = 1
	for _, m := range exitCalls().FindAllStringSubmatchIndex(c.bare[part.from:part.to], -1) {
		name := c.bare[part.from+m[2] : part.from+m[3]]
		arg := ""
		if m[6] >= 0 {
			arg = strings.Trim(c.text[part.from+m[6]:part.from+m[7]], "() ")
		}
		if arg == "" && strings.HasPrefix(c.bare[part.from+m[3]:], "!") { // Ruby's exit! ends with 1
			arg = "1"
		}
		switch kind := c.exitArgument(name, arg); kind {
		case "0":
			zero = true
		case "computed":
			computed = true
		default:
			failing = true
			if n, err := strconv.Atoi(kind); err == nil {
				status = n
			}
		}
	}
	return zero, failing, computed, status
}

// exitArgument says what an exit call ends with: "0", another number, or "computed".
func (c *code) exitArgument(name, arg string) string {
	switch {
	case name == "abort":
		return "1"
	case name == "die" && c.language == "perl":
		return strconv.Itoa(uncaught)
	case arg == "" || inList("0 None False os.EX_OK true", arg):
		return "0"
	case inList("True false", arg):
		return "1"
	case digits(arg):
		return arg
	}
	return c.exitMessage(arg)
}

// exitMessage is exitArgument for text: PHP prints it and ends with 0, the others with 1.
func (c *code) exitMessage(arg string) string {
	text := arg
	if c.language == "python" {
		text = strings.TrimLeft(arg, "fFrRbB")
	}
	switch {
	case text == "" || strings.IndexByte("\"'", text[0]) < 0:
		return "computed"
	case c.language == "php":
		return "0"
	}
	return "1"
}

// exitsOnValue reports a program that ends with a failure behind offset at: what it does with a call that reports failure by value.
func (c *code) exitsOnValue(at int) (fate, int) {
	rest := expression{at, len(c.text)}
	if from := strings.LastIndexAny(c.bare[:at], ";\n{}") + 1; from < at {
		rest.from = from // exit(fsockopen(…) ? 0 : 1)
	}
	_, failing, computed, status := c.exits(rest)
	text := c.bare[rest.from:]
	switch {
	case failing:
		return fails, status
	case strings.Contains(text, "throw "):
		return fails, uncaught
	case computed && (strings.Contains(text, "?") && strings.Contains(text, ": 1") || strings.Contains(text, "else 1") || strings.Contains(text, "if ") && strings.Contains(text, "else 0") ||
		strings.Contains(text, "exit(!") || c.language == "python"):
		return fails, 1
	}
	return tolerates, 0
}

// handled says what a handler of failures does. Only a handler that plainly ends the program with a failure counts.
func (c *code) handled(body expression) (fate, int) {
	zero, failing, computed, status := c.exits(body)
	text := c.bare[body.from:body.to]
	for _, branch := range [...]string{"if ", "if(", "unless ", "?", "case ", "switch"} {
		if at := strings.Index(text, branch); at >= 0 && (at == 0 || !wordByte(text[at-1])) && (failing || zero) {
			return tolerates, 0
		}
	}
	switch {
	case zero || computed:
		return tolerates, 0
	case failing:
		return fails, status
	case c.rethrows(text):
		return propagates, 0
	}
	return tolerates, 0
}

func (c *code) rethrows(text string) bool {
	word := "throw"
	if inList("python ruby", c.language) {
		word = "raise"
	}
	at := strings.Index(text, word)
	return at >= 0 && (at == 0 || !wordByte(text[at-1])) && (at+len(word) == len(text) || !wordByte(text[at+len(word)]))
}
