package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
)

// maxExtends bounds chains of services that extend each other.
const maxExtends = 20

// composeFiles are the Compose files of a run by name.
type composeFiles map[string]*loader.Object

func newComposeFiles(files []*loader.File) composeFiles {
	all := composeFiles{}
	for _, f := range files {
		for _, o := range f.Objects {
			if _, taken := all[f.Name]; o.Format == loader.Compose && !taken {
				all[f.Name] = o
			}
		}
	}
	return all
}

// base is the file that o overrides: the one beside it that Compose reads first by itself. An override is known by its name, or by
// a service that says nothing of what it runs.
func (c composeFiles) base(o *loader.Object) *loader.Object {
	for _, name := range []string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"} {
		candidate := path.Join(path.Dir(o.File.Name), name)
		if candidate == o.File.Name {
			return nil
		}
		if found := c[candidate]; found != nil && overrides(o, found) {
			return found
		}
	}
	return nil
}

func overrides(o, base *loader.Object) bool {
	if strings.Contains(path.Base(o.File.Name), ".override.") {
		return true
	}
	for name, service := range o.Root().Get("services").Entries() {
		if !founded(service) && base.Root().Get("services", name).Present() {
			return true
		}
	}
	return false
}

// composeService is a service as Compose puts it together: what stands first wins.
type composeService struct {
	name    string
	own     loader.Node   // the service in the file that is judged; absent when only the base has it
	layers  []loader.Node // own first, then what it extends, then the same of the file that is overridden
	partial bool
}

// included are the files that o names under include: paths, lists of paths, or mappings with one under path.
func (c composeFiles) included(o *loader.Object) []*loader.Object {
	var out []*loader.Object
	add := func(n loader.Node) {
		if text, known := composeText(n); known && text != "" {
			out = append(out, c[path.Join(path.Dir(o.File.Name), text)])
		}
	}
	for _, item := range o.Root().Get("include").Items() {
		if item.Type() == loader.Map {
			item = item.Get("path")
		}
		if item.Type() != loader.Seq {
			add(item)
		}
		for _, one := range item.Items() {
			add(one)
		}
	}
	return out
}

// services puts the services of o together, in the order of the file; those that only its base or a file that it includes has
// come last.
func (c composeFiles) services(o *loader.Object) []*composeService {
	var out []*composeService
	byName := map[string]*composeService{}
	for _, from := range append([]*loader.Object{o, c.base(o)}, c.included(o)...) {
		if from == nil {
			continue
		}
		for name, n := range from.Root().Get("services").Entries() {
			s := byName[name]
			if s == nil {
				s = &composeService{name: name}
				byName[name] = s
				out = append(out, s)
			}
			if from == o {
				s.own = n
			}
			c.extend(s, n, from, 0)
		}
	}
	for _, s := range out {
		if !slices.ContainsFunc(s.layers, founded) {
			s.partial = true // an override of a file that was not read
		}
	}
	return out
}

// founded reports whether a service says what it runs.
func founded(service loader.Node) bool {
	return service.Get("image").Present() || service.Get("build").Present() || service.Get("extends").Present() ||
		service.Get("provider").Present()
}

// extend adds a service's own keys and those of the service that it extends.
func (c composeFiles) extend(s *composeService, n loader.Node, from *loader.Object, depth int) {
	s.layers = append(s.layers, n)
	extends := n.Get("extends")
	if !extends.Present() || extends.Tag() == tagReset {
		return
	}
	name, file := extends.Text(), ""
	if extends.Type() == loader.Map {
		name, file = extends.Get("service").Text(), extends.Get("file").Text()
	}
	if file != "" {
		from = c[path.Join(path.Dir(from.File.Name), file)]
	}
	if depth > maxExtends || from == nil {
		s.partial = true
		return
	}
	other := from.Root().Get("services", name)
	if !other.Present() {
		s.partial = true
		return
	}
	c.extend(s, other, from, depth+1)
}

// Tags by which an override takes a value away, or replaces it whole.
const (
	tagReset    = "!reset"
	tagOverride = "!override"
)

// get finds a value in the first layer that has it.
func (s *composeService) get(keys ...string) loader.Node {
	n, _ := s.find(keys...)
	return n
}

// find also reports whether the value stands in the service itself, in the file that is judged.
func (s *composeService) find(keys ...string) (n loader.Node, own bool) {
	for _, layer := range s.layers {
		at, replaced := layer, false
		for _, key := range keys {
			at = at.Get(key)
			if tag := at.Tag(); tag == tagReset {
				return loader.Node{}, false
			} else if tag == tagOverride {
				replaced = true
			}
		}
		if at.Present() {
			return at, sameMapping(layer, s.own)
		}
		if replaced {
			return loader.Node{}, false
		}
	}
	return loader.Node{}, false
}

func sameMapping(a, b loader.Node) bool {
	return a.Object() == b.Object() && a.Object() != nil && slices.Equal(a.Path(), b.Path())
}

// pairs reads what Compose lets people write as a mapping or as a list of KEY=VALUE: environment, labels.
func (s *composeService) pairs(key string) map[string]pair {
	out := map[string]pair{}
	add := func(name string, p pair) {
		if _, taken := out[name]; !taken && name != "" {
			out[name] = p
		}
	}
	for _, layer := range s.layers {
		n := layer.Get(key)
		if n.Tag() == tagReset {
			break
		}
		own := sameMapping(layer, s.own)
		for name, value := range n.Entries() {
			p := pair{at: value, own: own, bare: !value.Present()}
			p.value, p.known = composeText(value)
			add(name, p)
		}
		for _, item := range n.Items() {
			text, known := composeText(item)
			name, value, found := strings.Cut(text, "=")
			add(name, pair{value: value, known: known && found, at: item, own: own, bare: !found})
		}
		if n.Tag() == tagOverride {
			break
		}
	}
	return out
}

// pair is a value of a mapping or list, and where it stands. bare: only the name is there.
type pair struct {
	value      string
	known, own bool
	bare       bool
	at         loader.Node
}

// list reads a value that may be one string or several.
func (s *composeService) list(keys ...string) []string {
	n := s.get(keys...)
	if n.Type() == loader.String {
		text, _ := composeText(n)
		return []string{text}
	}
	var out []string
	for _, item := range n.Items() {
		text, _ := composeText(item)
		out = append(out, text)
	}
	return out
}
