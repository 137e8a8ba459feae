package reach

import (
	"net/netip"
	"strings"

	"github.com/hclint/hclint/loader"
)

// Hole stands in a text for a part that is not known, such as a variable that is set elsewhere.
const Hole = unknown

// Command is a health check that a container engine runs inside a container which is no pod.
type Command struct {
	Argv []string
	// At is where the command stands: a String, or a Seq whose first item says in which form the words follow (CMD).
	At loader.Node
	// Env is what the container's processes see; Open says that more may be set.
	Env  []Setting
	Open bool
	// Timeout is how long the engine waits, in seconds.
	Timeout float64
	// Hostname is the container's own name.
	Hostname string
	// Locate resolves the names that the engine or the file knows, in lower case; ok is false for any other.
	Locate func(host string) (loc Located, ok bool)
}

// AnalyseCommand finds what the command of c touches, as Analyse does for a probe. It reads nothing but c and the files that the
// nodes of c stand in.
func AnalyseCommand(c Command) Result {
	p := &pod{lookup: nowhere{}, engine: &c, name: c.Hostname}
	return p.exec().Result
}

// nowhere is a bundle without Kubernetes objects.
type nowhere struct{}

func (nowhere) Object(_, _, _ string) *loader.Object { return nil }
func (nowhere) Service(_, _ string) (Service, bool)  { return Service{}, false }
func (nowhere) IngressHost(_ string) (Service, bool) { return Service{}, false }
func noVariable(string) (value string, ok bool)      { return "", false }
func (p *pod) commandNode() loader.Node {
	if p.engine != nil {
		return p.engine.At
	}
	return p.subject.Probe.Get("exec", "command")
}

// commandWords are the nodes that hold the words of the command.
func (p *pod) commandWords() []loader.Node {
	n := p.commandNode()
	if n.Type() == loader.String {
		return []loader.Node{n}
	}
	var words []loader.Node
	for _, item := range n.Items() {
		words = append(words, item)
	}
	if p.engine != nil && len(words) > 0 {
		return words[1:]
	}
	return words
}

// equip gives the world of a Command its environment and its time.
func (c *Command) equip(w *world) {
	if c == nil {
		return
	}
	if c.Timeout > 0 {
		w.timeout = c.Timeout
	}
	w.env.open, w.env.svc = c.Open, noVariable
	for _, v := range c.Env {
		value := v.Value
		if !v.Known && !tainted(value) {
			value = unknown
		}
		w.env.vars[v.Name] = binding{value: value, at: v.At, from: v.From, own: true}
	}
}

// locate resolves a host as a process in the container would: the engine's DNS knows the names of the file, the rest goes to the
// resolver of the machine. A name without a dot that the file does not have may belong to a container of another file.
func (c *Command) locate(p *pod, host string) location {
	if loc, ok := c.Locate(host); ok {
		return location{place: loc.Place, subject: loc.Subject, text: loc.Text, at: loc.At, sure: loc.Sure}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return p.locateAddress(addr)
	}
	switch {
	case !plausibleName(host):
		return location{place: Unknown}
	case p.ownName(host):
		return location{place: Self, sure: true}
	case host == "host.docker.internal", host == "gateway.docker.internal", host == "host.containers.internal":
		return location{place: Node, sure: true}
	case !strings.Contains(host, "."):
		return location{place: Cluster}
	}
	return location{place: External, sure: true}
}
