package facts

import (
	"strconv"
	"strings"
)

// The answers to whether a Service sends traffic to a container.
const (
	servedYes     = "yes"
	servedNo      = "no"
	servedUnknown = "unknown"
)

// serve fills in Served of every container: which of them the Services that select the pod send traffic to. What only scrapes
// metrics, and what publishes pods that are not ready, holds back no traffic for readiness.
func (facts *Workload) serve(services []*selecting) {
	unresolved, ports := false, false
	hit := map[int]bool{}
	for _, s := range services {
		spec := s.object.Root().Get("spec")
		if publish, _ := spec.Get("publishNotReadyAddresses").Bool(); publish || forMetrics(s.object.Name) {
			continue
		}
		for _, p := range spec.Get("ports").Items() {
			target := p.Get("targetPort")
			if !target.Present() {
				target = p.Get("port")
			}
			if forMetrics(p.Get("name").Text()) || forMetrics(target.Text()) {
				continue
			}
			ports = true
			found := facts.declaring(target.Text())
			unresolved = unresolved || len(found) == 0
			for _, i := range found {
				hit[i] = true
			}
		}
	}
	if !ports {
		return
	}
	alone := facts.onlyOne()
	for i := range facts.Containers {
		c := &facts.Containers[i]
		switch {
		case c.Type != typeApp && c.Type != typeSidecar:
		case hit[i], unresolved && alone:
			c.Served = servedYes
		case unresolved:
			c.Served = servedUnknown
		default:
			c.Served = servedNo
		}
	}
}

// declaring lists the containers that declare a port by its name or number as text.
func (facts *Workload) declaring(port string) []int {
	var out []int
	for i := range facts.Containers {
		if declares(&facts.Containers[i], func(p Port) bool { return p.Name == port && port != "" || strconv.Itoa(p.Number) == port }) {
			out = append(out, i)
		}
	}
	return out
}

func (facts *Workload) onlyOne() bool {
	n := 0
	for _, c := range facts.Containers {
		if c.Type == typeApp || c.Type == typeSidecar {
			n++
		}
	}
	return n == 1
}

// forMetrics reports whether a name says that only monitoring comes this way.
func forMetrics(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "metric") || strings.Contains(name, "prometheus") || strings.Contains(name, "monitoring") ||
		strings.HasSuffix(name, "exporter")
}
