package reach

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"

	"github.com/hclint/hclint/loader"
)

// Addresses that stand for the pod and its node during a run. They come from the documentation range (RFC 5737), so
// no real target can be mistaken for them.
const (
	podIP    = "192.0.2.254"
	nodeIP   = "192.0.2.253"
	nodeName = "node.invalid"
)

// maxValue is the longest argument or variable that Linux starts a process with: MAX_ARG_STRLEN of include/uapi/linux/binfmts.h.
const maxValue = 128 << 10

// binding is a value of the container's environment and where it is written.
type binding struct {
	value string
	at    loader.Node
	from  string // "ConfigMap api-env" for values that are not written in the container itself
	field bool   // from valueFrom: the kubelet's own expansion sees an empty string
	own   bool   // from env (not envFrom)
}

// environment is what the container's processes see, as far as the manifests say. It implements expand.Environ.
type environment struct {
	vars map[string]binding
	// open: an envFrom source is not in the bundle, so any name may be set.
	open bool
	svc  func(name string) (string, bool)
}

// newEnvironment reads env and envFrom of the container. Later sources win and env wins over envFrom, as in the kubelet.
func (p *pod) newEnvironment() *environment {
	e := &environment{vars: map[string]binding{}, svc: p.serviceVariable}
	for _, src := range p.subject.Container.Get("envFrom").Items() {
		p.envFrom(e, src)
	}
	for _, item := range p.subject.Container.Get("env").Items() {
		name := item.Get("name").Text()
		if name == "" {
			continue
		}
		e.vars[name] = p.envItem(e, item)
	}
	return e
}

func (p *pod) envFrom(e *environment, src loader.Node) {
	prefix := src.Get("prefix").Text()
	kind, ref := "ConfigMap", src.Get("configMapRef")
	if !ref.Present() {
		kind, ref = "Secret", src.Get("secretRef")
	}
	name := ref.Get("name").Text()
	object := p.object(kind, name)
	if object == nil {
		e.open = true
		return
	}
	for key, b := range data(object) {
		b.from = kind + " " + name
		e.vars[prefix+key] = b
	}
}

// data lists the text entries of a ConfigMap or Secret.
func data(object *loader.Object) map[string]binding {
	out := map[string]binding{}
	for _, list := range [...]string{"data", "stringData"} {
		for key, value := range object.Root().Get(list).Entries() {
			out[key] = entryOf(object, list, value)
		}
	}
	return out
}

// datum is one entry of data.
func datum(object *loader.Object, key string) (binding, bool) {
	for _, list := range [...]string{"stringData", "data"} {
		if value := object.Root().Get(list, key); value.Type() != loader.Absent {
			return entryOf(object, list, value), true
		}
	}
	return binding{}, false
}

func entryOf(object *loader.Object, list string, value loader.Node) binding {
	text := value.Text()
	if object.Kind == "Secret" && list == "data" {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
		if err != nil {
			return binding{value: unknown, at: value}
		}
		text = string(raw)
	}
	return binding{value: known(value, text), at: value}
}

// known is text, or an unknown value where the node is a template.
func known(n loader.Node, text string) string {
	if n.Type() == loader.Opaque {
		return unknown
	}
	return maskTemplates(text)
}

func (p *pod) envItem(e *environment, item loader.Node) binding {
	value := item.Get("value")
	if from := item.Get("valueFrom"); from.Present() {
		return p.valueFrom(item, from)
	}
	text := expandReferences(known(value, value.Text()), func(name string) (string, bool) {
		if b, ok := e.vars[name]; ok {
			return b.value, true
		}
		if v, ok := e.svc(name); ok {
			return v, true
		}
		return unknown, e.open
	})
	at := value
	if !at.Present() {
		at = item.Get("name")
	}
	return binding{value: text, at: at, own: true}
}

func (p *pod) valueFrom(item, from loader.Node) binding {
	out := binding{value: unknown, at: item.Get("name"), field: true, own: true}
	if f := from.Get("fieldRef", "fieldPath"); f.Present() {
		out.value, out.at = p.field(f.Text()), f
		return out
	}
	for _, source := range [...]struct{ kind, key string }{{"ConfigMap", "configMapKeyRef"}, {"Secret", "secretKeyRef"}} {
		kind, ref := source.kind, from.Get(source.key)
		if !ref.Present() {
			continue
		}
		name := ref.Get("name").Text()
		if object := p.object(kind, name); object != nil {
			if b, ok := datum(object, ref.Get("key").Text()); ok {
				out.value, out.from = b.value, kind+" "+name
			}
		}
	}
	return out
}

// field resolves a downward API field path to the addresses that stand for it in a run.
func (p *pod) field(path string) string {
	switch path {
	case "status.podIP", "status.podIPs":
		return podIP
	case "status.hostIP", "status.hostIPs":
		return nodeIP
	case "spec.nodeName":
		return nodeName
	case "metadata.name":
		return p.name
	case "metadata.namespace":
		return p.namespace()
	}
	if key, ok := strings.CutPrefix(path, "metadata.labels['"); ok {
		if v, ok := p.subject.Labels[strings.TrimSuffix(key, "']")]; ok {
			return v
		}
	}
	return unknown
}

// Get implements expand.Environ.
func (e *environment) Get(name string) expand.Variable {
	v, ok := e.lookup(name)
	if !ok {
		return expand.Variable{}
	}
	return expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: v}
}

func (e *environment) lookup(name string) (string, bool) {
	if b, ok := e.vars[name]; ok {
		return b.value, true
	}
	if v, ok := e.svc(name); ok {
		return v, true
	}
	if e.open && upper(name) && !shellVariable(name) {
		return unknown, true
	}
	return "", false
}

// Each implements expand.Environ.
func (e *environment) Each(fn func(name string, vr expand.Variable) bool) {
	for _, name := range slices.Sorted(maps.Keys(e.vars)) {
		if !fn(name, e.Get(name)) {
			return
		}
	}
}

func upper(name string) bool {
	for _, r := range name {
		if r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// shellVariable reports names that the shell or the image base sets itself.
func shellVariable(name string) bool {
	switch name {
	case "HOME", "PATH", "PWD", "OLDPWD", "IFS", "UID", "EUID", "GID", "PPID", "OPTIND", "OPTARG", "OPTERR", "RANDOM", "SRANDOM",
		"SECONDS", "LINENO", "REPLY", "PS1", "PS2", "PS4", "TMPDIR", "TERM", "SHELL", "LANG", "USER", "LOGNAME", "SHLVL",
		"HOSTTYPE", "OSTYPE", "MACHTYPE", "FUNCNAME", "PIPESTATUS", "DIRSTACK", "GROUPS", "EPOCHSECONDS", "_":
		return true
	}
	return strings.HasPrefix(name, "BASH") || strings.HasPrefix(name, "LC_")
}

// expandReferences expands $(VAR) in s as Kubernetes does (k8s.io/kubernetes third_party/forked/golang/expansion):
// $$ escapes, what lookup does not know stays as it is.
func expandReferences(s string, lookup func(string) (string, bool)) string {
	if !strings.Contains(s, "$") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if b.Len() > maxValue {
			return unknown // values made of values grow without end
		}
		if s[i] != '$' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		switch s[i+1] {
		case '$':
			b.WriteByte('$')
			i++
		case '(':
			end := strings.IndexByte(s[i:], ')')
			if end < 0 {
				b.WriteString("$(")
				i++
				continue
			}
			ref := s[i : i+end+1]
			if v, ok := lookup(ref[2 : len(ref)-1]); ok {
				b.WriteString(v)
			} else {
				b.WriteString(ref)
			}
			i += end
		default:
			b.WriteByte('$')
			b.WriteByte(s[i+1])
			i++
		}
	}
	return b.String()
}
