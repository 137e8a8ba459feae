package facts

import (
	"strconv"
	"strings"

	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// question is what a probe asks of its pod.
type question struct {
	query  endpoints.Query
	via    string
	host   string // of the Host header
	port   int
	call   *reach.Call // for exec
	answer *Container  // who answers
	node   loader.Node // of answer
	step   reach.Step
}

func (a *asking) requests() []question {
	p := a.probe
	handler := a.node.Get(p.Field, p.Handler)
	switch p.Handler {
	case keyHTTPGet:
		if len(p.Targets) == 0 || p.Targets[0].Place != string(reach.Self) {
			return nil
		}
		at := handler.Get("path")
		if !at.Present() {
			at = handler
		}
		r := question{via: keyHTTPGet, port: p.Port.Number, step: place(at, "httpGet "+p.HTTP.Path)}
		for _, h := range p.HTTP.Headers {
			if strings.EqualFold(h.Name, "host") {
				r.host = h.Value
			}
		}
		return []question{a.http(r, p.HTTP.Path)}
	case keyGRPC:
		at := handler.Get("service")
		if !at.Present() {
			at = handler
		}
		r := question{via: keyGRPC, port: p.Port.Number, step: place(at, `grpc asks the service "`+p.Service+`"`)}
		r.answer, r.node = a.answering(r.port)
		r.query = endpoints.Query{Image: r.answer.Image, Probe: keyGRPC, Text: p.Service}
		return []question{r}
	case keyExec:
		return a.commands()
	}
	return nil
}

func (a *asking) http(r question, path string) question {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	r.answer, r.node = a.answering(r.port)
	r.query = endpoints.Query{Image: r.answer.Image, Probe: keyHTTPGet, Text: path}
	return r
}

// commands are the programs that an exec probe starts, and what they ask of the pod over HTTP.
func (a *asking) commands() []question {
	var out []question
	for i := range a.found.Calls {
		call := &a.found.Calls[i]
		if len(call.Trace) == 0 {
			continue
		}
		step := call.Trace[len(call.Trace)-1]
		via := call.Argv[0][strings.LastIndexByte(call.Argv[0], '/')+1:]
		for _, ask := range call.Asks {
			out = append(out, a.http(question{via: via, port: portNumber(ask.Port), call: call, step: step}, ask.Path))
		}
		out = append(out, question{
			query: endpoints.Query{Image: a.own.Image, Probe: keyExec, Text: call.Text()},
			via:   via, call: call, answer: a.own, node: a.node, step: step,
		})
	}
	return out
}

func portNumber(port string) int {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// answering is the container that listens on a port: another one only when it alone declares the port.
func (a *asking) answering(port int) (*Container, loader.Node) {
	if port == 0 || declares(a.own, func(p Port) bool { return p.Number == port }) {
		return a.own, a.node
	}
	var other *Container
	for i := range a.facts.Containers {
		c := &a.facts.Containers[i]
		if c.Type != typeApp && c.Type != typeSidecar || c.Name == a.own.Name || !declares(c, func(p Port) bool { return p.Number == port }) {
			continue
		}
		if other != nil {
			return a.own, a.node
		}
		other = c
	}
	if other == nil {
		return a.own, a.node
	}
	return other, a.workload.object.Find(other.Path)
}
