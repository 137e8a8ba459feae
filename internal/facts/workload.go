package facts

import (
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

const (
	typeApp       = "app"
	typeSidecar   = "sidecar"
	typeInit      = "init"
	typeEphemeral = "ephemeral"
)

// workload prepares the facts of one workload.
func (b *bundle) workload(w *workload) Subject {
	s := Subject{Kind: SubjectWorkload, File: w.object.File, Object: w.object}
	facts := &Workload{
		Subject: SubjectWorkload, APIVersion: w.object.APIVersion, Kind: w.object.Kind,
		Namespace: w.object.Namespace, Name: w.object.Name,
		Class:         class(w),
		Replicas:      w.replicas,
		PodPath:       w.pod.Path(),
		Labels:        w.labels,
		RestartPolicy: "Always",
		PodRestart:    field(w.pod.Get("restartPolicy")),
		Selector:      ownSelector(w.object),
		Written:       wholeNumber(w.object.Root().Get("spec", "replicas"), 1, true),
		Kube:          b.kube,
		Containers:    []Container{},
		Services:      names(w.services),
		SoleServices:  soleServices(w),
		PDBs:          names(w.budgets),
		MissedBy:      w.missedBy,
		Fragment:      w.fragment(),
		Singleton:     w.singleton(),
		Partial:       b.partial(w.object),
	}
	facts.HostNetwork, _ = w.pod.Get("hostNetwork").Bool()
	if p := w.pod.Get("restartPolicy").Text(); p != "" {
		facts.RestartPolicy = p
	}
	facts.Job, facts.Rollout = jobOf(w, facts.RestartPolicy), rolloutOf(w, b.kube)
	nodes := facts.addContainers(w.pod)
	for i := range facts.Containers {
		b.addProbes(&s, w, facts, &facts.Containers[i], nodes[i])
	}
	facts.serve(w.services)
	facts.Defects = defects(w, facts, nodes)
	s.Input = facts
	return s
}

// addContainers reads all containers first, since a probe may ask what another one declares.
func (facts *Workload) addContainers(pod loader.Node) []loader.Node {
	var nodes []loader.Node
	for _, list := range []struct{ field, kind string }{
		{"containers", typeApp}, {"initContainers", typeInit}, {"ephemeralContainers", typeEphemeral},
	} {
		for _, n := range pod.Get(list.field).Items() {
			if n.Type() != loader.Map {
				continue
			}
			c := Container{
				Name: n.Get("name").Text(), Image: n.Get("image").Text(), Type: list.kind, Path: n.Path(),
				Ports: ports(n.Get("ports")), Probes: []Probe{},
				Restart: field(n.Get("restartPolicy")), RestartRules: restartRules(n.Get("restartPolicyRules")),
			}
			// An init container that is restarted always is a sidecar (KEP-753).
			if list.kind == typeInit && n.Get("restartPolicy").Text() == "Always" {
				c.Type = typeSidecar
			}
			facts.Containers = append(facts.Containers, c)
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (b *bundle) addProbes(s *Subject, w *workload, facts *Workload, c *Container, n loader.Node) {
	config := &configuration{view: view{b, w}}
	for _, t := range probeTypes() {
		node := n.Get(t.field)
		if node.Type() != loader.Map {
			continue
		}
		p := readProbe(t.name, t.field, c, node)
		resolvePort(&p, node, c, facts.Containers)
		found := reach.Explore(view{b, w}, reach.Subject{
			Workload: w.object, Pod: w.pod, Labels: w.labels, Container: n, Probe: node, Type: t.field,
		})
		addReach(&p, found.Result, s)
		(&asking{bundle: b, workload: w, facts: facts, own: c, node: n, probe: &p, found: found, config: config}).endpoint(s)
		p.Launch, p.BlindCurl = launchOf(p.Programs), blindCurl(p.Command)
		p.literals(n, node)
		c.Probes = append(c.Probes, p)
	}
	c.compare(n)
	if c.probe("liveness") != nil {
		c.SlowStart = slowStart(n)
	}
}

func ports(n loader.Node) []Port {
	out := []Port{}
	for _, p := range n.Items() {
		number, _ := p.Get("containerPort").Int()
		port := Port{Name: p.Get("name").Text(), Number: number, Protocol: p.Get("protocol").Text()}
		if port.Protocol == "" {
			port.Protocol = "TCP"
		}
		out = append(out, port)
	}
	return out
}

func class(w *workload) string {
	if w.object.Root().Get("metadata", "annotations", "helm.sh/hook").Present() {
		return "hook"
	}
	switch w.object.Kind {
	case "Job", "CronJob":
		return "batch"
	case "DaemonSet":
		return "daemon"
	}
	if len(w.services) > 0 {
		return "service"
	}
	return "worker"
}

// fragment reports whether the object is a part of a workload, such as a Kustomize patch, and not a whole one: apps/v1
// requires a selector, and every container an image.
func (w *workload) fragment() bool {
	if w.object.APIVersion == "apps/v1" && !w.object.Root().Get("spec", "selector").Present() {
		return true
	}
	for _, c := range w.pod.Get("containers").Items() {
		if !c.Get("image").Present() {
			return true
		}
	}
	return w.pod.Get("containers").Len() == 0
}

// singleton reports whether one replica works and the others wait (leader election), or another controller owns the object.
func (w *workload) singleton() bool {
	for _, ref := range w.object.Root().Get("metadata", "ownerReferences").Items() {
		if controller, _ := ref.Get("controller").Bool(); controller {
			return true
		}
	}
	for _, c := range w.pod.Get("containers").Items() {
		for _, list := range []string{"command", "args"} {
			for _, arg := range c.Get(list).Items() {
				if electsLeader(arg.Text()) {
					return true
				}
			}
		}
	}
	return false
}

// electsLeader knows the flags of controller-runtime, client-go and their many users: --leader-elect, --enable-leader-election.
func electsLeader(arg string) bool {
	name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if !strings.HasPrefix(arg, "-") || value == "false" {
		return false
	}
	return slices.Contains([]string{"leader-elect", "leader-election", "enable-leader-election", "leaderElect"}, name)
}

// soleServices names the Services that select the pods of w and no others.
func soleServices(w *workload) []string {
	out := []string{}
	for _, s := range w.services {
		if len(s.matches) == 1 && s.selector != nil {
			out = append(out, s.object.Name)
		}
	}
	return out
}

func names(list []*selecting) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, s.object.Name)
	}
	return out
}
