package reach_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// bundle is a Lookup over the objects of one YAML text.
type bundle struct {
	objects []*loader.Object
	labels  map[string]string // of the probed pod template
	own     *loader.Object
}

func parse(tb testing.TB, text string) *bundle {
	tb.Helper()
	file, _ := loader.Parse("bundle.yaml", []byte(text), loader.Options{})
	for _, p := range file.Problems {
		tb.Fatalf("bundle.yaml:%d: %s", p.Span.Start.Line, p.Message)
	}
	return &bundle{objects: file.Objects}
}

func (b *bundle) Object(kind, namespace, name string) *loader.Object {
	for _, o := range b.objects {
		if o.Kind == kind && o.Name == name && (o.Namespace == namespace || o.Namespace == "" || namespace == "") {
			return o
		}
	}
	return nil
}

func podTemplate(o *loader.Object) loader.Node {
	switch o.Kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return o.Root().Get("spec", "template")
	case "Pod":
		return o.Root()
	}
	return loader.Node{}
}

func textMap(n loader.Node) map[string]string {
	out := map[string]string{}
	for k, v := range n.Entries() {
		out[k] = v.Text()
	}
	return out
}

func selects(selector, labels map[string]string) bool {
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return len(selector) > 0
}

func (b *bundle) Service(namespace, name string) (reach.Service, bool) {
	o := b.Object("Service", namespace, name)
	if o == nil {
		return reach.Service{}, false
	}
	spec := o.Root().Get("spec")
	out := reach.Service{Object: o, ExternalName: spec.Get("externalName").Text(), Headless: spec.Get("clusterIP").Text() == "None"}
	selector := textMap(spec.Get("selector"))
	out.Own = selects(selector, b.labels)
	for _, w := range b.objects {
		if w != b.own && selects(selector, textMap(podTemplate(w).Get("metadata", "labels"))) {
			out.Backs = w.Kind + " " + w.Name
		}
	}
	return out, true
}

func (b *bundle) IngressHost(host string) (reach.Service, bool) {
	for _, o := range b.objects {
		if o.Kind != "Ingress" {
			continue
		}
		for _, r := range o.Root().Get("spec", "rules").Items() {
			if r.Get("host").Text() == host {
				return b.Service(o.Namespace, r.Get("http", "paths").Index(0).Get("backend", "service", "name").Text())
			}
		}
	}
	return reach.Service{}, false
}

// subjects lists every probe of the bundle's pod templates.
func (b *bundle) subjects() []reach.Subject {
	var out []reach.Subject
	for _, o := range b.objects {
		template := podTemplate(o)
		spec := template.Get("spec")
		for _, c := range spec.Get("containers").Items() {
			for _, kind := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
				if probe := c.Get(kind); probe.Present() {
					out = append(out, reach.Subject{
						Workload: o, Pod: spec, Labels: textMap(template.Get("metadata", "labels")), Container: c, Probe: probe,
					})
				}
			}
		}
	}
	return out
}

// analyse runs the first probe of text.
func analyse(tb testing.TB, text string) reach.Result {
	tb.Helper()
	b := parse(tb, text)
	all := b.subjects()
	if len(all) == 0 {
		tb.Fatal("no probe in the bundle")
	}
	b.own, b.labels = all[0].Workload, all[0].Labels
	return reach.Explore(b, all[0]).Result
}

// summary is a target in one line: "place host:port dependency decides|tolerated confidence: outcome".
func summary(t reach.Target) string {
	words := []string{string(t.Place)}
	address := t.Host
	if t.Port != "" {
		address += ":" + t.Port
	}
	if address != "" {
		words = append(words, address)
	}
	if t.Dependency != "" {
		words = append(words, "("+t.Dependency+")")
	}
	if t.Subject != "" {
		words = append(words, "["+t.Subject+"]")
	}
	words = append(words, "via "+t.Via)
	switch {
	case t.Assumed && t.Decides:
		words = append(words, "assumed")
	case t.Decides:
		words = append(words, "decides")
	default:
		words = append(words, "tolerated")
	}
	if t.Confidence == reach.Likely {
		words = append(words, "likely")
	}
	out := strings.Join(words, " ")
	if t.Decides && t.Outcome != "" {
		out += ": " + t.Outcome
	}
	return out
}

func summaries(r reach.Result) []string {
	var out []string
	for _, t := range r.Targets {
		out = append(out, summary(t))
	}
	return out
}

func traceLines(t reach.Target) []string {
	var out []string
	for _, s := range t.Trace {
		out = append(out, fmt.Sprintf("%d:%d %s", s.Span.Start.Line, s.Span.Start.Column, s.Text))
	}
	return out
}
