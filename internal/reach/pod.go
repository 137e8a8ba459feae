package reach

import (
	"net/netip"
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
		last := 0
		if n, ok := workload.Root().Get("spec", "replicas").Int(); ok && n > 1 {
			last = n - 1
		}
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
		if !ok || stem == "" {
			continue
		}
		if stem == "KUBERNETES" {
			return kubernetesVariable(suffix), true
		}
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
	return "", false
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

// location is where a host leads.
type location struct {
	place   Place
	subject string
	// text says how that is known ("Service orders-db selects StatefulSet orders-db"); at is where.
	text string
	at   *loader.Object
	// sure is false when the name rests on a convention only.
	sure bool
}

// locate resolves a host as a process inside the pod would.
func (p *pod) locate(host string) location {
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	switch {
	case tainted(host) || strings.ContainsAny(host, "{}$<>%*() "):
		return location{place: Unknown}
	case host == "" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@"):
		return location{place: Self, sure: true}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return p.locateAddress(addr)
	}
	if !plausibleName(host) {
		return location{place: Unknown}
	}
	if alias, ok := p.hostAlias(host); ok {
		return p.locate(alias)
	}
	if p.ownName(host) {
		return location{place: Self, sure: true}
	}
	if host == nodeName {
		return location{place: Node, sure: true}
	}
	return p.locateName(host)
}

func (p *pod) locateAddress(addr netip.Addr) location {
	addr = addr.Unmap().WithZone("")
	switch {
	case addr.IsLoopback() || addr.IsUnspecified() || addr.String() == podIP:
		return location{place: Self, sure: true}
	case addr.String() == nodeIP:
		if p.hostNetwork() {
			return location{place: Self, sure: true}
		}
		return location{place: Node, sure: true}
	case addr.String() == "169.254.169.254":
		return location{place: External, subject: "the cloud's metadata service", sure: true}
	case addr.IsLinkLocalUnicast():
		return location{place: Node, sure: true}
	}
	return location{place: External, sure: true}
}

func plausibleName(host string) bool {
	if len(host) > 253 {
		return false
	}
	for _, r := range host {
		if r != '-' && r != '.' && r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return host[0] != '-' && host[0] != '.'
}

// hostAlias looks host up in the pod's hostAliases, which stand in /etc/hosts before any DNS.
func (p *pod) hostAlias(host string) (string, bool) {
	for _, alias := range p.subject.Pod.Get("hostAliases").Items() {
		for _, name := range alias.Get("hostnames").Items() {
			if strings.EqualFold(name.Text(), host) {
				return alias.Get("ip").Text(), true
			}
		}
	}
	return "", false
}

// ownName reports names by which the pod knows itself.
func (p *pod) ownName(host string) bool {
	switch host {
	case "localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback", "broadcasthost":
		return true
	}
	if strings.HasSuffix(host, ".localhost") {
		return true
	}
	first, rest, _ := strings.Cut(host, ".")
	name := strings.ToLower(p.name)
	if n := p.subject.Pod.Get("hostname").Text(); n != "" {
		name = strings.ToLower(n)
	}
	if first != name && !strings.EqualFold(first, p.name) {
		return false
	}
	// pod.subdomain.namespace.svc…: the governing Service or spec.subdomain; a bare name is /etc/hostname.
	return rest == "" || p.governs(rest)
}

// governs reports whether domain is the pod's own subdomain.
func (p *pod) governs(domain string) bool {
	service, _, _ := strings.Cut(domain, ".")
	own := p.subject.Pod.Get("subdomain").Text()
	if p.subject.Workload != nil && p.subject.Workload.Kind == "StatefulSet" {
		if n := p.subject.Workload.Root().Get("spec", "serviceName").Text(); n != "" {
			own = n
		}
	}
	if own != "" {
		return strings.EqualFold(own, service)
	}
	found, ok := p.lookup.Service(p.searchNamespace(), service)
	return ok && found.Own
}

// locateName resolves a DNS name: a Service of the bundle, a host of an Ingress, a cluster name, or something else.
func (p *pod) locateName(host string) location {
	labels := strings.Split(host, ".")
	if name, namespace, ok := p.serviceName(labels); ok {
		if found, ok := p.lookup.Service(namespace, name); ok {
			if name != labels[0] {
				return p.replica(labels[0], namespace, found)
			}
			return serviceLocation(name, found)
		}
		if name == "kubernetes" && (namespace == "default" || len(labels) == 1) {
			return location{place: Cluster, subject: "the Kubernetes API server", sure: true}
		}
	}
	if found, ok := p.lookup.IngressHost(host); ok {
		loc := serviceLocation(host, found)
		if found.Own {
			loc.text = host + " is routed back to this workload"
		}
		return loc
	}
	if len(labels) == 1 || clusterName(labels) {
		return location{place: Cluster, sure: true}
	}
	if len(labels) == 2 && !publicSuffix(labels[1]) {
		return location{place: Cluster}
	}
	return location{place: External, sure: true}
}

// replica is the pod of a StatefulSet, addressed through its headless Service, which may govern several StatefulSets.
func (p *pod) replica(host, namespace string, governing Service) location {
	stem := host[:max(strings.LastIndexByte(host, '-'), 0)]
	if p.subject.Workload != nil && p.subject.Workload.Kind == "StatefulSet" && p.subject.Workload.Name == stem {
		return location{
			place: OwnService, subject: "StatefulSet " + stem, at: governing.Object, sure: true,
			text: host + " is a fixed replica of this very StatefulSet",
		}
	}
	if set := p.lookup.Object("StatefulSet", namespace, stem); set != nil && stem != "" {
		return location{
			place: InBundle, subject: "StatefulSet " + stem, at: set, sure: true, text: host + " is a pod of StatefulSet " + stem,
		}
	}
	return serviceLocation(host, governing)
}

// serviceName reads labels as a Service's DNS name. A StatefulSet pod's name (pod-0.service…) leads to its Service.
func (p *pod) serviceName(labels []string) (name, namespace string, ok bool) {
	own := p.searchNamespace()
	svc := -1
	for i, l := range labels {
		if l == "svc" {
			svc = i
			break
		}
	}
	switch {
	case len(labels) == 1:
		return labels[0], own, true
	case svc == 2:
		return labels[0], p.fold(labels[1]), true
	case svc == 3:
		return labels[1], p.fold(labels[2]), true
	case svc >= 0:
		return "", "", false
	case len(labels) == 2:
		if _, found := p.lookup.Service(p.fold(labels[1]), labels[0]); found {
			return labels[0], p.fold(labels[1]), true
		}
		return labels[1], own, ordinal(labels[0])
	case len(labels) == 3 && ordinal(labels[0]):
		return labels[1], p.fold(labels[2]), true
	}
	return "", "", false
}

// fold maps the stand-in for an unwritten namespace back to "any".
func (p *pod) fold(namespace string) string {
	if p.searchNamespace() == "" && namespace == "default" {
		return ""
	}
	return namespace
}

// ordinal reports names such as "redis-0".
func ordinal(label string) bool {
	i := strings.LastIndexByte(label, '-')
	if i < 1 || i == len(label)-1 {
		return false
	}
	_, err := strconv.Atoi(label[i+1:])
	return err == nil
}

func serviceLocation(name string, found Service) location {
	loc := location{place: InBundle, subject: found.Backs, at: found.Object, sure: true}
	label := "Service " + name
	if found.Object != nil {
		label = "Service " + found.Object.Name
	}
	switch {
	case found.Own:
		loc.place = OwnService
		loc.text = label + " selects this very workload: any replica may answer"
	case found.ExternalName != "":
		loc.text = label + " is an alias for " + found.ExternalName
		loc.subject = found.ExternalName
	case found.Backs != "":
		loc.text = label + " selects " + found.Backs
	default:
		loc.text = label + " is in the bundle"
		loc.subject = label
	}
	return loc
}

// clusterName reports names of the form x.y.svc[.cluster.local].
func clusterName(labels []string) bool {
	for i, l := range labels {
		if l == "svc" && i >= 1 {
			return true
		}
	}
	return strings.HasSuffix(strings.Join(labels, "."), ".cluster.local")
}

// publicSuffix reports last labels that are no namespace: with them a two-label name is a domain.
func publicSuffix(label string) bool {
	switch label {
	case "com", "net", "org", "io", "dev", "app", "cloud", "local", "internal", "lan", "corp", "home", "arpa", "co", "ai",
		"info", "edu", "gov", "mil", "int", "eu", "de", "fr", "uk", "us", "ch", "nl", "se", "no", "jp", "cn", "in", "br",
		"ru", "it", "es", "pl", "at", "be", "ca", "au", "example", "test", "invalid":
		return true
	}
	return false
}
