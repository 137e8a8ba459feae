package facts

import (
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
)

// readSwarm looks for what only docker stack deploy reads, and for what it refuses or leaves out: build without an image, extends,
// depends_on with conditions, network_mode. Keys that people copy along without Swarm count for less.
func (p *project) readSwarm() {
	strong, weak := p.onlySwarm(), p.maybeSwarm()
	refused := slices.ContainsFunc(p.services, notForSwarm)
	switch {
	case strong != "" && !refused:
		p.swarm = Swarm{Confidence: "certain", Why: strong}
	case strong != "":
		p.swarm = Swarm{Confidence: "likely", Why: strong}
	case weak != "" && !refused:
		p.swarm = Swarm{Confidence: "likely", Why: weak}
	}
}

// onlySwarm names something that means nothing to Docker Compose; "" when there is nothing of the kind.
func (p *project) onlySwarm() string {
	for name, network := range p.object.Root().Get("networks").Entries() {
		if network.Get("driver").Text() == "overlay" {
			return "the overlay network " + name
		}
	}
	for _, s := range p.services {
		for _, key := range []string{"placement", "endpoint_mode", "labels"} {
			if s.get("deploy", key).Present() {
				return "deploy." + key + " of service " + s.name
			}
		}
		if mode := s.get("deploy", "mode").Text(); mode != "" && mode != "replicated" {
			return "deploy.mode of service " + s.name
		}
	}
	return ""
}

// maybeSwarm names something that is written for Swarm, though not always for this deployment.
func (p *project) maybeSwarm() string {
	for _, s := range p.services {
		for _, keys := range [][]string{
			{"deploy", "update_config"}, {"deploy", "rollback_config"}, {"deploy", "restart_policy", "delay"}, {"deploy", "restart_policy", "window"},
		} {
			if s.get(keys...).Present() {
				return strings.Join(keys, ".") + " of service " + s.name
			}
		}
	}
	words := nameWords(p.object.File.Name)
	if slices.Contains(words, "stack") || slices.Contains(words, "swarm") {
		return "the file's name"
	}
	return ""
}

func notForSwarm(s *composeService) bool {
	return s.get("build").Present() && !s.get("image").Present() || s.get("extends").Present() ||
		s.get("depends_on").Type() == loader.Map || s.get("network_mode").Present()
}
