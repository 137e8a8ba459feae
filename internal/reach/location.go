package reach

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/hclint/hclint/loader"
)

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
	if p.engine != nil {
		return p.engine.locate(p, host)
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return p.locateAddress(addr)
	}
	if strings.HasPrefix(host, "127.") && digits(strings.ReplaceAll(host, ".", "")) { // 127.1, as inet_aton(3) reads it
		return location{place: Self, sure: true}
	}
	return p.locateHost(host)
}

// locateHost resolves a host name.
func (p *pod) locateHost(host string) location {
	if !plausibleName(host) || digits(strings.ReplaceAll(host, ".", "")) {
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

// plausibleName reports what can be a DNS name of a server: a number alone is a port that stands where a host was expected,
// and no Service has an underscore in its name.
func plausibleName(host string) bool {
	if host == "" || len(host) > 253 || digits(host) || !strings.Contains(host, ".") && strings.Contains(host, "_") {
		return false
	}
	if strings.ContainsFunc(host, func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-._", r) }) {
		return false
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
	if loc, ok := p.locateService(labels); ok {
		return loc
	}
	if found, ok := p.lookup.IngressHost(host); ok {
		loc := serviceLocation(host, found)
		if found.Own {
			loc.text = host + " is routed back to this workload"
		}
		return loc
	}
	if p.ownReplica(labels) {
		return fixedReplica(labels[0], p.subject.Workload.Name, nil)
	}
	if strings.EqualFold(labels[0], p.name) && p.subject.Workload != nil && p.subject.Workload.Kind != "StatefulSet" {
		return location{place: Unknown} // made of the pod's own name, in whatever domain
	}
	if len(labels) == 1 || clusterName(labels) || shortName(labels) {
		return location{place: Cluster, sure: !p.resembles(labels)}
	}
	return location{place: External, sure: true}
}

// shortName reports service.namespace, pod-0.service and pod-0.service.namespace.
func shortName(labels []string) bool {
	return (len(labels) == 2 || len(labels) == 3 && ordinal(labels[0])) && !publicSuffix(labels[len(labels)-1])
}

// resembles reports names that may lead back to the pod although the bundle does not show how: they begin like the workload, or
// what the pod's own name is made of is not known.
func (p *pod) resembles(labels []string) bool {
	w := p.subject.Workload
	if w == nil {
		return false
	}
	own := []string{p.subject.Pod.Get("hostname").Text(), p.subject.Pod.Get("subdomain").Text(), w.Root().Get("spec", "serviceName").Text(), w.Name}
	return strings.EqualFold(labels[0], w.Name) || strings.EqualFold(labels[0], p.name) || len(labels) > 1 && slices.ContainsFunc(own, hasTemplate)
}

// ownReplica reports the name of a fixed replica of the probed StatefulSet whose governing Service is not in the bundle.
func (p *pod) ownReplica(labels []string) bool {
	w := p.subject.Workload
	if w == nil || w.Kind != "StatefulSet" || len(labels) < 2 || !ordinal(labels[0]) {
		return false
	}
	return stem(labels[0]) == w.Name && strings.EqualFold(labels[1], w.Root().Get("spec", "serviceName").Text())
}

// stem is a StatefulSet pod's name without its ordinal.
func stem(host string) string { return host[:max(strings.LastIndexByte(host, '-'), 0)] }

func fixedReplica(host, set string, at *loader.Object) location {
	return location{
		place: OwnService, subject: "StatefulSet " + set, at: at, sure: true,
		text: host + " is a fixed replica of this very StatefulSet",
	}
}

// locateService finds the Service that labels name.
func (p *pod) locateService(labels []string) (location, bool) {
	name, namespace, ok := p.serviceName(labels)
	if !ok {
		return location{}, false
	}
	found, ok := p.lookup.Service(namespace, name)
	switch {
	case ok && name != labels[0]:
		return p.replica(labels[0], namespace, found), true
	case ok:
		return serviceLocation(name, found), true
	case name == "kubernetes" && (inList("default", namespace) || len(labels) == 1 || namespace == "" && labels[1] == "default"):
		return location{place: Cluster, subject: "the Kubernetes API server", sure: true}, true
	}
	return location{}, false
}

// replica is the pod of a StatefulSet, addressed through its headless Service, which may govern several StatefulSets.
func (p *pod) replica(host, namespace string, governing Service) location {
	name := stem(host)
	if p.subject.Workload != nil && p.subject.Workload.Kind == "StatefulSet" && p.subject.Workload.Name == name {
		return fixedReplica(host, name, governing.Object)
	}
	if set := p.lookup.Object("StatefulSet", namespace, name); set != nil && name != "" {
		return location{
			place: InBundle, subject: "StatefulSet " + name, at: set, sure: true, text: host + " is a pod of StatefulSet " + name,
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
