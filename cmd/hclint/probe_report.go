package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/internal/reach"
)

// probeReport is what hclint probe says about one probe.
type probeReport struct {
	File      string          `json:"file"`
	Line      int             `json:"line"`
	Object    string          `json:"object"`
	Container string          `json:"container"`
	Type      string          `json:"type"`
	Handler   string          `json:"handler"`
	Asks      string          `json:"asks"`
	Restarts  bool            `json:"restarts"`
	Targets   []probeTarget   `json:"targets"`
	Endpoint  *facts.Endpoint `json:"endpoint"`
	Trace     []probeStep     `json:"endpoint_trace"`
	Delay     int             `json:"initial_delay_seconds"`
	Budget    *facts.Budget   `json:"budget"`
	// NotFollowed says why the check could not be followed to its end.
	NotFollowed string `json:"not_followed"`
	NeverFails  bool   `json:"never_fails"`
}

type probeTarget struct {
	facts.Target
	Trace []probeStep `json:"trace"`
}

type probeStep struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// probesOf reports on the probes of a workload: all, or the one that a line belongs to.
func probesOf(s *facts.Subject, w *facts.Workload, line int) []probeReport {
	var out []probeReport
	for _, c := range w.Containers {
		for i := range c.Probes {
			p := &c.Probes[i]
			n := s.Object.Find(p.Path)
			from, to := n.KeySpan(), n.ValueSpan()
			if line > 0 && (line < from.Start.Line || line > to.End.Line || line == to.End.Line && to.End.Column == 1) {
				continue
			}
			out = append(out, newProbeReport(s, w, c.Name, p, from.Start.Line))
		}
	}
	return out
}

func newProbeReport(s *facts.Subject, w *facts.Workload, container string, p *facts.Probe, line int) probeReport {
	r := probeReport{
		File: s.File.Name, Line: line, Object: w.Kind + " " + w.Name, Container: container, Type: p.Type, Handler: p.Handler,
		Asks: asks(p), Restarts: p.Restarts, Targets: []probeTarget{}, Trace: []probeStep{}, Delay: p.InitialDelay, NotFollowed: p.Opaque, NeverFails: p.NeverFails,
	}
	for _, t := range p.Targets {
		r.Targets = append(r.Targets, probeTarget{t, steps(s, t.Evidence)})
	}
	if p.Endpoint.Asked != "" || p.Endpoint.Kind == "grpc" {
		r.Endpoint = &p.Endpoint
		r.Trace = steps(s, p.Endpoint.Evidence)
	}
	if p.Known {
		r.Budget = &p.Budget
	}
	return r
}

func steps(s *facts.Subject, evidence int) []probeStep {
	out := []probeStep{}
	if evidence < 0 || evidence >= len(s.Evidence) {
		return out
	}
	for _, step := range s.Evidence[evidence] {
		out = append(out, newProbeStep(s, step))
	}
	return out
}

func newProbeStep(s *facts.Subject, step reach.Step) probeStep {
	file := s.File.Name
	if step.Object != nil {
		file = step.Object.File.Name
	}
	return probeStep{File: file, Line: step.Span.Start.Line, Column: step.Span.Start.Column, Message: step.Text}
}

// asks is the handler of a probe in one line.
func asks(p *facts.Probe) string {
	port := p.Port.Name
	if port == "" {
		port = strconv.Itoa(p.Port.Number)
	}
	where := "port " + port
	if p.Host != "" {
		where += " of host " + p.Host
	}
	switch p.Handler {
	case "httpGet":
		return p.HTTP.Scheme + " GET " + p.HTTP.Path + " on " + where
	case "tcpSocket":
		return "a connection to " + where
	case "grpc":
		if p.Service == "" {
			return "the gRPC health service on " + where
		}
		return fmt.Sprintf("the gRPC health service %q on %s", p.Service, where)
	case "exec":
		return strings.Join(p.Command, " ")
	}
	return "nothing: it has no handler, or more than one"
}

// probeText is the report for people.
func probeText(found []probeReport) string {
	var b strings.Builder
	for i := range found {
		if i > 0 {
			b.WriteByte('\n')
		}
		found[i].write(&b)
	}
	return b.String()
}

func (r *probeReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s:%d: %s of container %q in %s\n", r.File, r.Line, r.Type, r.Container, r.Object)
	fmt.Fprintf(b, "  %s: %s\n", handlerName(r.Handler), firstLine(r.Asks))
	for _, t := range r.Targets {
		if r.Handler == "exec" || t.Place != string(reach.Self) {
			t.write(b)
		}
	}
	if len(r.Targets) == 0 && r.Handler == "exec" && r.NotFollowed == "" {
		b.WriteString("  touches nothing over the network\n")
	}
	if r.Endpoint != nil {
		r.writeEndpoint(b)
	}
	if r.NotFollowed != "" {
		fmt.Fprintf(b, "  not followed to its end: %s\n", r.NotFollowed)
	}
	if r.NeverFails {
		b.WriteString("  whatever its calls answer, it succeeds\n")
	}
	r.writeBudget(b)
}

func handlerName(handler string) string {
	if handler == "" {
		return "handler"
	}
	return handler
}

func firstLine(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(rest) != "" {
		return line + " …"
	}
	return line
}

// what names the target: the product and its address, as far as either is known.
func (t *probeTarget) what() string {
	address := t.Host
	switch {
	case t.Port != "" && address != "":
		address += ":" + t.Port
	case t.Port != "":
		address = "port " + t.Port
	}
	switch {
	case t.Dependency != "" && address != "":
		return t.Dependency + " at " + address
	case t.Dependency == "" && address == "":
		return "an address that is not known"
	}
	return t.Dependency + address
}

func (t *probeTarget) write(b *strings.Builder) {
	fmt.Fprintf(b, "  touches %s (%s", t.what(), placeWords(t.Place))
	if t.Subject != "" {
		fmt.Fprintf(b, ": %s", t.Subject)
	}
	fmt.Fprintf(b, ") by %s\n", t.Via)
	writeSteps(b, t.Trace)
	switch {
	case t.Outcome != "":
		fmt.Fprintf(b, "    when it is down: %s%s\n", t.Outcome, sureness(t.Confidence))
	case !t.Decides:
		fmt.Fprintf(b, "    when it is down: the outcome is the same%s\n", sureness(t.Confidence))
	default:
		fmt.Fprintf(b, "    when it is down: the probe fails%s\n", sureness(t.Confidence))
	}
	if t.Hangs {
		b.WriteString("    when it does not answer at all: the probe hangs until timeoutSeconds, which counts as a failure\n")
	}
}

func sureness(confidence string) string {
	if confidence == string(reach.Likely) {
		return " (likely)"
	}
	return ""
}

func placeWords(place string) string {
	switch reach.Place(place) {
	case reach.Self:
		return "this pod"
	case reach.Node:
		return "the node"
	case reach.OwnService:
		return "its own Service"
	case reach.InBundle:
		return "a Service"
	case reach.Cluster:
		return "in the cluster"
	case reach.External:
		return "outside the cluster"
	case reach.Unknown:
	}
	return "where that is, is not known"
}

func writeSteps(b *strings.Builder, list []probeStep) {
	for _, s := range list {
		fmt.Fprintf(b, "    %s:%d %s\n", s.File, s.Line, s.Message)
	}
}

func (r *probeReport) writeEndpoint(b *strings.Builder) {
	e := r.Endpoint
	if e.ID == "" && !e.Configured {
		if e.Kind == "http" || e.Kind == "grpc" {
			fmt.Fprintf(b, "  endpoint %s: what its handler asks is not known\n", e.Asked)
		}
		return
	}
	name := e.Asked
	if e.Product != "" {
		name += " of " + e.Product
	}
	if e.Depends == "no" && e.Configured {
		fmt.Fprintf(b, "  endpoint %s: its configuration in the bundle names nothing outside the pod that it asks\n", name)
		writeSteps(b, r.Trace)
		return
	}
	switch e.Depends {
	case "yes":
		fmt.Fprintf(b, "  endpoint %s: fails without %s%s\n", name, e.Dependency, sureness(e.Confidence))
	case "no":
		fmt.Fprintf(b, "  endpoint %s: answers for its own process alone, or its answer does not count\n", name)
	default:
		fmt.Fprintf(b, "  endpoint %s: configuration decides, and the bundle does not show it: %s\n", name, e.Decides)
	}
	writeSteps(b, r.Trace)
	if e.Verified != "" {
		fmt.Fprintf(b, "    known from: %s (%s)\n", e.Source, e.Verified)
	}
}

func (r *probeReport) writeBudget(b *strings.Builder) {
	if r.Budget == nil {
		b.WriteString("  budget: unknown, since a timing is\n")
		return
	}
	if r.Type == "startup" {
		fmt.Fprintf(b, "  budget: a container that starts while it fails is killed %d to %d s after its start\n",
			r.Delay+r.Budget.Harmless, r.Delay+r.Budget.Latest)
		return
	}
	what := "makes every replica unready"
	if r.Restarts {
		what = "restarts every replica"
	}
	fmt.Fprintf(b, "  budget: an outage under %d s has no effect; one of %d s or more %s, within %d s of each other\n",
		r.Budget.Harmless, r.Budget.Fatal, what, r.Budget.Spread)
}
