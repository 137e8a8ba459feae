package reach

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// snippet reads code in a language that is not followed: the servers whose names reach a connecting call, and calls that are remote
// by nature. It answers the exit status: a failure counts only where the code plainly ends with one. For code that stands in a
// file s is that file, and the calls have places of their own.
func (w *world) snippet(p *process, language, text string, site int, s *script, argv []string) int {
	if len(text) > maxScript {
		w.hide("the " + language + " code is too long")
		return w.finish(p, site)
	}
	c := newCode(language, text, argv, p.getenv)
	list, sure := c.connections()
	list = append(c.natural(), list...)
	status := 0
	for _, k := range list {
		at := site
		if s != nil {
			at = w.codeSite(s, k.from, c)
		}
		if n := w.attempt(language, c, k, at); status == 0 {
			status = n
		}
	}
	w.run.mu.Lock()
	w.run.vague = w.run.vague || len(list) > 0
	w.run.mu.Unlock()
	if len(list) == 0 || !sure {
		w.hide("the " + language + " code is not followed")
	}
	if status == 0 {
		status = c.unreadable(p)
	}
	if status != 0 {
		return status
	}
	return w.finish(p, site)
}

// attempt makes a connection of a program, and answers the status that its failure ends the program with.
func (w *world) attempt(language string, c *code, k connection, site int) int {
	status := 0
	for _, e := range k.ends {
		if w.connect(language, e, site, 0) {
			continue
		}
		if f, n := c.outcome(k); f == fails && status == 0 {
			status = n
			if n == uncaught {
				w.guessed(n)
			}
		}
	}
	return status
}

// unreadable is the status of Python code that reads JSON from an empty standard input.
func (c *code) unreadable(p *process) int {
	if p.stdin == nil || c.language != "python" {
		return 0
	}
	for _, call := range [...]string{"json.load(sys.stdin)", "json.loads(sys.stdin.read())"} {
		if at := strings.Index(c.bare, call); at >= 0 && strings.TrimSpace(p.input()) == "" {
			if f, status := c.pythonFate(at, 0); f == fails {
				return status
			}
		}
	}
	return 0
}

// codeSite is the place of a call in a file of another language.
func (w *world) codeSite(s *script, at int, c *code) int {
	w.loading.Lock()
	defer w.loading.Unlock()
	if id, ok := s.calls[at]; ok {
		return id
	}
	from := strings.LastIndexByte(c.text[:at], '\n') + 1
	for from < at && (c.text[from] == ' ' || c.text[from] == '\t') {
		from++
	}
	to := from + len(firstOf(c.text[from:], "\n"))
	id := w.newSite(s, syntax.NewPos(uint(from), 1, 1), syntax.NewPos(uint(to), 1, 1), nil)
	if s.calls == nil {
		s.calls = map[int]int{}
	}
	s.calls[at] = id
	return id
}

// natural lists the calls of application frameworks that ask a server outside the process.
func (c *code) natural() []connection {
	var out []connection
	for _, n := range naturalCalls {
		at := strings.Index(c.bare, n.call)
		if at < 0 || slices.ContainsFunc(out, func(k connection) bool { return k.ends[0].dependency == n.dependency }) {
			continue
		}
		out = append(out, connection{at: at, from: at, ends: []endpoint{{dependency: n.dependency, nature: true}}})
	}
	return out
}

// natural calls of application frameworks that ask a server outside the process.
var naturalCalls = [...]struct{ call, dependency string }{ //nolint:gochecknoglobals // an immutable table
	{".control.ping(", "the message broker"},
	{".control.inspect(", "the message broker"},
	{"control.Inspect(", "the message broker"},
	{"Inspect(app=", "the message broker"},
	{".ensure_connection(", "the message broker"},
	{"SchedulerJob", "the metadata database"},
	{"create_session(", "the metadata database"},
	{"Sidekiq::ProcessSet", "Redis"},
	{"Sidekiq.redis", "Redis"},
	{"ActiveRecord::Base.connection", "the database"},
	{"connection.ensure_connection(", "the database"},
	{"Resque.info", "Redis"},
}
