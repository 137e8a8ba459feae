package loader

// Object is one Kubernetes object (List items are flattened) or one other document worth reading.
type Object struct {
	File       *File
	APIVersion string
	Kind       string // "" for a document that is not Kubernetes
	Format     Format
	Namespace  string
	Name       string // metadata.name, else metadata.generateName

	text           *File            // of a document inside a String: that text
	texts          map[*node][]Node // documents inside its Strings, read with the file
	root           *node            // nil when Options.Keep refused the object
	from, to       int              // offsets of its first byte and past its last
	kindAt, kindTo int              // of the "kind" key, or of what stands for it
}

// Format says what kind of file an object without a Kind comes from.
type Format string

// The formats.
const (
	// Document is a Kubernetes object or any other YAML or JSON document.
	Document Format = ""
	// Compose is a Compose file: the root holds services.
	Compose Format = "compose"
	// Unit is a systemd unit file: the root maps sections to their keys, whose values all are text.
	Unit Format = "unit"
)

// Root is the object's mapping. It is absent when Options.Keep refused the object.
func (o *Object) Root() Node {
	if o.root == nil {
		return Node{}
	}
	return Node{obj: o, raw: o.root}
}

// source is where the offsets of the object's nodes lead.
func (o *Object) source() *File {
	if o.text != nil {
		return o.text
	}
	return o.File
}

// Find walks path and returns the node there; absent when a step is missing.
func (o *Object) Find(path Path) Node {
	n := o.Root()
	for _, s := range path {
		n = n.step(s)
	}
	return n
}

func (n Node) step(s any) Node {
	if n.Type() == String {
		return n.inside(s)
	}
	switch s := s.(type) {
	case string:
		return n.Get(s)
	case int:
		return n.Index(s)
	default:
		return Node{}
	}
}

// Span is where path stands: the key for a mapping step, the item for a sequence step (for an item that is a mapping or
// sequence: its first key or item). When a step is missing it is the span of the deepest step that exists; for the empty
// path it is the "kind" key (else the first key).
func (o *Object) Span(path Path) Span {
	n := o.Root()
	if n.raw == nil {
		return o.kindSpan()
	}
	for _, s := range path {
		next := n.step(s)
		if next.raw == nil {
			break
		}
		n = next
	}
	return n.KeySpan()
}

func (o *Object) kindSpan() Span {
	return o.source().spanAt(o.kindAt, o.kindTo)
}

// Lines is the object's extent, from its first line to its last, inclusive.
func (o *Object) Lines() (first, last int) {
	lines := o.File.lines
	return lines.line(o.from) + 1, lines.line(max(o.to-1, o.from)) + 1
}
