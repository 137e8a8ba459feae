package loader

import "strings"

// objects adds what a parsed document holds: one object, or the items of a list.
func (p *parser) objects(h head, root *node) {
	doc := &Object{File: p.file, root: root}
	n := Node{obj: doc, raw: root}
	if n.Type() != Map {
		p.skip(int(root.at), p.rootReason(n))
		return
	}
	id := identify(n)
	switch {
	case id.templated:
		p.skip(h.from, reasonTemplate)
	case isKustomize(id.apiVersion):
		p.skip(h.from, reasonKustomize)
	case id.complete():
		p.object(n, id)
	case p.wanted(n):
		p.add(n, identity{})
	case isCompose(p.file.Name, n):
		p.compose(n)
	default:
		p.skip(p.file.contentAt(root), id.reason())
	}
}

func (p *parser) rootReason(n Node) string {
	if n.Type() == Opaque {
		return reasonTemplate
	}
	return reasonOther
}

// identity is the apiVersion and kind of a mapping.
type identity struct {
	apiVersion, kind string
	hasAPIVersion    bool
	hasKind          bool
	templated        bool
}

func identify(n Node) identity {
	apiVersion, kind := n.Get("apiVersion"), n.Get("kind")
	id := identity{
		hasAPIVersion: apiVersion.Present(),
		hasKind:       kind.Present(),
		templated:     apiVersion.Unknown() || kind.Unknown(),
	}
	id.apiVersion, _ = apiVersion.Str()
	id.kind, _ = kind.Str()
	return id
}

func (id identity) complete() bool { return id.apiVersion != "" && id.kind != "" }

func (id identity) reason() string {
	switch {
	case id.hasKind && !id.hasAPIVersion:
		return "has kind but no apiVersion: not a Kubernetes manifest"
	case id.hasAPIVersion && !id.hasKind:
		return "has apiVersion but no kind: not a Kubernetes manifest"
	case id.hasAPIVersion:
		return "apiVersion and kind are not text: not a Kubernetes manifest"
	default:
		return reasonOther
	}
}

func (p *parser) wanted(n Node) bool {
	for _, key := range p.opt.Keys {
		if n.Get(key).raw != nil {
			return true
		}
	}
	return false
}

// object adds n, or its items when it is a List or an OpenShift Template.
func (p *parser) object(n Node, id identity) {
	items, of := listItems(n, id)
	switch {
	case items.raw != nil:
		p.items(items, id.kind, of)
	case p.opt.Keep != nil && !p.opt.Keep(id.apiVersion, id.kind):
		p.refuse(n, id)
	default:
		p.add(n, id)
	}
}

// items adds the items of a list of the given kind; of is what an item without apiVersion and kind is.
func (p *parser) items(items Node, kind string, of identity) {
	if items.Len() == 0 {
		p.skip(int(items.raw.at), "a "+kind+" without items")
	}
	for _, item := range items.Items() {
		own := identify(item)
		if !own.hasAPIVersion && !own.hasKind && of.kind != "" {
			own = of
		}
		switch {
		case own.templated || item.Type() == Opaque:
			p.skip(int(item.raw.at), reasonTemplate)
		case own.complete():
			p.object(item, own)
		default:
			p.skip(int(item.raw.at), "item of a "+kind+" without apiVersion and kind")
		}
	}
}

// listItems returns the sequence of objects that n wraps, absent when n is an object itself, and what an item without
// apiVersion and kind is: items of a RoleList are Roles.
func listItems(n Node, id identity) (items Node, of identity) {
	switch {
	case id.kind == "List":
		items = n.Get("items")
	case id.kind == "Template" && (id.apiVersion == "v1" || strings.HasPrefix(id.apiVersion, "template.openshift.io/")):
		items = n.Get("objects")
	case strings.HasSuffix(id.kind, "List"):
		items = n.Get("items")
		first := items.Index(0)
		if items.Len() > 0 && first.Get("metadata").Type() != Map {
			return Node{}, identity{} // a kind of its own that ends in List
		}
		of = identity{apiVersion: id.apiVersion, kind: strings.TrimSuffix(id.kind, "List")}
	}
	if items.Type() != Seq {
		return Node{}, identity{}
	}
	return items, of
}

// add adds the object that starts at n.
func (p *parser) add(n Node, id identity) {
	o := p.newObject(n, id)
	o.root = n.value()
	p.file.Objects = append(p.file.Objects, o)
	p.texts(o)
}

// refuse adds an object that Keep does not want, without its content.
func (p *parser) refuse(n Node, id identity) {
	p.file.Objects = append(p.file.Objects, p.newObject(n, id))
}

func (p *parser) newObject(n Node, id identity) *Object {
	f := p.file
	o := &Object{File: f, APIVersion: id.apiVersion, Kind: id.kind}
	meta := n.Get("metadata")
	o.Namespace = meta.Get("namespace").Text()
	if o.Name = meta.Get("name").Text(); o.Name == "" {
		o.Name = meta.Get("generateName").Text()
	}
	v := n.value()
	mark := n.Get("kind").key
	if mark == nil && len(v.kids) > 0 {
		mark = &v.kids[0]
	}
	o.from, o.to = f.contentAt(v), f.nodeEnd(v)
	o.kindAt, o.kindTo = o.from, o.from
	if mark != nil {
		o.kindAt, o.kindTo = f.contentAt(mark), f.nodeEnd(mark)
	}
	return o
}
