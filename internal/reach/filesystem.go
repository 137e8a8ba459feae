package reach

import (
	"path"
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
)

// presence says whether a path exists in the container.
type presence int

const (
	uncertain presence = iota // in the image, or in a volume that the bundle does not show
	present
	missing
)

// textFile is a file whose text the bundle shows.
type textFile struct {
	path, text string
	node       loader.Node
	// exact: offsets in text are offsets in node's value.
	exact bool
	from  string // "ConfigMap api-scripts"
}

// mount is a volume mounted in the container. files is nil when its content is not known.
type mount struct {
	at    string
	sub   string
	known bool
	files map[string]*textFile
	// origin is what an unknown volume is filled from, in words; "" when the manifest does not say.
	origin string
}

// filesystem is what the container sees of the bundle.
type filesystem []mount

func (p *pod) newFilesystem() filesystem {
	var out filesystem
	for _, m := range p.subject.Container.Get("volumeMounts").Items() {
		at := m.Get("mountPath").Text()
		if at == "" || tainted(at) {
			continue
		}
		sub := m.Get("subPath").Text()
		if m.Get("subPathExpr").Present() {
			out = append(out, mount{at: path.Clean(at)})
			continue
		}
		entry := mount{at: path.Clean(at), sub: path.Clean("/" + sub)}
		if entry.known, entry.files = p.volume(m.Get("name").Text()); !entry.known {
			entry.origin = p.origin(m.Get("name").Text())
		}
		out = append(out, entry)
	}
	// The longest mount path wins, as in the kernel.
	slices.SortStableFunc(out, func(a, b mount) int { return len(b.at) - len(a.at) })
	return out
}

func (p *pod) volume(name string) (bool, map[string]*textFile) {
	for _, v := range p.subject.Pod.Get("volumes").Items() {
		if v.Get("name").Text() != name {
			continue
		}
		if projected := v.Get("projected"); projected.Present() {
			return p.projected(projected)
		}
		return p.volumeSource(v)
	}
	return false, nil
}

// origin says what a volume is filled from.
func (p *pod) origin(name string) string {
	for _, v := range p.subject.Pod.Get("volumes").Items() {
		if v.Get("name").Text() != name {
			continue
		}
		sources := []loader.Node{v}
		for _, source := range v.Get("projected", "sources").Items() {
			sources = append(sources, source)
		}
		for _, source := range sources {
			if c := source.Get("configMap", "name").Text(); c != "" {
				return "ConfigMap " + c
			}
			if s := source.Get("secret", "secretName").Text() + source.Get("secret", "name").Text(); s != "" {
				return "Secret " + s
			}
		}
	}
	return ""
}

// whereabouts says where a file is that the bundle does not show.
func (fs filesystem) whereabouts(name string) string {
	for _, m := range fs {
		if _, ok := under(path.Clean(name), m.at); !ok {
			continue
		}
		if m.origin != "" {
			return "comes from " + plain(m.origin) + ", which was not read"
		}
		return "is in a volume, not in the manifests"
	}
	return "is inside the image"
}

func (p *pod) projected(n loader.Node) (bool, map[string]*textFile) {
	files, all := map[string]*textFile{}, true
	for _, source := range n.Get("sources").Items() {
		ok, part := p.volumeSource(source)
		all = all && ok
		for k, f := range part {
			files[k] = f
		}
	}
	return all, files
}

// volumeSource reads a configMap or secret source; items map keys to paths.
func (p *pod) volumeSource(v loader.Node) (bool, map[string]*textFile) {
	kind, source, name := "ConfigMap", v.Get("configMap"), ""
	switch {
	case source.Present():
		name = source.Get("name").Text()
	case v.Get("secret").Present():
		kind, source = "Secret", v.Get("secret")
		name = source.Get("secretName").Text() + source.Get("name").Text()
	default:
		return false, nil
	}
	object := p.object(kind, name)
	if object == nil {
		return false, nil
	}
	entries := data(object)
	files := map[string]*textFile{}
	add := func(key, to string) {
		b, ok := entries[key]
		if !ok {
			return
		}
		to = path.Clean("/" + to)
		files[to] = &textFile{path: to, text: b.value, node: b.at, exact: b.at.Text() == b.value || maskTemplates(b.at.Text()) == b.value, from: kind + " " + name}
	}
	if items := source.Get("items"); items.Len() > 0 {
		for _, item := range items.Items() {
			add(item.Get("key").Text(), item.Get("path").Text())
		}
		return true, files
	}
	for key := range entries {
		add(key, key)
	}
	return true, files
}

// open finds the file at an absolute path.
func (fs filesystem) open(name string) (*textFile, presence) {
	name = path.Clean(name)
	for _, m := range fs {
		rest, ok := under(name, m.at)
		if !ok {
			continue
		}
		if f, ok := m.files[path.Join(m.sub, rest)]; ok {
			return f, present
		}
		if m.directory(path.Join(m.sub, rest)) {
			return nil, present
		}
		if m.known {
			return nil, missing
		}
		return nil, uncertain
	}
	return nil, uncertain
}

func (m mount) directory(name string) bool {
	for file := range m.files {
		if _, ok := under(file, name); ok {
			return true
		}
	}
	return false
}

// list names what stands in a directory, sorted; ok is false when that is not known.
func (fs filesystem) list(dir string) (names []string, ok bool) {
	dir = path.Clean(dir)
	for _, m := range fs {
		rest, inside := under(dir, m.at)
		if !inside {
			continue
		}
		if !m.known {
			return nil, false
		}
		for file := range m.files {
			if r, inside := under(file, path.Join(m.sub, rest)); inside && r != "" {
				first, _, _ := strings.Cut(r, "/")
				names = append(names, first)
			}
		}
		slices.Sort(names)
		return slices.Compact(names), true
	}
	return nil, false
}

// under cuts dir off name.
func under(name, dir string) (string, bool) {
	if dir == "/" {
		return strings.TrimPrefix(name, "/"), true
	}
	if name == dir {
		return "", true
	}
	return strings.CutPrefix(name, dir+"/")
}
