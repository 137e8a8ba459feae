package reach

import (
	"cmp"
	"slices"
	"strings"
)

// Call is a program that an exec probe starts and whose text the bundle does not show, as it is started: wrappers looked
// through, variables expanded.
type Call struct {
	Argv []string
	// Asks are the HTTP requests that the command line names and that stay inside the pod.
	Asks []Ask
	// Place is where it is called: the last step leads to the program.
	Trace []Step

	key string
}

// Text is the command line, words joined by blanks; what is not known of it is an ellipsis, and
// passwords are left out.
func (c Call) Text() string { return redact(plain(strings.Join(c.Argv, " "))) }

// Ask is an HTTP request to a port of the pod.
type Ask struct {
	Port string // a number
	Path string // with its query, as in "/health?full=true"
}

// Exploration is what is known of one probe, and can be asked further.
type Exploration struct {
	Result
	Calls []Call // in the order of the text

	world *world
	study *study
	argv  []string
}

// call is one start of a program during a run.
type call struct {
	argv []string
	site int
}

func (c call) key() string { return string(rune(c.site+2)) + strings.Join(c.argv, "\x00") }

// refused records the call and reports whether this run has it fail, with the status that it ends with then.
func (w *world) refused(p *process, program string, argv []string, site int) (int, bool) {
	c := call{argv: slices.Clone(argv), site: site}
	r := w.run
	r.mu.Lock()
	if len(r.calls) < maxSteps && !slices.ContainsFunc(r.calls, func(o call) bool { return o.site == site && slices.Equal(o.argv, argv) }) {
		r.calls = append(r.calls, c)
	}
	refuse := r.refuse
	r.mu.Unlock()
	switch refuse {
	case "":
	case c.key():
		return w.refuse(p, program, argv), true
	case unhappy + c.key():
		return answerUnhappily(p, program, argv), true
	}
	return 0, false
}

// unhappy marks the key of a call that succeeds with an answer that says that all is not well.
const unhappy = "answer "

// answerUnhappily is how a client ends that is told bad news with success: nothing of what the script looks for is printed.
func answerUnhappily(p *process, program string, argv []string) int {
	if program == "curl" {
		p.print(strings.ReplaceAll(curlOutput(clientNamed(program).parse(argv[1:]), true), answer, ""))
	}
	return 0
}

// refuse is how a client ends whose server answers with an error: curl succeeds unless it was told to fail, and says the status
// where the script asks for it.
func (w *world) refuse(p *process, program string, argv []string) int {
	switch program {
	case "curl":
		c := clientNamed(program).parse(argv[1:])
		p.print(strings.ReplaceAll(curlOutput(c, false), "000", "503"))
		if !c.has("f fail fail-with-body") {
			return 0
		}
		return 22
	case "wget":
		return 8
	case "vault":
		if slices.Contains(argv, "status") {
			return 2 // sealed: https://developer.hashicorp.com/vault/docs/commands/status
		}
	case "redis-cli", "valkey-cli", "keydb-cli":
		p.print("(error)\n")
		if !clientNamed("redis-cli").parse(argv[1:]).has("e") {
			return 0 // an error in a reply is no error of the client
		}
	case "mysql", "mariadb", "mongo", "mongosh":
		if asksOnly(program, argv) {
			p.print("false\n")
			return 0
		}
	}
	return 1
}

// asksOnly reports whether a database client asks a question that is answered with "no" as well as with "yes": only what looks at
// the answer fails then.
func asksOnly(program string, argv []string) bool {
	text := strings.ToLower(strings.Join(argv, " "))
	asks := strings.Contains(text, "show ") || strings.HasPrefix(program, "mongo")
	return asks && !strings.Contains(text, "quit") && !strings.Contains(text, "exit") && !strings.Contains(text, "throw")
}

// explored gathers the calls of the healthy runs; where there are none, of the first one.
func (e *Exploration) explored() *Exploration {
	if e.world == nil {
		return e
	}
	runs := e.study.healthy
	if len(runs) == 0 {
		runs = []outcome{e.study.first}
	}
	var all []call
	for _, o := range runs {
		for _, c := range o.run.calls {
			if !slices.ContainsFunc(all, func(x call) bool { return x.key() == c.key() }) {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b call) int {
		return cmp.Or(cmp.Compare(a.site, b.site), slices.Compare(a.argv, b.argv))
	})
	for _, c := range all {
		trace := e.world.trace(c.site)
		if c.site < 0 {
			trace = []Step{e.world.directStep()}
		}
		e.Calls = append(e.Calls, Call{Argv: c.argv, Asks: e.world.asks(c.argv), Trace: trace, key: c.key()})
	}
	return e
}

// Decides runs the check with c failing. It reports whether the probe fails then, and how sure that is.
func (e *Exploration) Decides(c Call) (bool, Confidence, string) { return e.without(c.key) }

// Judges runs the check with c succeeding, and what it prints saying that all is not well. It reports whether the probe fails
// then: whether the check looks at the answer.
func (e *Exploration) Judges(c Call) (bool, Confidence, string) { return e.without(unhappy + c.key) }

func (e *Exploration) without(refuse string) (bool, Confidence, string) {
	if len(e.study.healthy) == 0 {
		return true, Likely, ""
	}
	decides, confidence, text := false, Certain, ""
	for i, pl := range e.study.plans {
		pl.refuse = refuse
		o := e.world.simulate(e.argv, pl)
		switch {
		case o.healthy() || o.err != nil:
			confidence = Likely
			continue
		case e.study.healthy[i].run.vague:
			confidence = Likely
		}
		decides = true
		text = cmp.Or(text, outageText(o))
	}
	return decides, confidence, text
}

// asks lists the HTTP requests to the pod itself that a command line names: arguments of curl and wget, and URLs in any other
// word (code given to an interpreter).
func (w *world) asks(argv []string) []Ask {
	if len(argv) == 0 {
		return nil
	}
	var urls []string
	program := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	switch program {
	case "curl", "wget":
		c := clientNamed(program).parse(argv[1:])
		if c.has("unix-socket abstract-unix-socket") {
			return nil
		}
		urls = append(slices.Clone(c.flags["url"]), c.args...)
	case "grep", "echo", "printf", "sed", "awk", "[", "test":
		return nil
	default:
		for _, word := range argv[1:] {
			urls = append(urls, urlsIn(word)...)
		}
	}
	var out []Ask
	for _, u := range urls {
		if a, ok := w.ask(u); ok && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

func (w *world) ask(url string) (Ask, bool) {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		scheme, rest = "http", url
	}
	if scheme != "http" && scheme != "https" {
		return Ask{}, false
	}
	end := strings.IndexAny(rest, "/?#")
	path := "/"
	if end >= 0 {
		path = firstOf(rest[end:], "#")
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	ends := parseAddresses(url, "http", "80")
	if len(ends) != 1 || tainted(path) || tainted(ends[0].port) || w.pod.locate(ends[0].host).place != Self {
		return Ask{}, false
	}
	return Ask{Port: ends[0].port, Path: path}, true
}

// urlsIn finds the http URLs in code, where a quote or a blank ends them.
func urlsIn(code string) []string {
	var out []string
	for {
		at := strings.Index(code, "http")
		if at < 0 {
			return out
		}
		code = code[at:]
		if !strings.HasPrefix(code, "http://") && !strings.HasPrefix(code, "https://") {
			code = code[len("http"):]
			continue
		}
		end := strings.IndexAny(code, "\"'` \t\n\\)<>")
		if end < 0 {
			end = len(code)
		}
		out = append(out, code[:end])
		code = code[end:]
	}
}
