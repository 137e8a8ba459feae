package reach

import (
	"path"
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
)

// Explore finds what the probe of s touches, and what it calls. It reads nothing but the bundle and never fails: what cannot be
// proven is left out or marked.
func Explore(l Lookup, s Subject) *Exploration {
	p := newPod(l, s)
	e := &Exploration{Result: Result{Handler: handlerOf(s.Probe)}}
	switch e.Handler {
	case "exec":
		return p.exec().explored()
	case "httpGet", "tcpSocket":
		e.Targets = []Target{p.dialled(e.Handler)}
	case "grpc":
		n := s.Probe.Get("grpc")
		e.Targets = []Target{{
			Port: n.Get("port").Text(), Scheme: "grpc", Place: Self, Via: "grpc", Decides: true, Confidence: Certain,
			Trace: []Step{where(n, "grpc asks the pod itself")},
		}}
	}
	return e
}

// handlerOf is the handler of a probe; "" where there is none, or more than one.
func handlerOf(probe loader.Node) string {
	handler := ""
	for _, key := range [...]string{"exec", "httpGet", "tcpSocket", "grpc"} {
		switch {
		case !probe.Get(key).Present():
		case handler != "":
			return ""
		default:
			handler = key
		}
	}
	return handler
}

// dialled is the target of httpGet or tcpSocket: the kubelet dials it from the node.
func (p *pod) dialled(handler string) Target {
	n := p.subject.Probe.Get(handler)
	port := n.Get("port")
	t := Target{Port: port.Text(), Scheme: "tcp", Place: Self, Via: handler, Decides: true, Confidence: Certain}
	if handler == "httpGet" {
		t.Scheme = strings.ToLower(n.Get("scheme").Text())
		if t.Scheme == "" {
			t.Scheme = "http"
		}
	}
	if !digits(t.Port) {
		t.Port = p.namedPort(t.Port)
	}
	host := n.Get("host")
	if !host.Present() || host.Text() == "" {
		t.Trace = []Step{where(n, handler+" asks the pod itself")}
		return t
	}
	t.Host = host.Text()
	loc := p.fromNode(host)
	t.Place, t.Subject = loc.place, loc.subject
	if !loc.sure {
		t.Confidence = Likely
	}
	t.Trace = []Step{where(host, "host: "+plain(t.Host))}
	switch {
	case loc.text != "":
		t.Trace[0].Text += ", " + loc.text
	case loc.place == Node:
		t.Trace[0].Text += " is the node, not the pod: the kubelet dials from the host network"
	}
	if t.Place.Remote() {
		t.Outcome = "the kubelet cannot reach " + t.Host
	}
	return t
}

func (p *pod) namedPort(name string) string {
	for _, port := range p.subject.Container.Get("ports").Items() {
		if port.Get("name").Text() == name {
			return port.Get("containerPort").Text()
		}
	}
	return ""
}

// fromNode resolves a host as the kubelet does: on the node, without the pod's hosts file.
func (p *pod) fromNode(host loader.Node) location {
	name := host.Text()
	if host.Type() == loader.Opaque || hasTemplate(name) || strings.ContainsAny(name, "$<>") {
		return location{place: Unknown}
	}
	loc := p.locate(name)
	if loc.place == Self {
		if p.hostNetwork() {
			return loc
		}
		first, _, _ := strings.Cut(strings.ToLower(name), ".")
		if strings.EqualFold(first, p.name) {
			return location{place: Unknown}
		}
		return location{place: Node, sure: true}
	}
	return loc
}

// exec runs the command of an exec probe in the simulated container.
func (p *pod) exec() *Exploration {
	e := &Exploration{Result: Result{Handler: "exec"}, study: &study{}}
	res := &e.Result
	w := p.newWorld()
	argv := firstCommand(w.command())
	if len(argv) == 0 {
		return e
	}
	s := w.study(argv)
	e.world, e.study, e.argv = w, s, argv
	shown := s.first
	if len(s.healthy) > 0 {
		shown = s.healthy[0]
	}
	res.Programs, res.Opaque = shown.run.programs, shown.run.opaque
	if len(s.healthy) == 0 {
		w.static(res, argv)
		return e
	}
	for _, o := range s.healthy[1:] {
		res.starts(o.run)
	}
	for _, t := range s.targets() {
		target := w.target(t)
		target.Decides, target.Confidence, target.Outcome = s.verdict(t)
		target.Hangs = !target.Decides && target.Place.Remote() && w.hangs(s, t, argv)
		res.Targets = append(res.Targets, target)
	}
	w.detoured(res, s)
	res.NeverFails = w.neverFails(s, argv)
	p.otherReplicas(res, w, s, argv)
	return e
}

func (p *pod) newWorld() *world {
	w := &world{
		pod: p, env: p.newEnvironment(), fs: p.newFilesystem(), timeout: 1,
		scripts: map[string]*script{}, functions: map[string]bool{}, fallbacks: map[int]bool{},
	}
	w.env.vars["HOSTNAME"] = binding{value: p.name}
	if n, ok := p.subject.Probe.Get("timeoutSeconds").Int(); ok && n > 0 {
		w.timeout = float64(n)
	}
	p.engine.equip(w)
	return w
}

// starts adds the programs of a run.
func (res *Result) starts(r *run) {
	for _, program := range r.programs {
		if !slices.Contains(res.Programs, program) {
			res.Programs = append(res.Programs, program)
		}
	}
}

// detoured adds the targets of the detours.
func (w *world) detoured(res *Result, s *study) {
	for _, d := range s.detours {
		res.starts(d.run)
		res.add(w, d.touch, d.text)
	}
}

// add adds a target that decides in some runs only.
func (res *Result) add(w *world, t touch, outcome string) {
	if len(res.Targets) < maxTargets {
		target := w.target(t)
		target.Decides, target.Confidence, target.Outcome = true, Likely, outcome
		res.Targets = append(res.Targets, target)
	}
}

// firstCommand ends argv where it goes on as for a shell that is not there: ["nc", "-z", "db", "5432", "&&", "true"]. The
// program gets all of it as arguments, but what follows was not meant as such, and no host is to be read from it.
func firstCommand(argv []string) []string {
	end := slices.IndexFunc(argv, func(arg string) bool { return arg == "&&" || arg == "||" || arg == "|" || arg == ";" })
	if end <= 0 || isShell(path.Base(argv[0])) {
		return argv
	}
	return argv[:end]
}

// static reads the targets off the text when no healthy run could be made.
func (w *world) static(res *Result, argv []string) {
	o := w.simulate(argv, plan{static: true})
	res.Programs = o.run.programs
	if res.Opaque == "" {
		res.Opaque = o.run.opaque
	}
	if res.Opaque == "" {
		res.Opaque = "no healthy run of the check could be made"
	}
	for _, t := range o.run.touched {
		if len(res.Targets) == maxTargets {
			return
		}
		target := w.target(t)
		target.Decides, target.Confidence, target.Assumed = true, Likely, true
		// What makes the check succeed by being away is no dependency of it.
		if w.simulate(argv, plan{down: t.outage()}).healthy() {
			target.Decides = false
		}
		res.Targets = append(res.Targets, target)
	}
}

// target makes a Target of a touch, with its trace.
func (w *world) target(t touch) Target {
	out := Target{
		Host: plain(t.host), Port: plain(t.port), Scheme: t.scheme, Place: t.place, Dependency: t.dependency,
		Subject: t.subject, Via: t.via, Confidence: Certain,
	}
	if out.Host == podIP {
		out.Host = "" // it stands for an address that is only known in the cluster
	}
	out.Trace = w.trace(t.site)
	if t.site < 0 {
		out.Trace = []Step{w.directStep()}
	}
	explained := false
	for _, step := range w.origin(t) {
		out.Trace = append(out.Trace, step)
		explained = true
	}
	if t.text != "" {
		if explained {
			out.Trace[len(out.Trace)-1].Text += ", " + t.text
		} else if t.at != nil {
			out.Trace = append(out.Trace, Step{Object: t.at, Span: t.at.Span(loader.Path{"metadata", "name"}), Text: t.text})
		}
	}
	return out
}

// directStep is the command itself, where no shell stands between.
func (w *world) directStep() Step {
	var words []string
	for _, item := range w.pod.commandWords() {
		words = append(words, item.Text())
	}
	s := &script{text: strings.Join(words, " ")}
	return w.entryStep(s.line(0, len(s.text)))
}
