package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
)

// Verdict bounds when a probe gives up, in seconds after the first failure that it could have seen.
type Verdict struct {
	Earliest int `json:"earliest"`
	Latest   int `json:"latest"`
}

// Shared compares the liveness probe of a container with its readiness probe.
type Shared struct {
	// Same: both ask the same thing: handler, resolved port, host, scheme, path, headers, service, command.
	Same bool `json:"same" jsonschema:"description=liveness and readiness ask exactly the same"`
	// Local: what they ask is inside the pod for certain, and no endpoint of the application that could ask further.
	Local bool `json:"local"`
	// Outpaces says for which failure liveness may give up no later than readiness: when the check hangs until its timeout, or
	// only when it answers with an error at once.
	Outpaces  string  `json:"outpaces" jsonschema:"enum=,enum=hang,enum=error"`
	Liveness  Verdict `json:"liveness"`
	Readiness Verdict `json:"readiness"`
}

// compare fills in c.Shared from the container's node n.
func (c *Container) compare(n loader.Node) {
	live, ready := c.probe("liveness"), c.probe("readiness")
	if live == nil || ready == nil || live.Handler == "" {
		return
	}
	c.Shared.Same = sameCheck(live, ready) && sameRequest(n.Get(live.Field), n.Get(ready.Field), live.Handler)
	c.Shared.Local = local(live)
	if !live.Known || !ready.Known {
		return
	}
	c.Shared.outpace(live, ready)
}

// outpace compares the verdicts: readiness sheds load in time only when its latest is before liveness' earliest.
func (s *Shared) outpace(live, ready *Probe) {
	for _, failure := range []string{"hang", "error"} {
		s.Liveness, s.Readiness = live.verdict(failure), ready.verdict(failure)
		if s.Readiness.Latest >= s.Liveness.Earliest {
			s.Outpaces = failure
			return
		}
	}
	s.Liveness, s.Readiness = live.verdict("hang"), ready.verdict("hang")
}

// verdict is when the probe gives up: after failureThreshold probes that each take the whole timeout (hang) or no time
// (error). The formulas are those of budget.
func (p *Probe) verdict(failure string) Verdict {
	if failure == "hang" {
		return Verdict{p.Budget.Earliest, p.Budget.Latest}
	}
	return Verdict{p.Budget.Harmless, p.Budget.Harmless + p.Period}
}

func (c *Container) probe(name string) *Probe {
	for i := range c.Probes {
		if c.Probes[i].Type == name {
			return &c.Probes[i]
		}
	}
	return nil
}

func sameCheck(a, b *Probe) bool {
	switch a.Handler {
	case keyExec:
		return b.Handler == keyExec && len(a.Command) > 0 && slices.Equal(a.Command, b.Command)
	case keyHTTPGet, keyTCPSocket, keyGRPC:
		return a.Handler == b.Handler && samePort(a.Port, b.Port) &&
			a.Host == b.Host && a.Service == b.Service && a.HTTP.Scheme == b.HTTP.Scheme && samePath(a.HTTP.Path, b.HTTP.Path)
	default:
		return false
	}
}

// samePath compares paths; the kubelet puts a missing slash in front.
func samePath(a, b string) bool { return strings.TrimPrefix(a, "/") == strings.TrimPrefix(b, "/") }

// samePort compares what the ports lead to: a name and a number can be the same, two names that nothing declares cannot be told.
func samePort(a, b PortRef) bool {
	if !a.Known || !b.Known {
		return false
	}
	if a.Number != 0 || b.Number != 0 {
		return a.Number == b.Number
	}
	return a.Name == b.Name
}

// sameRequest compares what Probe does not hold: headers, whatever their order, and the rarer fields.
func sameRequest(a, b loader.Node, handler string) bool {
	a, b = a.Get(handler), b.Get(handler)
	if a.Get("protocol").Text() != b.Get("protocol").Text() || a.Get("mode").Text() != b.Get("mode").Text() {
		return false
	}
	return slices.Equal(sortedHeaders(a), sortedHeaders(b))
}

func sortedHeaders(n loader.Node) []Header {
	list := headers(n)
	slices.SortFunc(list, func(a, b Header) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value)) })
	return list
}

// local reports whether the outcome of a probe is decided inside the pod and not by what the application chooses to
// answer: a connection, a file or process, a client's ping of this pod's own server.
func local(p *Probe) bool {
	switch p.Handler {
	case keyTCPSocket:
		return p.Host == ""
	case keyExec:
		if p.Opaque != "" || len(p.Programs) == 0 {
			return false
		}
		for _, t := range p.Targets {
			if t.Place != "self" || t.Scheme == "http" || t.Scheme == "https" || t.Scheme == keyGRPC {
				return false
			}
		}
		return len(p.Targets) > 0 || !slices.ContainsFunc(p.Programs, func(name string) bool { return !plainProgram(name) })
	default:
		return false
	}
}

// plainProgram knows programs that look at files and processes and at nothing else.
func plainProgram(name string) bool {
	switch name {
	case "[", "awk", "basename", "cat", "cut", "date", "dirname", "echo", "egrep", "exit", "expr", "false", "find", "grep", "head", "hostname",
		"id", "kill", "killall", "ls", "pgrep", "pidof", "printf", "ps", "pwd", "read", "rm", "sed", "sh", "sleep", "sort", "ss", "stat", "tail",
		"test", "touch", "tr", "true", "uniq", "wc", "bash", "ash", "dash", "busybox", "[[", "netstat":
		return true
	}
	return false
}
