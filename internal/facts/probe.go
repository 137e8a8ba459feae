package facts

import (
	"strconv"
	"strings"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// Probe is one probe with the API server's defaults filled in.
type Probe struct {
	Type    string `json:"type" jsonschema:"enum=liveness,enum=readiness,enum=startup"`
	Field   string `json:"field" jsonschema:"enum=livenessProbe,enum=readinessProbe,enum=startupProbe"`
	Path    Path   `json:"path"`
	Handler string `json:"handler" jsonschema:"enum=exec,enum=httpGet,enum=tcpSocket,enum=grpc,enum=,description=empty when there is none or more than one"`
	// Restarts: its failure restarts (or, where nothing restarts, ends) the container.
	Restarts         bool `json:"restarts"`
	InitialDelay     int  `json:"initial_delay"`
	Period           int  `json:"period"`
	Timeout          int  `json:"timeout"`
	FailureThreshold int  `json:"failure_threshold"`
	SuccessThreshold int  `json:"success_threshold"`
	// Written lists the timing keys that stand in the manifest.
	Written []string `json:"written"`
	// Zero lists those whose written value is 0.
	Zero []string `json:"zero" jsonschema:"description=timing keys with a written 0; for all but initialDelaySeconds it means unset"`
	// Known is false when a timing is templated: then Budget means nothing.
	Known  bool   `json:"known"`
	Budget Budget `json:"budget"`
	// Overlaps: a probe that hangs takes longer than the period, so the next is late.
	Overlaps bool     `json:"overlaps" jsonschema:"description=timeout is larger than period"`
	Port     PortRef  `json:"port"`
	Host     string   `json:"host" jsonschema:"description=host of httpGet or tcpSocket as written"`
	HTTP     HTTP     `json:"http"`
	Service  string   `json:"service" jsonschema:"description=service of grpc"`
	Command  []string `json:"command"`
	// Programs, Targets, Opaque and NeverFails are what reach found (package reach).
	Programs   []string `json:"programs"`
	Targets    []Target `json:"targets"`
	Opaque     string   `json:"opaque"`
	NeverFails bool     `json:"never_fails"`
	// Endpoint is what is known of what the probe asks of its own pod.
	Endpoint Endpoint `json:"endpoint"`
	// Launch is what the command starts that is slow to start.
	Launch Launch `json:"launch"`
	// Literals is text that nobody expands; Shell is the command as a shell has to be given it, when there are any.
	Literals []Literal `json:"literals"`
	Shell    []string  `json:"shell"`
	// BlindCurl is the URL that the command asks with curl, leaving the status out of the verdict; "" when it does not.
	BlindCurl string `json:"blind_curl" jsonschema:"description=URL whose status curl ignores; empty when it does not"`
}

// HTTP is what an httpGet asks.
type HTTP struct {
	Scheme string `json:"scheme"`
	Path   string `json:"path"`
	// Headers are in the order of the manifest.
	Headers []Header `json:"headers"`
}

// Header is one header of an httpGet.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Budget is what an outage must last to have an effect, in seconds (the formulas are in probe.go).
type Budget struct {
	// Harmless: an outage shorter than this restarts nobody.
	Harmless int `json:"harmless"`
	// Fatal: an outage at least this long restarts every replica.
	Fatal int `json:"fatal"`
	// Earliest and Latest bound the verdict after the dependency stops answering (hangs).
	Earliest int `json:"earliest"`
	Latest   int `json:"latest"`
	// Spread: all replicas get the verdict within this time of each other.
	Spread int `json:"spread"`
}

// PortRef is a port as a probe names it.
type PortRef struct {
	Name     string `json:"name" jsonschema:"description=empty for a number"`
	Number   int    `json:"number" jsonschema:"description=resolved; 0 when unknown"`
	Declared bool   `json:"declared" jsonschema:"description=the same container declares it"`
	// DeclaredBy names another container of the pod that declares the name.
	DeclaredBy string `json:"declared_by"`
	Known      bool   `json:"known" jsonschema:"description=false when templated or absent"`
}

// Target is something outside (or inside) the pod that a probe touches.
type Target struct {
	Host       string `json:"host"`
	Port       string `json:"port"`
	Scheme     string `json:"scheme"`
	Place      string `json:"place" jsonschema:"enum=self,enum=node,enum=own-service,enum=service,enum=cluster,enum=external,enum=unknown"`
	Remote     bool   `json:"remote"`
	Dependency string `json:"dependency"`
	Subject    string `json:"subject" jsonschema:"description=what stands behind the address in the bundle; empty when unknown"`
	Via        string `json:"via"`
	Decides    bool   `json:"decides"`
	Confidence string `json:"confidence" jsonschema:"enum=certain,enum=likely"`
	Outcome    string `json:"outcome"`
	// Hangs: the check tolerates that the target refuses, but one that does not answer at all holds it up until the timeout.
	Hangs bool `json:"hangs" jsonschema:"description=tolerated when it refuses; but one that does not answer outlasts the timeout"`
	// Evidence is the index of the trace that proves it.
	Evidence int `json:"evidence"`
}

// probeTypes are the fields that hold probes, in the order in which they matter.
func probeTypes() []struct{ name, field string } {
	return []struct{ name, field string }{
		{"liveness", "livenessProbe"},
		{"readiness", "readinessProbe"},
		{"startup", "startupProbe"},
	}
}

// Defaults of the API server: k8s.io/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_Probe. A written 0 means unset.
const (
	defaultTimeout          = 1
	defaultPeriod           = 10
	defaultSuccessThreshold = 1
	defaultFailureThreshold = 3
)

// readProbe fills in what can be read off the manifest; what the probe touches is added by workload.go.
func readProbe(name, field string, container *Container, n loader.Node) Probe {
	p := Probe{
		Type: name, Field: field, Path: n.Path(), Known: true,
		Restarts: name != "readiness" && (container.Type == typeApp || container.Type == typeSidecar),
		Written:  []string{}, Command: []string{}, Programs: []string{}, Targets: []Target{},
	}
	read := func(key string, unset int) int {
		v := n.Get(key)
		if !v.Present() {
			return unset
		}
		p.Written = append(p.Written, key)
		i, ok := int32Value(v)
		if !ok {
			p.Known = false
			return unset
		}
		if i == 0 {
			p.Zero = append(p.Zero, key)
			return unset
		}
		return i
	}
	p.InitialDelay = read("initialDelaySeconds", 0)
	p.Period = read("periodSeconds", defaultPeriod)
	p.Timeout = read("timeoutSeconds", defaultTimeout)
	p.FailureThreshold = read("failureThreshold", defaultFailureThreshold)
	p.SuccessThreshold = read("successThreshold", defaultSuccessThreshold)
	p.Known = p.Known && p.InitialDelay >= 0 && p.Period > 0 && p.Timeout > 0 && p.FailureThreshold > 0
	if p.Known {
		p.Overlaps = p.Timeout > p.Period
		p.Budget = budget(p.Period, p.Timeout, p.FailureThreshold)
	}
	readHandler(&p, n)
	return p
}

// budget is how long a dependency must be away to have an effect. Probes of one container start every period (or back to
// back, when one takes longer than the period), failureThreshold of them in a row give the verdict, and an outage begins at a
// random moment of the period: k8s.io/kubernetes pkg/kubelet/prober/worker.go.
func budget(period, timeout, threshold int) Budget {
	interval := max(period, timeout)
	return Budget{
		Harmless: (threshold - 1) * period,
		Fatal:    period + (threshold-1)*interval,
		Earliest: (threshold-1)*interval + timeout,
		Latest:   period + (threshold-1)*interval + timeout,
		Spread:   period,
	}
}

func readHandler(p *Probe, n loader.Node) {
	for _, handler := range handlerNames {
		if !n.Get(handler).Present() {
			continue
		}
		if p.Handler != "" { // the API server takes exactly one
			p.Handler = ""
			return
		}
		p.Handler = handler
	}
	h := n.Get(p.Handler)
	switch p.Handler {
	case "exec":
		for _, arg := range h.Get("command").Items() {
			p.Command = append(p.Command, arg.Text())
		}
	case "httpGet":
		p.HTTP = HTTP{Scheme: "HTTP", Path: "/"}
		if s := h.Get("scheme").Text(); s != "" {
			p.HTTP.Scheme = s
		}
		if s := h.Get("path").Text(); s != "" {
			p.HTTP.Path = s
		}
		p.HTTP.Headers = headers(h)
		p.Host = h.Get("host").Text()
	case "tcpSocket":
		p.Host = h.Get("host").Text()
	case "grpc":
		p.Service = h.Get("service").Text()
	}
}

// resolvePort looks up the port that the probe names, as the kubelet does: by name in the same container only
// (k8s.io/kubernetes pkg/probe/util.go).
func resolvePort(p *Probe, n loader.Node, own *Container, all []Container) {
	if p.Handler == "" || p.Handler == "exec" {
		return
	}
	port := n.Get(p.Handler, "port")
	if i, ok := port.Int(); ok {
		p.Port = PortRef{Number: i, Known: true, Declared: declares(own, func(d Port) bool { return d.Number == i })}
		return
	}
	name, ok := port.Str()
	if !ok || name == "" || templated(name) {
		return
	}
	if i, err := strconv.Atoi(name); err == nil {
		p.Port = PortRef{Number: i, Known: true, Declared: declares(own, func(d Port) bool { return d.Number == i })}
		return
	}
	p.Port = PortRef{Name: name, Known: true}
	for _, d := range own.Ports {
		if d.Name == name {
			p.Port.Declared = true
			p.Port.Number = d.Number
			return
		}
	}
	for _, other := range all {
		if declares(&other, func(d Port) bool { return d.Name == name }) {
			p.Port.DeclaredBy = other.Name
			return
		}
	}
}

func declares(c *Container, match func(Port) bool) bool {
	for _, p := range c.Ports {
		if match(p) {
			return true
		}
	}
	return false
}

// templated reports whether text still waits for another program to fill it in.
func templated(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "{{") || strings.Contains(text, "$(") ||
		strings.Contains(text, "<nil>") || strings.HasPrefix(text, "$")
}

// addReach copies what reach found into the probe; traces go to the subject's evidence.
func addReach(p *Probe, r reach.Result, s *Subject) {
	p.Programs = append(p.Programs, r.Programs...)
	p.Opaque = r.Opaque
	p.NeverFails = r.NeverFails
	for i := range r.Targets {
		t := &r.Targets[i]
		p.Targets = append(p.Targets, Target{
			Host: t.Host, Port: t.Port, Scheme: t.Scheme,
			Place: string(t.Place), Remote: t.Place.Remote(),
			Dependency: t.Dependency, Subject: t.Subject, Via: t.Via,
			Decides: t.Decides, Confidence: string(t.Confidence), Outcome: t.Outcome, Hangs: t.Hangs,
			Evidence: len(s.Evidence),
		})
		s.Evidence = append(s.Evidence, t.Trace)
	}
}

func headers(httpGet loader.Node) []Header {
	var out []Header
	for _, h := range httpGet.Get("httpHeaders").Items() {
		out = append(out, Header{Name: h.Get("name").Text(), Value: h.Get("value").Text()})
	}
	return out
}
