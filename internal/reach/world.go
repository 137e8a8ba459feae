package reach

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/expand"
)

// Bounds of one simulated run.
const (
	maxSteps   = 3000
	maxDepth   = 24
	maxOutput  = 64 << 10
	maxSeconds = 600 // virtual seconds
	// synSeconds is how long Linux tries to connect to a host that does not answer (tcp_syn_retries 6, see tcp(7)).
	synSeconds = 127
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
	// fallbacks holds the sites left of "||" that ask whether the application is well.
	fallbacks map[int]bool
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
	vague    bool // a branch was chosen on an unknown value
	steps    int
	clock    float64
	deadline float64
	files    map[string]*bytes.Buffer
	closed   bool
	static   bool           // read the text only: every command runs, none decides
	job      int            // status of the last background job
	pipe     map[string]int // statuses of the last pipeline's members, by number
	// background counts the background jobs that run now: time that they take is nobody's.
	background int
	calls      []call          // programs that were started, each once
	refuse     string          // key of the call that fails
	broken     map[string]bool // file descriptors that could not be opened, by virtual path
	hang       bool            // what is down does not answer at all
	guessed    []int           // statuses of failed programs that no documentation states
	// dials are the sites that opened connections, by dialID; flips of these fail.
	dials map[int]bool
	// trusting: something was taken to be there that only the image shows (a directory, an installed program).
	trusting bool
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

// connect records that the process at a site contacts e, and reports whether e answers. patience is how long, in seconds, the program
// waits for a server that does not answer; 0 when that is not known.
func (w *world) connect(via string, e endpoint, site int, patience float64) bool {
	if strings.ContainsAny(e.host, "@ \t\n") && !strings.HasPrefix(e.host, "@") { // no host, and perhaps a part of a secret
		e.host = unknown
	}
	t := touch{endpoint: e, location: w.locate(e), via: via, site: site}
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
	flipped := r.dial(site, t)
	if flipped || r.down != t.outage() {
		return !r.failing && !flipped
	}
	if r.hang && r.background == 0 {
		r.clock += patience
	}
	return false
}

func (w *world) locate(e endpoint) location {
	switch {
	case e.local:
		return location{place: Self, sure: true}
	case e.nature:
		return w.natural(e)
	}
	return w.pod.locate(e.host)
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

// trust makes the run one that proves nothing about what the image holds.
func (w *world) trust() {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	w.run.trusting = true
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
	if r.background == 0 {
		r.clock += seconds
	}
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
	if f, at := w.executable(p, argv[0]); f != nil {
		return w.execFile(p, f, append([]string{at}, argv[1:]...), site)
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

// executable finds the file of the bundle that a program name starts: by its path, or in a directory of PATH.
func (w *world) executable(p *process, name string) (*textFile, string) {
	if strings.Contains(name, "/") {
		at := w.absolute(p, name)
		f, _ := w.fs.open(at)
		return f, at
	}
	if len(w.fs) == 0 {
		return nil, ""
	}
	dirs, ok := p.getenv("PATH")
	if !ok {
		dirs, _ = shellDefault("PATH")
	}
	for dir := range strings.SplitSeq(dirs, ":") {
		if f, _ := w.fs.open(path.Join(dir, name)); f != nil && path.IsAbs(dir) {
			return f, path.Join(dir, name)
		}
	}
	return nil, ""
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
