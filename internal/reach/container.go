package reach

import (
	"cmp"
	"slices"

	"github.com/hclint/hclint/loader"
)

// Container is what the processes of the probed container see of the bundle.
type Container struct {
	pod *pod
	env *environment
}

// NewContainer reads the environment of the container of s. The probe of s is not looked at.
func NewContainer(l Lookup, s Subject) Container {
	p := newPod(l, s)
	return Container{pod: p, env: p.newEnvironment()}
}

// Setting is a piece of text that configures a container and where it stands.
type Setting struct {
	Name  string // of a variable, or the absolute path of a file
	Value string
	Known bool   // false when the value, or a part of it, is not in the bundle
	From  string // "ConfigMap api-env"; "" when it stands in the container itself
	At    loader.Node
	// Exact: offsets into Value are offsets into the text of At.
	Exact bool
}

// Variables lists the environment that the bundle shows, by name. open is true when an envFrom source is not in the bundle, so
// that other variables may be set.
func (c Container) Variables() (list []Setting, open bool) {
	for name, b := range c.env.vars {
		list = append(list, Setting{
			Name: name, Value: plain(b.value), Known: !tainted(b.value), From: b.from, At: b.at,
			Exact: b.at.Text() == b.value,
		})
	}
	slices.SortFunc(list, func(a, b Setting) int { return cmp.Compare(a.Name, b.Name) })
	return list, c.env.open
}

// Files lists the text files that volumes of ConfigMaps and Secrets put into the container, by path. unseen are the directories
// that are mounted from what the bundle does not show.
func (c Container) Files() (list []Setting, unseen []string) {
	for _, m := range c.pod.newFilesystem() {
		if !m.known {
			unseen = append(unseen, m.at)
		}
		for name, f := range m.files {
			rest, ok := under(name, m.sub)
			if !ok {
				continue
			}
			at := m.at
			if rest != "" {
				at = joinPath(m.at, rest)
			}
			list = append(list, Setting{
				Name: at, Value: plain(f.text), Known: !tainted(f.text), From: f.from, At: f.node, Exact: f.exact && !tainted(f.text),
			})
		}
	}
	slices.SortFunc(list, func(a, b Setting) int { return cmp.Compare(a.Name, b.Name) })
	return list, unseen
}

func joinPath(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}

// Arguments lists the words of command and args, with $(VAR) expanded as the kubelet does.
func (c Container) Arguments() []Setting {
	var out []Setting
	for _, key := range [...]string{"command", "args"} {
		for _, item := range c.pod.subject.Container.Get(key).Items() {
			text := expandReferences(known(item, item.Text()), func(name string) (string, bool) {
				b, ok := c.env.vars[name]
				return b.value, ok
			})
			out = append(out, Setting{Name: key, Value: plain(text), Known: !tainted(text), At: item, Exact: item.Text() == text})
		}
	}
	return out
}

// Located is where a host name leads, as seen from inside the pod.
type Located struct {
	Place   Place
	Subject string // "StatefulSet orders-db"
	Text    string // "Service orders-db selects StatefulSet orders-db"; "" when nothing in the bundle says more
	At      *loader.Object
	Sure    bool
}

// Locate resolves a host name or address.
func (c Container) Locate(host string) Located {
	loc := c.pod.locate(host)
	return Located{Place: loc.place, Subject: loc.subject, Text: loc.text, At: loc.at, Sure: loc.sure}
}
