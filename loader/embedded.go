package loader

import (
	"cmp"
	"slices"
)

// maxEmbedded is the largest text in a manifest that is read as documents of its own.
const maxEmbedded = 1 << 20

// Documents reads the text of a String node as YAML or JSON documents, such as a file in the data of a ConfigMap, and returns
// their roots. Positions below a root are those in the file around the text, as far as At is exact. Its Path goes on
// from that of n, with the index of the document between when there are several, and Object.Find and Object.Span walk
// such paths. What cannot be read is left out; see Options.Keys for what is reported.
func (n Node) Documents() []Node {
	var roots []Node
	docs, several := n.embedded()
	for i, d := range docs {
		root, _, err := n.document(d, i, several)
		if err == nil && root.raw != nil {
			roots = append(roots, root)
		}
	}
	return roots
}

// embedded splits the text of a String node; several says that paths carry the index of the document.
func (n Node) embedded() (docs []document, several bool) {
	text, ok := n.Str()
	if !ok || len(text) > maxEmbedded || text == "" {
		return nil, false
	}
	docs = split([]byte(text))
	return docs, len(docs) > 1
}

// document parses document d, number i of the text of n, with the builder that knows what is wrong with it.
func (n Node) document(d document, i int, several bool) (Node, *treeBuilder, error) {
	text, _ := n.Str()
	f := &File{Name: n.obj.File.Name, Source: []byte(text), around: n}
	f.locate([]document{d})
	b := &treeBuilder{file: f, doc: d, template: -1}
	root, err := b.decode()
	if err != nil || b.stop != nil || b.template >= 0 {
		return Node{}, b, err
	}
	way := n.way
	if several {
		way = &step{parent: way, index: i, shared: n.Shared()}
	}
	obj := &Object{File: n.obj.File, text: f, root: root}
	return Node{obj: obj, raw: root, way: way}, b, nil
}

// inside is the node that one more step of a path leads to from a String: a document of its text, or a part of the only one.
func (n Node) inside(s any) Node {
	docs, several := n.embedded()
	i := 0
	if several {
		number, ok := s.(int)
		if !ok || number < 0 || number >= len(docs) {
			return Node{}
		}
		i = number
	}
	if i >= len(docs) {
		return Node{}
	}
	root, _, err := n.document(docs[i], i, several)
	switch {
	case err != nil || root.raw == nil || root.Type() != Map && root.Type() != Seq:
		return Node{}
	case several:
		return root
	}
	return root.step(s)
}

// embeddedProblems reports what is wrong with the texts in a ConfigMap that have one of Options.Keys as a top-level key.
func (p *parser) embeddedProblems(o *Object) {
	if o.Kind != "ConfigMap" || len(p.opt.Keys) == 0 {
		return
	}
	var found []Problem
	for _, n := range o.Root().Get("data").Entries() {
		text, ok := n.Str()
		if !ok || !p.mentionsKey([]byte(text)) {
			continue
		}
		docs, several := n.embedded()
		for i, d := range docs {
			if h := peek(d, p.opt.Keys); h.wanted || h.shape == flowMap && p.mentionsKey(d.text) {
				found = append(found, n.problems(d, i, several)...)
			}
		}
	}
	slices.SortStableFunc(found, func(x, y Problem) int { return cmp.Compare(x.Span.Start.Offset, y.Span.Start.Offset) })
	p.file.Problems = append(p.file.Problems, found...)
}

// problems says why a document in the text of n cannot be read, or what is doubtful about it.
func (n Node) problems(d document, i int, several bool) []Problem {
	_, b, err := n.document(d, i, several)
	switch {
	case err != nil && hasTemplateSyntax(d.text):
		return nil
	case err != nil:
		at, message := b.explain(err)
		return []Problem{{Span: b.file.spanAt(at, at+1), Message: message, Lost: true}}
	case b.stop != nil:
		return []Problem{*b.stop}
	default:
		return b.problems
	}
}

// lineAt is the 1-based line of an offset, in the file around when there is one.
func (f *File) lineAt(offset int) int { return f.spanAt(offset, offset).Start.Line }
