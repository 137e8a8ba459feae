package facts

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/hclint/hclint/loader"
)

// meshHost is a host of a mesh as a name and a namespace. A name outside the cluster keeps its dots and has no namespace.
type meshHost struct{ name, namespace string }

// hostOf resolves a host as Istio does: a name without dots is a Service in the namespace of the object that names it, and
// name.namespace.svc.domain is a Service of that namespace. Anything else, web.shop included, is taken as it is.
func hostOf(o *loader.Object, host string) meshHost {
	parts := strings.Split(host, ".")
	switch {
	case len(parts) == 1:
		return meshHost{host, o.Namespace}
	case len(parts) > 3 && parts[2] == "svc":
		return meshHost{parts[0], parts[1]}
	}
	return meshHost{host, ""}
}

func (h meshHost) matches(other meshHost) bool {
	return h.name == other.name && sameNamespace(h.namespace, other.namespace)
}

// meshIndex is what policies of meshes join to.
type meshIndex struct {
	destinations map[string][]destination // by the name of the host
	profiles     map[string][]meshHost    // ServiceProfiles, by the name of the Service
}

// destination is a host to which a route retries requests.
type destination struct {
	host     meshHost
	subset   string
	port     int
	attempts int
	kind     string
	object   *loader.Object
}

func newMeshIndex(files []*loader.File) meshIndex {
	m := meshIndex{destinations: map[string][]destination{}, profiles: map[string][]meshHost{}}
	for _, f := range files {
		for _, o := range f.Objects {
			switch {
			case is(o, groupIstio, "VirtualService"):
				m.addVirtualService(o)
			case is(o, groupGateway, "HTTPRoute"):
				m.addHTTPRoute(o)
			case is(o, groupLinkerd, "ServiceProfile"):
				host := hostOf(o, o.Name)
				m.profiles[host.name] = append(m.profiles[host.name], host)
			}
		}
	}
	return m
}

func (m *meshIndex) addVirtualService(o *loader.Object) {
	for _, route := range o.Root().Get("spec", "http").Items() {
		attempts, ok := route.Get("retries", "attempts").Int()
		if !ok || attempts <= 0 {
			continue
		}
		for _, r := range route.Get("route").Items() {
			n := r.Get("destination")
			d := destination{host: hostOf(o, n.Get("host").Text()), subset: n.Get("subset").Text(), attempts: attempts, kind: o.Kind, object: o}
			d.port, _ = n.Get("port", "number").Int()
			m.destinations[d.host.name] = append(m.destinations[d.host.name], d)
		}
	}
}

// addHTTPRoute remembers the backends of routes that are bound to a Service, which is how a route of the Gateway API enters a mesh.
func (m *meshIndex) addHTTPRoute(o *loader.Object) {
	if !slices.ContainsFunc(parents(o), func(p loader.Node) bool { return p.Get("kind").Text() == "Service" }) {
		return
	}
	for _, rule := range o.Root().Get("spec", "rules").Items() {
		retry := rule.Get("retry")
		attempts, ok := retry.Get("attempts").Int()
		if retry.Type() != loader.Map || ok && attempts <= 0 {
			continue
		}
		for _, ref := range rule.Get("backendRefs").Items() {
			name, namespace, ok := serviceRef(o, ref)
			if !ok {
				continue
			}
			d := destination{host: meshHost{name, namespace}, attempts: attempts, kind: o.Kind, object: o}
			d.port, _ = ref.Get("port").Int()
			m.destinations[name] = append(m.destinations[name], d)
		}
	}
}

func parents(o *loader.Object) []loader.Node {
	var out []loader.Node
	for _, p := range o.Root().Get("spec", "parentRefs").Items() {
		out = append(out, p)
	}
	return out
}

// serviceRef reads a reference of the Gateway API to a Service, which is what kind and group stand for when they are left out.
func serviceRef(o *loader.Object, ref loader.Node) (name, namespace string, ok bool) {
	if ref.Get("group").Text() != "" || textOr(ref.Get("kind"), "Service") != "Service" {
		return "", "", false
	}
	return ref.Get("name").Text(), textOr(ref.Get("namespace"), o.Namespace), ref.Get("name").Text() != ""
}

// retried lists the destinations of routes, the nearest to o, that retry requests to host.
func (m *meshIndex) retried(o *loader.Object, host string) []destination {
	want := hostOf(o, host)
	var found []destination
	for _, d := range m.destinations[want.name] {
		if d.host.matches(want) {
			found = append(found, d)
		}
	}
	return nearest(o, found, func(d destination) *loader.Object { return d.object })
}

// profiled reports whether a ServiceProfile stands for a Service; the proxy then ignores the annotations about retries and circuit breaking.
func (m *meshIndex) profiled(name, namespace string) bool {
	return slices.ContainsFunc(m.profiles[name], meshHost{name, namespace}.matches)
}

// endpointsOf counts the endpoints of the Service that a host leads to; of those with the labels of a subset, when there are any.
func (b *bundle) endpointsOf(o *loader.Object, host string, subset map[string]string) Endpoints {
	if host == "" || templated(host) {
		return Endpoints{Services: []string{}}
	}
	h := hostOf(o, host)
	return b.serviceEndpoints(o, h.name, h.namespace, subset)
}

func (b *bundle) serviceEndpoints(o *loader.Object, name, namespace string, subset map[string]string) Endpoints {
	out := Endpoints{Services: []string{}}
	found := b.servicesNear(o, namespace, name)
	if len(found) != 1 || found[0].selector == nil || found[0].selector.Empty() {
		return out
	}
	out.Services = append(out.Services, name)
	seen := map[identity]bool{}
	for _, w := range found[0].matches {
		if !labels.SelectorFromSet(subset).Matches(labels.Set(w.labels)) {
			continue
		}
		id := identity{w.object.Kind, w.object.Name}
		most, ok := mostReplicas(w)
		if !ok || seen[id] || w.fragment() { // twice the same name: overlays, of which only one is deployed
			return Endpoints{Services: out.Services}
		}
		seen[id] = true
		out.Least += w.replicas.Value
		out.Most += most
	}
	out.Known = len(seen) > 0
	return out
}

// mostReplicas is how many pods w can have; ok is false when that or the least number is unknown.
func mostReplicas(w *workload) (most int, ok bool) {
	if !w.replicas.Known || w.object.APIVersion == "serving.knative.dev/v1" {
		return 0, false
	}
	if w.replicas.fixed() || w.replicas.From == "Pod" {
		return w.replicas.Value, true
	}
	scaler := w.scaler()
	if scaler == nil {
		return 0, false
	}
	spec := scaler.Root().Get("spec")
	if scaler.Kind == "ScaledObject" {
		if n := spec.Get("maxReplicaCount"); n.Present() {
			return n.Int()
		}
		return 100, true // the default of keda.sh/v1alpha1
	}
	return spec.Get("maxReplicas").Int()
}
