package facts

import (
	"slices"
	"strconv"
	"strings"
)

// serve fills in ServedBy of every container: the Services that send traffic to it, as far as the ports tell. What only scrapes
// metrics, and what publishes pods that are not ready, holds back no traffic for readiness and does not count.
func (facts *Workload) serve(services []*selecting) {
	for _, s := range services {
		spec := s.object.Root().Get("spec")
		if s.selector == nil { // it may select these pods, or not
			continue
		}
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
			for _, i := range facts.answering(target.Text()) {
				c := &facts.Containers[i]
				c.ServedBy = appendNew(c.ServedBy, s.object.Name)
			}
		}
	}
	for i := range facts.Containers {
		slices.Sort(facts.Containers[i].ServedBy)
	}
}

// answering lists the containers that a port, a name or a number as text, leads to: those that declare it, else the only one
// there is, since a declaration is not needed.
func (facts *Workload) answering(port string) []int {
	var declared, all []int
	for i := range facts.Containers {
		c := &facts.Containers[i]
		if c.Type != typeApp && c.Type != typeSidecar {
			continue
		}
		all = append(all, i)
		if declares(c, func(p Port) bool { return port != "" && (p.Name == port || strconv.Itoa(p.Number) == port) }) {
			declared = append(declared, i)
		}
	}
	if len(declared) == 0 && len(all) == 1 {
		return all
	}
	return declared
}

// forMetrics reports whether a name says that only monitoring comes this way.
func forMetrics(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "metric") || strings.Contains(name, "prometheus") || strings.Contains(name, "monitoring") ||
		strings.HasSuffix(name, "exporter")
}
