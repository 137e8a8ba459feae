package loader

import (
	"math"
	"strings"
)

func (n Node) resolve() resolved {
	v := n.value()
	switch {
	case v == nil || v.kind != scalarNode:
		return resolved{typ: n.Type()}
	case v.flags&opaque != 0:
		return resolved{Opaque, v.text}
	case v.flags&typed != 0:
		return typedValue(v)
	case v.flags&plain != 0:
		return resolvePlain(v.text)
	default:
		return resolved{String, v.text}
	}
}

// typedValue is the value of a scalar with one of YAML's own tags.
func typedValue(v *node) resolved {
	if NodeType(v.tag) == String {
		return resolved{String, v.text}
	}
	r := resolvePlain(v.text)
	if n, ok := r.value.(int64); ok && NodeType(v.tag) == Float {
		return resolved{Float, float64(n)}
	}
	return r
}

// Text is a scalar's text as a string field of Kubernetes would get it: 0x10 is "16", yes is "true". It is "" for a
// null and for anything that is not a scalar.
func (n Node) Text() string {
	r := n.resolve()
	if r.value == nil {
		return ""
	}
	return r.plainText()
}

// Str is the value of a String.
func (n Node) Str() (string, bool) {
	r := n.resolve()
	if r.typ != String {
		return "", false
	}
	s, ok := r.value.(string)
	return s, ok
}

// Int is the value of an Int, or of a Float with a whole value (1e3). A number that an int cannot hold is none; a
// placeholder such as ${PORT} is a String and so none either (see Unknown).
func (n Node) Int() (int, bool) {
	switch v := n.resolve().value.(type) {
	case int64:
		return int(v), int64(int(v)) == v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int(v), true
		}
	}
	return 0, false
}

// Bool is the value of a Bool.
func (n Node) Bool() (value, ok bool) {
	value, ok = n.resolve().value.(bool)
	return value, ok
}

// Plain is the value as Go knows it: map[string]any, []any, string, bool, int64, float64 or nil. An integer above
// 2^63-1 is a float64, a template the text that stands in the source.
func (n Node) Plain() any {
	v := n.value()
	if v == nil {
		return nil
	}
	return n.obj.source().plain(v)
}

func (f *File) plain(v *node) any {
	v = v.target()
	switch v.kind {
	case mapNode:
		if v.flags&opaque != 0 && !v.simpleKeys() {
			return string(f.Source[f.contentAt(v):f.nodeEnd(v)])
		}
		out := make(map[string]any, len(v.kids)/2)
		for _, e := range v.entries() {
			out[e.key.target().text] = f.plain(e.value)
		}
		return out
	case seqNode:
		out := make([]any, len(v.kids))
		for i := range v.kids {
			out[i] = f.plain(&v.kids[i])
		}
		return out
	default:
		return v.plainScalar()
	}
}

func (n *node) plainScalar() any {
	r := Node{raw: n}.resolve()
	if u, ok := r.value.(uint64); ok {
		return float64(u)
	}
	return r.value
}

func (n *node) simpleKeys() bool {
	for i := 0; i < len(n.kids); i += 2 {
		if n.kids[i].target().kind != scalarNode {
			return false
		}
	}
	return true
}

// hasPlaceholder reports whether s has text that envsubst, OpenShift, Flux or a template engine replaces.
func hasPlaceholder(s string) bool {
	for _, bracket := range [...][2]string{{"${", "}"}, {"{{", "}}"}} {
		if _, rest, found := strings.Cut(s, bracket[0]); found && strings.Contains(rest, bracket[1]) {
			return true
		}
	}
	name, found := strings.CutPrefix(s, "$")
	return found && isVariable(name)
}

// isVariable reports whether s is the name of an environment variable.
func isVariable(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
