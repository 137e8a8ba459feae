package reach

import (
	"strconv"
	"strings"

	"github.com/hclint/hclint/loader"
)

// pod is the probed pod as its containers see it: its name, its namespace, the objects around it.
type pod struct {
	lookup  Lookup
	subject Subject
	// name is the pod's name during a run: that of the last replica of a StatefulSet, else the workload's with a suffix.
	name string
	// engine is the check of a container that is no pod; nil for a pod.
	engine *Command
}

func newPod(l Lookup, s Subject) *pod {
	p := &pod{lookup: l, subject: s}
	p.name = podName(s.Workload)
	return p
}

// podName picks the replica that is simulated. For a StatefulSet it is the last one: a script that names replica 0
// then talks to another pod, as it does on every replica but one.
func podName(workload *loader.Object) string {
	if workload == nil {
		return "pod"
	}
	switch workload.Kind {
	case "Pod":
		return workload.Name
	case "StatefulSet":
		_, last, _ := ordinals(workload)
		return workload.Name + "-" + strconv.Itoa(last)
	}
	return workload.Name + "-5d9c7b8f6d-x7k2p"
}

func (p *pod) namespace() string {
	if p.subject.Workload != nil && p.subject.Workload.Namespace != "" {
		return p.subject.Workload.Namespace
	}
	return "default"
}

// searchNamespace is the namespace to look in: empty (any) when the manifest leaves it to the command line.
func (p *pod) searchNamespace() string {
	if p.subject.Workload != nil {
		return p.subject.Workload.Namespace
	}
	return ""
}

func (p *pod) object(kind, name string) *loader.Object {
	if name == "" || tainted(name) {
		return nil
	}
	return p.lookup.Object(kind, p.searchNamespace(), name)
}

func (p *pod) hostNetwork() bool {
	on, _ := p.subject.Pod.Get("hostNetwork").Bool()
	return on
}

// serviceVariable answers the variables that the kubelet sets for every Service of the namespace: X_SERVICE_HOST,
// X_SERVICE_PORT, X_PORT. The address is the Service's name: it leads to the same place.
func (p *pod) serviceVariable(name string) (string, bool) {
	for _, suffix := range [...]string{"_SERVICE_HOST", "_SERVICE_PORT", "_PORT"} {
		stem, ok := strings.CutSuffix(name, suffix)
		switch {
		case !ok || stem == "":
			continue
		case stem == "KUBERNETES":
			return kubernetesVariable(suffix), true
		}
		return p.serviceLink(stem, suffix)
	}
	return "", false
}

func (p *pod) serviceLink(stem, suffix string) (string, bool) {
	if on, set := p.subject.Pod.Get("enableServiceLinks").Bool(); set && !on {
		return "", false
	}
	service := strings.ReplaceAll(strings.ToLower(stem), "_", "-")
	found, ok := p.lookup.Service(p.searchNamespace(), service)
	if !ok || found.Headless || found.ExternalName != "" {
		return "", false
	}
	port := unknown
	if found.Object != nil {
		if n := found.Object.Root().Get("spec", "ports").Index(0).Get("port"); n.Present() {
			port = n.Text()
		}
	}
	switch suffix {
	case "_SERVICE_HOST":
		return service, true
	case "_SERVICE_PORT":
		return port, true
	}
	return "tcp://" + service + ":" + port, true
}

func kubernetesVariable(suffix string) string {
	switch suffix {
	case "_SERVICE_HOST":
		return "kubernetes.default.svc"
	case "_SERVICE_PORT":
		return "443"
	}
	return "tcp://kubernetes.default.svc:443"
}
