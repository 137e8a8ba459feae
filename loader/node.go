package loader

import "iter"

// Node is a read-only cursor into a document. The zero Node is absent: every method works on it and yields nothing.
// Anchors, aliases and merge keys ("<<") are followed; positions of an aliased value are those of the anchor's content.
// A key that is given twice has its last value, as for kubectl; a key beats a merged one wherever it stands.
type Node struct {
	obj *Object
	key *node // the key, when reached through a mapping
	raw *node // the value, possibly an alias
	way *step // nil for an object's root
}

// step is one step of the way to a Node.
type step struct {
	parent *step
	key    string
	index  int // of a sequence; -1 for a key
	shared bool
}

// NodeType says what a Node holds.
type NodeType int

// The types of nodes. Scalars are resolved as Kubernetes does (YAML 1.1: plain yes/no/on/off are booleans).
const (
	// Absent is the type of the zero Node: there is nothing.
	Absent NodeType = iota
	// Null is ~, null or no value after a key.
	Null
	// Bool is a boolean.
	Bool
	// Int is a whole number.
	Int
	// Float is any other number.
	Float
	// String is text.
	String
	// Map is a mapping.
	Map
	// Seq is a sequence.
	Seq
	// Opaque is a value that cannot be known: a template such as {{ .x }} that stands for a whole plain value (YAML
	// reads a mapping with a mapping as its key), a custom tag, a mapping with any other mapping or sequence as a key.
	// Text such as ${X} is a String; see Node.Unknown.
	Opaque
)

func (n Node) value() *node {
	if n.raw == nil {
		return nil
	}
	return n.raw.target()
}

// Type says what n holds.
func (n Node) Type() NodeType {
	v := n.value()
	switch {
	case v == nil:
		return Absent
	case v.flags&opaque != 0:
		return Opaque
	case v.kind == mapNode:
		return Map
	case v.kind == seqNode:
		return Seq
	case v.flags&typed != 0:
		return NodeType(v.tag)
	case v.flags&plain != 0:
		return resolvePlain(v.text).typ
	default:
		return String
	}
}

// Present reports whether n is neither Absent nor Null.
func (n Node) Present() bool {
	t := n.Type()
	return t != Absent && t != Null
}

// Unknown reports whether the value is decided only when the manifest is rendered: n is Opaque, or a String with a
// placeholder in it: ${X}, ${{X}}, ${X:-default}, {{ x }}, or $X as the whole text. Text in which a program's own
// syntax looks the same (a shell script) is Unknown as well, so ask only where a plain value is expected.
func (n Node) Unknown() bool {
	switch n.Type() {
	case Opaque:
		return true
	case String:
		return hasPlaceholder(n.value().text)
	default:
		return false
	}
}

// Shared reports whether the way to n, or n itself, leads through an anchor, an alias or a merge key, so that its
// text in the source serves other places too.
func (n Node) Shared() bool {
	if n.raw == nil {
		return false
	}
	return n.way != nil && n.way.shared || n.raw.kind == aliasNode || n.raw.flags&anchored != 0
}

// Get goes through mappings, one key after the other. A step through anything but a mapping is absent.
func (n Node) Get(keys ...string) Node {
	for _, key := range keys {
		m := n.mapping()
		if m == nil {
			return Node{}
		}
		k, v, merged := m.lookup(key, 0)
		if v == nil {
			return Node{}
		}
		n = Node{obj: n.obj, key: k, raw: v, way: &step{parent: n.way, key: key, index: -1, shared: n.Shared() || merged}}
	}
	return n
}

// mapping is the node of a Map; nil for anything else.
func (n Node) mapping() *node {
	if v := n.value(); v != nil && v.kind == mapNode && v.flags&opaque == 0 {
		return v
	}
	return nil
}

func (n Node) sequence() *node {
	if v := n.value(); v != nil && v.kind == seqNode && v.flags&opaque == 0 {
		return v
	}
	return nil
}

// Index is item i of a sequence; absent when there is none.
func (n Node) Index(i int) Node {
	s := n.sequence()
	if s == nil || i < 0 || i >= len(s.kids) {
		return Node{}
	}
	return Node{obj: n.obj, raw: &s.kids[i], way: &step{parent: n.way, index: i, shared: n.Shared()}}
}

// Len is the number of items of a Seq or of entries of a Map (merged ones included); 0 for anything else.
func (n Node) Len() int {
	if s := n.sequence(); s != nil {
		return len(s.kids)
	}
	count := 0
	for range n.Entries() {
		count++
	}
	return count
}

// Items yields the items of a Seq.
func (n Node) Items() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) {
		for i := range n.seqLen() {
			if !yield(i, n.Index(i)) {
				return
			}
		}
	}
}

func (n Node) seqLen() int {
	if s := n.sequence(); s != nil {
		return len(s.kids)
	}
	return 0
}

// Entries yields the entries of a Map in source order, merged keys last. A key that is given twice is yielded once,
// at its last place.
func (n Node) Entries() iter.Seq2[string, Node] {
	return func(yield func(string, Node) bool) {
		m := n.mapping()
		if m == nil {
			return
		}
		for _, e := range m.entries() {
			child := Node{obj: n.obj, key: e.key, raw: e.value}
			child.way = &step{parent: n.way, key: e.key.target().text, index: -1, shared: n.Shared() || e.merged}
			if !yield(child.way.key, child) {
				return
			}
		}
	}
}

// Object is the object that n belongs to; nil when n is absent.
func (n Node) Object() *Object { return n.obj }

// Path leads from the object's root to n. It is nil for the root and for an absent node.
func (n Node) Path() Path {
	length := 0
	for s := n.way; s != nil; s = s.parent {
		length++
	}
	if length == 0 {
		return nil
	}
	path := make(Path, length)
	for s := n.way; s != nil; s = s.parent {
		length--
		if s.index >= 0 {
			path[length] = s.index
		} else {
			path[length] = s.key
		}
	}
	return path
}

// KeySpan is where n stands: its key in a mapping; in a sequence the item, or the first key or item of an item that
// is a mapping or sequence. For the root it is the "kind" key, else the first key.
func (n Node) KeySpan() Span {
	switch {
	case n.raw == nil:
		return Span{}
	case n.key != nil:
		return n.obj.source().scalarSpan(n.key)
	case n.way == nil:
		return n.obj.kindSpan()
	default:
		return n.obj.source().firstSpan(n.raw)
	}
}

// ValueSpan is the whole value: a scalar with its quotes, a mapping or sequence from its first key, item or bracket to
// the end of its last one.
func (n Node) ValueSpan() Span {
	v := n.value()
	if v == nil {
		return Span{}
	}
	f := n.obj.source()
	return f.spanAt(f.contentAt(v), f.nodeEnd(v))
}

// firstSpan is the span of a scalar or alias, or that of the first scalar in a collection.
func (f *File) firstSpan(n *node) Span {
	for n.kind != scalarNode && n.kind != aliasNode && len(n.kids) > 0 {
		n = &n.kids[0]
	}
	return f.scalarSpan(n)
}
