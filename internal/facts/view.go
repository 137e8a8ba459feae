package facts

import (
	"strings"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// view is the bundle as seen from one workload; it implements reach.Lookup.
type view struct {
	*bundle
	from *workload
}

var _ reach.Lookup = view{}

// Object implements reach.Lookup.
func (v view) Object(kind, namespace, name string) *loader.Object {
	return v.objectNear(v.from.object, kind, namespace, name)
}

// Service implements reach.Lookup.
func (v view) Service(namespace, name string) (reach.Service, bool) {
	s := first(v.servicesNear(v.from.object, namespace, name))
	if s == nil {
		return reach.Service{}, false
	}
	spec := s.object.Root().Get("spec")
	out := reach.Service{
		Object:       s.object,
		Own:          s.covers(v.from),
		ExternalName: spec.Get("externalName").Text(),
		Headless:     spec.Get("clusterIP").Text() == "None",
	}
	if len(s.matches) > 0 {
		out.Backs = s.matches[0].object.Kind + " " + s.matches[0].object.Name
	}
	return out, true
}

// IngressHost implements reach.Lookup.
func (v view) IngressHost(host string) (reach.Service, bool) {
	backends := v.routes[host]
	if len(backends) == 0 {
		if _, parent, ok := strings.Cut(host, "."); ok {
			backends = v.routes["*."+parent]
		}
	}
	backends = nearest(v.from.object, backends, func(b backend) *loader.Object { return b.object })
	if len(backends) == 0 {
		return reach.Service{}, false
	}
	return v.Service(backends[0].namespace, backends[0].service)
}
