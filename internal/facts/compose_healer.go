package facts

import "strings"

// healer is a service that restarts unhealthy containers through the engine's API, told by a label of theirs.
type healer struct {
	name, label string
	all         bool
	service     string // "" for one that runs elsewhere
}

// readHealers finds out which labels mean that something acts: those of willfarrell/autoheal and qmcgaw/deunhealth, and what
// the file's own autoheal is told.
func (p *project) readHealers() {
	p.healers = []healer{{name: "autoheal", label: "autoheal"}, {name: "deunhealth", label: "deunhealth.restart.on.unhealthy"}}
	for _, s := range p.services {
		image, _ := composeText(s.get("image"))
		if !strings.Contains(image, "autoheal") {
			continue
		}
		h := healer{name: "autoheal", label: "autoheal", service: s.name}
		if v, ok := s.pairs("environment")["AUTOHEAL_CONTAINER_LABEL"]; ok && v.known && v.value != "" {
			h.label, h.all = v.value, v.value == "all"
		}
		p.healers = append([]healer{h}, p.healers...)
	}
}

// actor is what restarts a container of s when it is unhealthy.
func (p *project) actor(s *composeService, c *ComposeService) ComposeActor {
	if !c.Health.Set || c.Health.Disabled {
		return ComposeActor{}
	}
	if p.swarm.Confidence != "" {
		return ComposeActor{
			Name: "Swarm", Confidence: p.swarm.Confidence, Why: p.swarm.Why, Path: c.Health.Path, Own: c.Health.Own,
		}
	}
	labels := s.pairs("labels")
	for _, h := range p.healers {
		if h.all && h.service != s.name {
			return ComposeActor{
				Name: h.name, Confidence: "certain", Why: "service " + h.service + " watches all containers", Helper: h.service,
				Path: c.Health.Path, Own: c.Health.Own,
			}
		}
		v, ok := labels[h.label]
		if !ok || !v.bare && !strings.EqualFold(v.value, "true") {
			continue
		}
		return ComposeActor{
			Name: h.name, Confidence: "certain", Why: "label " + h.label, Label: h.label, Helper: h.service,
			Path: pathIn(s, v.own, v.at), Own: v.own,
		}
	}
	return ComposeActor{}
}
