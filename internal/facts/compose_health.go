package facts

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// The engine's defaults: github.com/moby/moby daemon/health.go.
const (
	engineInterval = 30.0
	engineTimeout  = 30.0
	engineRetries  = 3
)

func readHealthcheck(s *composeService) Healthcheck {
	n, own := s.find("healthcheck")
	h := Healthcheck{Known: true, Command: []string{}, Programs: []string{}, Targets: []Target{}}
	if !n.Present() {
		return h
	}
	h.Set, h.Own = true, own
	h.Path = pathIn(s, own, n, "extends")
	disable, _ := s.get("healthcheck", "disable").Bool()
	h.Disabled = disable
	test, testOwn := s.find("healthcheck", "test")
	h.TestPath = h.Path
	if testOwn {
		h.TestPath = test.Path()
	}
	h.Form, h.Command = healthTest(test)
	h.Disabled = h.Disabled || h.Form == "NONE"
	h.Interval, h.Timeout, h.Retries = engineInterval, engineTimeout, engineRetries
	seconds := func(key string, into *float64) {
		v := s.get("healthcheck", key)
		if !v.Present() {
			return
		}
		text, known := composeText(v)
		d, err := time.ParseDuration(text)
		if !known || err != nil {
			h.Known = false
			return
		}
		if d > 0 { // the engine reads 0 as unset
			*into = d.Seconds()
		}
	}
	seconds("interval", &h.Interval)
	seconds("timeout", &h.Timeout)
	seconds("start_period", &h.StartPeriod)
	if v := s.get("healthcheck", "retries"); v.Present() {
		i, ok := composeInt(v)
		h.Known = h.Known && ok
		if i > 0 {
			h.Retries = i
		}
	}
	// The interval runs from the end of one check to the start of the next, so checks that hang come later. The verdict needs
	// retries of them in a row; an outage begins at a random moment of the interval.
	gaps := float64(h.Retries - 1)
	h.Harmless = gaps * h.Interval
	h.Fatal = h.Interval + gaps*(h.Interval+h.Timeout)
	return h
}

// healthTest reads the forms of a test: text is for the shell, a list says by its first word what it is.
func healthTest(n loader.Node) (form string, command []string) {
	switch n.Type() {
	case loader.Absent, loader.Null:
		return "", []string{}
	case loader.String:
		text, _ := composeText(n)
		return "CMD-SHELL", []string{"/bin/sh", "-c", text}
	case loader.Seq:
	default:
		return "invalid", []string{}
	}
	words := []string{}
	for _, item := range n.Items() {
		text, _ := composeText(item)
		words = append(words, text)
	}
	switch {
	case len(words) > 0 && words[0] == "NONE":
		return "NONE", []string{}
	case len(words) > 1 && words[0] == "CMD":
		return "CMD", words[1:]
	case len(words) == 2 && words[0] == "CMD-SHELL":
		return "CMD-SHELL", []string{"/bin/sh", "-c", words[1]}
	}
	return "invalid", []string{}
}

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
				Name: h.name, Confidence: "certain", Why: "service " + h.service + " watches all containers", Path: c.Health.Path, Own: c.Health.Own,
			}
		}
		v, ok := labels[h.label]
		if !ok || !v.bare && !strings.EqualFold(v.value, "true") {
			continue
		}
		return ComposeActor{Name: h.name, Confidence: "certain", Why: "label " + h.label, Path: pathIn(s, v.own, v.at, "extends"), Own: v.own}
	}
	return ComposeActor{}
}

// reach follows the test to what it touches.
func (p *project) reach(s *composeService, c *ComposeService, subject *Subject) {
	names := newComposeNames(p, s, c)
	command := reach.Command{
		Argv: c.Health.Command, At: s.get("healthcheck", "test"), Timeout: c.Health.Timeout, Hostname: names.hostname,
		Open: s.get("env_file").Present(), Locate: names.locate,
	}
	env := s.pairs("environment")
	for _, name := range slices.Sorted(maps.Keys(env)) {
		v := env[name]
		command.Env = append(command.Env, reach.Setting{Name: name, Value: v.value, Known: v.known && !v.bare, At: v.at})
	}
	var probe Probe
	addReach(&probe, reach.AnalyseCommand(command), subject)
	h := &c.Health
	h.Programs = append(h.Programs, probe.Programs...)
	h.Targets = append(h.Targets, probe.Targets...)
	h.Opaque, h.NeverFails = probe.Opaque, probe.NeverFails
	for i, word := range h.Command {
		h.Command[i] = strings.ReplaceAll(word, reach.Hole, "…")
	}
}

// composeNames are the names that the engine's DNS and the container's hosts file answer in a container of one service.
type composeNames struct {
	hostname string
	known    map[string]reach.Located
}

func newComposeNames(p *project, s *composeService, c *ComposeService) composeNames {
	n := composeNames{hostname: s.name, known: map[string]reach.Located{}}
	if text, known := composeText(s.get("hostname")); known && text != "" {
		n.hostname = text
	}
	for _, other := range p.services {
		if other != s {
			n.addAll(other, reach.Located{
				Place: reach.InBundle, Subject: "service " + other.name, Text: "service " + other.name + " of this file", Sure: true,
			})
		}
	}
	self := reach.Located{Place: reach.Self, Sure: true}
	shared := s.get("network_mode").Text()
	if name, ok := strings.CutPrefix(shared, "service:"); ok {
		for _, other := range p.services {
			if other.name == name {
				n.addAll(other, self) // one network stack
			}
		}
	}
	n.addAll(s, self)
	if c.Mode == "global" || !c.Replicas.Known || c.Replicas.Value > 1 {
		own := reach.Located{Place: reach.OwnService, Subject: "service " + s.name, Sure: c.Replicas.Known}
		n.add(s.name, own)
		n.addList(s.aliases(), own)
	}
	n.addHosts(s)
	n.addLinks(s)
	return n
}

func (n composeNames) add(name string, loc reach.Located) {
	if name != "" && !strings.Contains(name, reach.Hole) {
		n.known[strings.ToLower(name)] = loc
	}
}

func (n composeNames) addList(names []string, loc reach.Located) {
	for _, name := range names {
		n.add(name, loc)
	}
}

// addAll adds every name and fixed address of a service.
func (n composeNames) addAll(s *composeService, loc reach.Located) {
	n.add(s.name, loc)
	for _, key := range []string{"container_name", "hostname"} {
		text, _ := composeText(s.get(key))
		n.add(text, loc)
	}
	n.addList(s.aliases(), loc)
	for _, network := range s.networks() {
		for _, key := range []string{"ipv4_address", "ipv6_address"} {
			text, _ := composeText(s.get("networks", network, key))
			n.add(text, loc)
		}
	}
}

func (s *composeService) networks() []string {
	var names []string
	for _, layer := range s.layers {
		for name := range layer.Get("networks").Entries() {
			names = append(names, name)
		}
	}
	return names
}

func (s *composeService) aliases() []string {
	var names []string
	for _, network := range s.networks() {
		names = append(names, s.list("networks", network, "aliases")...)
	}
	return names
}

// addHosts reads extra_hosts: NAME:ADDRESS, NAME=ADDRESS or a mapping.
func (n composeNames) addHosts(s *composeService) {
	add := func(name, address string) {
		loc := reach.Located{Place: reach.External, Subject: "", Text: name + " is " + address, Sure: true}
		switch {
		case address == "host-gateway", strings.Contains(address, reach.Hole):
			loc = reach.Located{Place: reach.Node, Sure: true}
		case strings.HasPrefix(address, "127."), address == "::1":
			loc = reach.Located{Place: reach.Self, Sure: true}
		}
		n.add(name, loc)
	}
	for _, entry := range s.list("extra_hosts") {
		i := strings.IndexAny(entry, "=:")
		if i > 0 {
			add(entry[:i], entry[i+1:])
		}
	}
	for name, value := range s.get("extra_hosts").Entries() {
		text, _ := composeText(value)
		add(name, text)
	}
}

// addLinks reads links and external_links: TARGET or TARGET:ALIAS.
func (n composeNames) addLinks(s *composeService) {
	for _, key := range []string{"links", "external_links"} {
		for _, entry := range s.list(key) {
			target, alias, found := strings.Cut(entry, ":")
			if !found {
				alias = target
			}
			loc, known := n.known[strings.ToLower(target)]
			if !known {
				loc = reach.Located{Place: reach.Cluster, Subject: "container " + target, Sure: true}
			}
			n.add(alias, loc)
		}
	}
}

// locate implements reach.Command.Locate. tasks.NAME is Swarm's name for the addresses of a service.
func (n composeNames) locate(host string) (reach.Located, bool) {
	if loc, ok := n.known[host]; ok {
		return loc, true
	}
	name, ok := strings.CutPrefix(host, "tasks.")
	if !ok {
		return reach.Located{}, false
	}
	loc, ok := n.known[name]
	return loc, ok
}
