package reach

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/hclint/hclint/loader"
)

// Bounds of one simulated run.
const (
	maxSteps   = 3000
	maxDepth   = 24
	maxOutput  = 64 << 10
	maxSeconds = 600 // virtual seconds
)

// Errors that end a run, or a part of it.
var (
	errEndless = errors.New("the run does not end")
	errRestart = errors.New("a script was loaded: run again")
	errLost    = errors.New("the run needs what cannot be simulated")
)

// world is everything that a probe's command can see: the container's environment and files, and the programs of the
// tool table. Nothing in it is of this machine.
type world struct {
	pod     *pod
	env     *environment
	fs      filesystem
	loading sync.Mutex // guards scripts, sites and functions: both ends of a pipe run at once
	scripts map[string]*script
	// functions holds the names that any loaded script defines.
	functions map[string]bool
	sources   []*script // scripts that are run inside another one, by number
	sites     []site
	run       *run
	timeout   float64 // of the probe, in seconds
}

// choice is a question that the bundle does not answer: the status of a program, the outcome of a test.
type choice struct {
	open bool // about configuration: both outcomes are plausible. Otherwise the healthy one is.
	def  bool
}

// run is one simulated run of the probe's command.
type run struct {
	mu       sync.Mutex
	down     string       // key of the target that is down
	failing  bool         // everything that can fail fails
	flips    map[int]bool // choices that go against their default
	choices  map[int]choice
	touched  []touch
	programs []string
	opaque   string
	shell    bool
	vague    bool // a branch was chosen on an unknown value
	steps    int
	clock    float64
	deadline float64
	files    map[string]*bytes.Buffer
	closed   bool
	static   bool   // read the text only: every command runs, none decides
	job      int    // status of the last background job
	calls    []call // programs that were started, each once
	refuse   string // key of the call that fails
}

// touch is a target that a run reached.
type touch struct {
	endpoint
	location
	via  string
	site int
}

func (t touch) key() string {
	if t.place == Self {
		return "self|" + t.port
	}
	return string(t.place) + "|" + t.host + "|" + t.port + "|" + t.dependency
}

// process is a program about to run.
type process struct {
	ctx    context.Context
	env    expand.Environ
	dir    string
	stdin  io.Reader
	stdout io.Writer
	depth  int
	// overlay holds NAME=value words of env and its like.
	overlay map[string]string
}

func (p *process) getenv(name string) (string, bool) {
	if v, ok := p.overlay[name]; ok {
		return v, true
	}
	v := p.env.Get(name)
	if !v.IsSet() || !v.Exported {
		return "", false
	}
	return v.String(), true
}

func (p *process) print(s string) {
	if p.stdout != nil && s != "" {
		_, _ = io.WriteString(p.stdout, s)
	}
}

// input reads what is piped into the process.
func (p *process) input() string {
	if p.stdin == nil {
		return ""
	}
	b, _ := io.ReadAll(io.LimitReader(p.stdin, maxOutput))
	return string(b)
}

// choose answers a question that the bundle leaves open.
func (w *world) choose(site int, open, def bool) bool {
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if site < 0 {
		return def && !r.failing
	}
	if old, ok := r.choices[site]; !ok || open && !old.open {
		r.choices[site] = choice{open: open, def: def}
	}
	if r.flips[site] {
		return !def
	}
	if r.failing && !open {
		return false
	}
	return def
}

// connect records that the process at a site contacts e, and reports whether e answers.
func (w *world) connect(via string, e endpoint, site int) bool {
	t := touch{endpoint: e, via: via, site: site}
	switch {
	case e.local:
		t.location = location{place: Self, sure: true}
	case e.nature:
		t.location = w.natural(e)
	default:
		t.location = w.pod.locate(e.host)
	}
	if strings.ToLower(strings.TrimSuffix(e.host, ".")) == "kubernetes.default.svc" && t.dependency == "" {
		t.dependency = "the Kubernetes API server"
	}
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	key := t.key()
	if !slices.ContainsFunc(r.touched, func(o touch) bool { return o.key() == key }) {
		r.touched = append(r.touched, t)
	}
	return !r.failing && r.down != t.outage()
}

// outage is what is down when t is: t alone, or the list of servers that it is one of.
func (t touch) outage() string {
	if t.group != "" {
		return t.group
	}
	return t.key()
}

// natural places a server that is known only by the tool that asks it.
func (w *world) natural(e endpoint) location {
	switch e.dependency {
	case "the Kubernetes API server", "DNS":
		return location{place: Cluster, sure: true}
	}
	return location{place: External, sure: !w.pod.hasSidecar(e.dependency)}
}

// hasSidecar reports whether another container of the pod may be what a tool asks.
func (p *pod) hasSidecar(dependency string) bool {
	var hints []string
	switch dependency {
	case "the message broker":
		hints = []string{"redis", "rabbit", "valkey", "kafka"}
	case "the metadata database", "the database":
		hints = []string{"postgres", "mysql", "mariadb", "pgbouncer", "sql-proxy"}
	}
	for _, key := range [...]string{"containers", "initContainers"} {
		for _, c := range p.subject.Pod.Get(key).Items() {
			if c.Get("name").Text() == p.subject.Container.Get("name").Text() {
				continue
			}
			for _, h := range hints {
				if strings.Contains(c.Get("image").Text(), h) {
					return true
				}
			}
		}
	}
	return false
}

func (w *world) note(program string) {
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.programs, program) {
		r.programs = append(r.programs, program)
	}
}

func (w *world) hide(reason string) {
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opaque == "" {
		r.opaque = reason
	}
}

// tick counts a step and stops runs that do not end.
func (w *world) tick(seconds float64) error {
	r := w.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps++
	r.clock += seconds
	if r.closed || r.steps > maxSteps || r.clock > r.deadline {
		return errEndless
	}
	return nil
}

// exec runs argv as a program in the world and returns its exit status. The error ends the whole run.
func (w *world) exec(p *process, argv []string, site int) (int, error) {
	if err := w.tick(0); err != nil {
		return 0, err
	}
	if p.depth > maxDepth {
		return 0, errEndless
	}
	if len(argv) == 0 || argv[0] == "" {
		return 127, nil
	}
	if tainted(argv[0]) {
		w.hide("the program's name is not known")
		p.print(unknown)
		return w.status(site), nil
	}
	program := path.Base(argv[0])
	if f, state := w.fs.open(w.absolute(p, argv[0])); strings.Contains(argv[0], "/") && f != nil && state == present {
		return w.execFile(p, f, argv, site)
	}
	if row := wrapperNamed(program); row != nil {
		if u := row.unwrap(argv); u.ok {
			return w.execWrapped(p, program, argv, u, site)
		}
	}
	if isShell(program) {
		return w.execShell(p, argv, site)
	}
	return w.execProgram(p, program, argv, site)
}

func (w *world) absolute(p *process, name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join("/", p.dir, name)
}

// status is the exit status of a program about which nothing is known.
func (w *world) status(site int) int {
	if w.choose(site, false, true) {
		return 0
	}
	return 1
}

func (w *world) execWrapped(p *process, program string, argv []string, u unwrapped, site int) (int, error) {
	inner := *p
	inner.depth++
	if len(u.assign) > 0 {
		inner.overlay = map[string]string{}
		for k, v := range p.overlay {
			inner.overlay[k] = v
		}
		for _, a := range u.assign {
			k, v, _ := strings.Cut(a, "=")
			inner.overlay[k] = v
		}
	}
	if program == "nsenter" {
		w.hide("nsenter leaves the container's namespaces")
	}
	run := func() (int, error) {
		if u.script != "" {
			return w.execShell(&inner, []string{"sh", "-c", u.script}, site)
		}
		if program == "xargs" {
			u.argv = append(slices.Clone(u.argv), strings.Fields(p.input())...)
		}
		return w.exec(&inner, u.argv, site)
	}
	if program != "timeout" && program != "gtimeout" {
		return run()
	}
	return w.limited(timeoutSeconds(argv), run)
}

// limited runs a program under timeout(1): status 124 when virtual time runs out.
func (w *world) limited(seconds float64, run func() (int, error)) (int, error) {
	r := w.run
	r.mu.Lock()
	outer := r.deadline
	own := r.clock + seconds
	if own < outer {
		r.deadline = own
	}
	r.mu.Unlock()
	status, err := run()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deadline = outer
	if errors.Is(err, errEndless) && r.clock > own && r.clock <= outer && !r.closed {
		return 124, nil
	}
	return status, err
}

func timeoutSeconds(argv []string) float64 {
	for _, a := range argv[1:] {
		if s := duration(a); s > 0 {
			return s
		}
	}
	return maxSeconds
}

// duration reads 5, 0.5, 5s, 2m, 1h.
func duration(s string) float64 {
	unit := 1.0
	if n := len(s); n > 1 {
		switch s[n-1] {
		case 's':
			s = s[:n-1]
		case 'm':
			unit, s = 60, s[:n-1]
		case 'h':
			unit, s = 3600, s[:n-1]
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < 0 || v != v {
		return 0
	}
	return min(v*unit, 1e6)
}

// execFile runs a file of the bundle: by its first line, as the kernel does.
func (w *world) execFile(p *process, f *textFile, argv []string, site int) (int, error) {
	first, _, _ := strings.Cut(f.text, "\n")
	interpreter := []string{"sh"}
	if line, ok := strings.CutPrefix(first, "#!"); ok {
		interpreter = strings.Fields(line)
	}
	if len(interpreter) == 0 {
		interpreter = []string{"sh"}
	}
	if path.Base(interpreter[0]) == "env" {
		interpreter = interpreter[1:]
		if len(interpreter) > 0 && interpreter[0] == "-S" {
			interpreter = interpreter[1:]
		}
	}
	if len(interpreter) == 0 || !isShell(path.Base(interpreter[0])) {
		return w.execForeign(p, f, interpreter, site)
	}
	full := append(slices.Clone(interpreter), w.absolute(p, argv[0]))
	return w.execShell(p, append(full, argv[1:]...), site)
}

// execForeign is a script in another language whose text is in the bundle: its string literals are read.
func (w *world) execForeign(p *process, f *textFile, interpreter []string, site int) (int, error) {
	name := "another language"
	if len(interpreter) > 0 {
		name = strings.TrimRight(path.Base(interpreter[0]), "0123456789.")
	}
	w.note(name)
	s := w.load(f.path, f.text, f, site)
	return w.snippet(p, name, f.text, w.newSite(s, syntax.NewPos(0, 1, 1), syntax.NewPos(uint(len(firstOf(f.text, "\n"))), 1, 1), nil)), nil
}

// execShell runs a shell: text of -c, a file, or standard input.
func (w *world) execShell(p *process, argv []string, site int) (int, error) {
	call := parseShell(argv)
	w.run.mu.Lock()
	w.run.shell = true
	w.run.mu.Unlock()
	switch {
	case call.ok && call.inline:
		if strings.Trim(call.text, unknown+answer+" \n\t\"") == "" && tainted(call.text) {
			w.hide("the shell text is not known")
			return w.status(site), nil
		}
		return w.runScript(p, w.load("", call.text, nil, site), call)
	case call.ok:
		return w.execShellFile(p, call, site)
	}
	text := p.input()
	if text == "" {
		return 0, nil
	}
	return w.runScript(p, w.load("", text, nil, site), shellCall{params: []string{"sh"}, flags: call.flags, opts: call.opts})
}

func (w *world) execShellFile(p *process, call shellCall, site int) (int, error) {
	name := w.absolute(p, call.file)
	f, state := w.fs.open(name)
	w.run.mu.Lock()
	buffer := w.run.files[name]
	w.run.mu.Unlock()
	if f == nil && buffer != nil {
		return w.runScript(p, w.load("", buffer.String(), nil, site), call)
	}
	if f == nil || tainted(call.file) {
		return w.missingScript(call.file, state, site)
	}
	if first, _, _ := strings.Cut(f.text, "\n"); strings.HasPrefix(first, "#!") && strings.Contains(first, "python") {
		return w.execForeign(p, f, []string{"python"}, site)
	}
	return w.runScript(p, w.load(name, f.text, f, site), call)
}

func (w *world) missingScript(file string, state presence, site int) (int, error) {
	if state == missing {
		w.hide("the script " + plain(file) + " is not in the mounted volume")
		return 127, nil
	}
	w.hide("the script " + plain(file) + " is inside the image")
	return w.status(site), nil
}

// load finds or parses the script with this text. A script on a command line takes its place from the probe's
// argument that holds it, or from the call site.
func (w *world) load(name, text string, f *textFile, site int) *script {
	w.loading.Lock()
	defer w.loading.Unlock()
	key := name + "\x00" + text
	if f != nil {
		key = name + "\x00" + f.from
	}
	if s, ok := w.scripts[key]; ok {
		return s
	}
	s := &script{id: len(w.scripts), name: name, text: text, entry: site}
	switch {
	case f != nil:
		s.from, s.node, s.exact = f.from, f.node, f.exact
		s.object, s.at = f.node.Object(), f.node.ValueSpan()
	case site < 0:
		w.place(s)
	default:
		from := w.sites[site]
		s.object, s.at = from.script.object, from.script.span(from.from, from.to)
		// Text quoted in the outer script stands there word for word: its own positions are exact.
		if at := strings.Index(from.script.text[from.from:min(from.to, len(from.script.text))], text); at >= 0 && from.script.exact && text != "" {
			s.node, s.exact = from.script.node, false
			s.at = from.script.node.At(from.from+at, from.from+at+len(text))
		}
	}
	w.scripts[key] = s
	if len(w.scripts) > maxScripts {
		s.err = "too many scripts call each other"
		return s
	}
	w.parse(s)
	return s
}

func (w *world) siteAt(id int) site {
	w.loading.Lock()
	defer w.loading.Unlock()
	return w.sites[id]
}

// place gives a script of the probe's own command its position.
func (w *world) place(s *script) {
	for _, item := range w.pod.subject.Probe.Get("exec", "command").Items() {
		if item.Text() == s.text || maskTemplates(item.Text()) == s.text {
			s.node, s.exact, s.object, s.at = item, true, item.Object(), item.ValueSpan()
			return
		}
	}
	command := w.pod.subject.Probe.Get("exec", "command")
	s.object, s.at = command.Object(), command.KeySpan()
}

// trace lists the steps from the probe to the site.
func (w *world) trace(id int) []Step {
	var out []Step
	for id >= 0 {
		s := w.sites[id]
		out = append(out, w.step(id))
		if s.script.name != "" {
			if s.script.entry < 0 {
				out = append(out, w.entryStep("runs "+s.script.name+", from "+s.script.from))
			}
		}
		id = s.script.entry
	}
	slices.Reverse(out)
	return out
}

func (w *world) entryStep(text string) Step {
	command := w.pod.subject.Probe.Get("exec", "command")
	return Step{Object: command.Object(), Span: command.KeySpan(), Text: text}
}

// where is the place of a node as a trace step.
func where(n loader.Node, text string) Step {
	return Step{Object: n.Object(), Span: n.KeySpan(), Text: text}
}
