package facts

import (
	"strings"

	"github.com/hclint/hclint/internal/reach"
)

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
