package reach

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/hclint/hclint/loader"
)

// Analyse finds what the probe of s touches. It reads nothing but the bundle and never fails: what cannot be proven is
// left out or marked.
func Analyse(l Lookup, s Subject) Result {
	p := newPod(l, s)
	handler := ""
	for _, key := range [...]string{"exec", "httpGet", "tcpSocket", "grpc"} {
		if s.Probe.Get(key).Present() {
			if handler != "" {
				return Result{}
			}
			handler = key
		}
	}
	switch handler {
	case "httpGet", "tcpSocket":
		return Result{Handler: handler, Targets: []Target{p.dialled(handler)}}
	case "grpc":
		n := s.Probe.Get("grpc")
		return Result{Handler: handler, Targets: []Target{{
			Port: n.Get("port").Text(), Scheme: "grpc", Place: Self, Via: "grpc", Decides: true, Confidence: Certain,
			Trace: []Step{where(n, "grpc asks the pod itself")},
		}}}
	case "exec":
		return p.exec().Result
	}
	return Result{Handler: handler}
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
	w := &world{pod: p, env: p.newEnvironment(), scripts: map[string]*script{}, functions: map[string]bool{}, timeout: 1}
	w.env.vars["HOSTNAME"] = binding{value: p.name}
	w.fs = p.newFilesystem()
	if n, ok := p.subject.Probe.Get("timeoutSeconds").Int(); ok && n > 0 {
		w.timeout = float64(n)
	}
	argv := w.command()
	if len(argv) == 0 {
		return e
	}
	s := w.study(argv)
	e.world, e.study, e.argv = w, s, argv
	shown := s.first
	if len(s.healthy) > 0 {
		shown = s.healthy[0]
	}
	res.Programs, res.Shell, res.Opaque = shown.run.programs, shown.run.shell, shown.run.opaque
	if len(s.healthy) == 0 {
		w.static(res, argv)
		return e.explored()
	}
	for _, o := range s.healthy[1:] {
		for _, program := range o.run.programs {
			if !slices.Contains(res.Programs, program) {
				res.Programs = append(res.Programs, program)
			}
		}
	}
	for _, t := range s.targets() {
		target := w.target(t)
		target.Decides, target.Confidence, target.Outcome = s.verdict(t)
		res.Targets = append(res.Targets, target)
	}
	res.NeverFails = w.neverFails(s, argv)
	return e.explored()
}

// static reads the targets off the text when no healthy run could be made.
func (w *world) static(res *Result, argv []string) {
	o := w.simulate(argv, plan{static: true})
	res.Programs, res.Shell = o.run.programs, o.run.shell
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
		res.Targets = append(res.Targets, target)
	}
}

// target makes a Target of a touch, with its trace.
func (w *world) target(t touch) Target {
	out := Target{
		Host: plain(t.host), Port: plain(t.port), Scheme: t.scheme, Place: t.place, Dependency: t.dependency,
		Subject: t.subject, Via: t.via, Confidence: Certain,
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
	command := w.pod.subject.Probe.Get("exec", "command")
	var words []string
	for _, item := range command.Items() {
		words = append(words, item.Text())
	}
	s := &script{text: strings.Join(words, " ")}
	return w.entryStep(s.line(0, len(s.text)))
}

// origin says where the host's value is written: through the variables that the call's words name.
func (w *world) origin(t touch) []Step {
	if t.host == "" || tainted(t.host) {
		return nil
	}
	if t.site < 0 {
		return w.directOrigin(t)
	}
	s := w.sites[t.site]
	var out []Step
	seen := map[string]bool{}
	for _, word := range s.words {
		if out = w.variables(s.script, word, t.host, seen, 0); len(out) > 0 {
			return out
		}
	}
	if out = w.ambient(t); len(out) > 0 {
		return out
	}
	return w.mentioned(t.host)
}

// mentioned finds the variable with exactly this value that a script names: it came through a function's parameter.
func (w *world) mentioned(host string) []Step {
	names := make([]string, 0, len(w.env.vars))
	for name, b := range w.env.vars {
		if b.value == host && b.at.Present() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, s := range w.scripts {
			if strings.Contains(s.text, name) {
				return []Step{bindingStep(name, w.env.vars[name], host)}
			}
		}
	}
	return nil
}

// ambient explains hosts that a client takes from its own variables (PGHOST).
func (w *world) ambient(t touch) []Step {
	row := clientNamed(t.via)
	if row == nil {
		return nil
	}
	for name := range strings.FieldsSeq(row.env) {
		if b, ok := w.env.vars[name]; ok && strings.Contains(b.value, t.host) {
			return []Step{bindingStep(name, b, t.host)}
		}
	}
	return nil
}

func (w *world) directOrigin(t touch) []Step {
	for _, item := range w.pod.subject.Probe.Get("exec", "command").Items() {
		for _, name := range slices.Sorted(maps.Keys(w.env.vars)) {
			b := w.env.vars[name]
			if b.value != "" && strings.Contains(item.Text(), "$("+name+")") && strings.Contains(b.value, t.host) {
				return []Step{bindingStep(name, b, t.host)}
			}
		}
	}
	return w.ambient(t)
}

func bindingStep(name string, b binding, host string) Step {
	text := name + " is " + host
	if b.value != host {
		text = name + " names " + host // a URL may hold a password: never shown whole
	}
	if b.from != "" {
		text += ", from " + b.from
	}
	return where(b.at, text)
}

// variables follows the variables of a word to where the host is written.
func (w *world) variables(s *script, word *syntax.Word, host string, seen map[string]bool, depth int) []Step {
	if word == nil || depth > 6 {
		return nil
	}
	var out []Step
	syntax.Walk(word, func(n syntax.Node) bool {
		p, ok := n.(*syntax.ParamExp)
		if !ok || p.Param == nil || len(out) > 0 || seen[p.Param.Value] {
			return len(out) == 0
		}
		seen[p.Param.Value] = true
		out = w.variable(s, p.Param.Value, host, seen, depth)
		return len(out) == 0
	})
	return out
}

func (w *world) variable(s *script, name, host string, seen map[string]bool, depth int) []Step {
	// The script's own assignment is what counts at run time; its words may lead further, to the environment.
	for at := s; ; at = w.sites[at.entry].script {
		for _, a := range at.assigns[name] {
			if a.Value == nil {
				continue
			}
			if step, ok := w.assignStep(at, a, host); ok {
				return step
			}
			if rest := w.variables(at, a.Value, host, seen, depth+1); len(rest) > 0 {
				return rest
			}
		}
		if at.entry < 0 {
			break
		}
	}
	if b, ok := w.env.vars[name]; ok && b.at.Present() && strings.Contains(b.value, host) {
		return []Step{bindingStep(name, b, host)}
	}
	return nil
}

func (w *world) assignStep(s *script, a *syntax.Assign, host string) ([]Step, bool) {
	from, to := int(a.Pos().Offset()), int(a.End().Offset())
	if from < 0 || to > len(s.text) || from > to || !strings.Contains(s.text[from:to], host) {
		return nil, false
	}
	return []Step{{Object: s.object, Span: s.span(from, to), Text: a.Name.Value + " is " + host}}, true
}
