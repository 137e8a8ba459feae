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
	return slices.DeleteFunc(slices.Clone(n.documents()), func(root Node) bool { return root.raw == nil })
}

// documents returns the roots by the index of the document; an absent one could not be read. Those of a ConfigMap that may
// matter have been read with the file, since a path is walked for each finding.
func (n Node) documents() []Node {
	if n.obj == nil {
		return nil
	}
	if roots, known := n.obj.texts[n.value()]; known {
		return roots
	}
	docs := n.embedded()
	roots := make([]Node, len(docs))
	for i, d := range docs {
		roots[i], _, _ = n.document(d, i, len(docs) > 1)
	}
	return roots
}

// embedded splits the text of a String node.
func (n Node) embedded() []document {
	text, ok := n.Str()
	if !ok || len(text) > maxEmbedded || text == "" {
		return nil
	}
	return split([]byte(text))
}

// document parses document d, number i of several or the only one in the text of n, with the builder that knows what is
// wrong with it.
func (n Node) document(d document, i int, several bool) (Node, *treeBuilder, error) {
	text, _ := n.Str()
	f := &File{Name: n.obj.File.Name, Source: []byte(text), around: n}
	f.locate([]document{d})
	f.rows, f.rowsEnd = n.rows(len(f.lines))
	b := &treeBuilder{file: f, doc: d, template: -1}
	root, err := b.decode()
	if err != nil || b.stop != nil || b.template >= 0 {
		return Node{}, b, err
	}
	way := n.way
	if several {
		way = &step{parent: way, index: i, shared: n.Shared()}
	}
	return Node{obj: &Object{File: n.obj.File, text: f, root: root}, raw: root, way: way}, b, nil
}

// inside is the node that one more step of a path leads to from a String: a document of its text, or a part of the only one.
func (n Node) inside(s any) Node {
	roots := n.documents()
	switch len(roots) {
	case 0:
		return Node{}
	case 1:
		if t := roots[0].Type(); t != Map && t != Seq {
			return Node{}
		}
		return roots[0].step(s)
	}
	i, ok := s.(int)
	if !ok || i < 0 || i >= len(roots) {
		return Node{}
	}
	return roots[i]
}

// texts reads the texts in a ConfigMap that mention one of Options.Keys, and reports what is wrong with the documents that have
// it as a top-level key.
func (p *parser) texts(o *Object) {
	if o.Kind != "ConfigMap" || len(p.opt.Keys) == 0 {
		return
	}
	var found []Problem
	for _, n := range o.Root().Get("data").Entries() {
		text, ok := n.Str()
		if !ok || !p.mentionsKey([]byte(text)) {
			continue
		}
		docs := n.embedded()
		roots := make([]Node, len(docs))
		for i, d := range docs {
			root, b, err := n.document(d, i, len(docs) > 1)
			roots[i] = root
			if h := peek(d, p.opt.Keys); h.wanted || h.shape == flowMap && p.mentionsKey(d.text) {
				found = append(found, b.wrong(err)...)
			}
		}
		if o.texts == nil {
			o.texts = map[*node][]Node{}
		}
		o.texts[n.value()] = roots
	}
	slices.SortStableFunc(found, func(x, y Problem) int { return cmp.Compare(x.Span.Start.Offset, y.Span.Start.Offset) })
	p.file.Problems = append(p.file.Problems, found...)
}

// wrong says why a document cannot be read, given the error of decode, or what is doubtful about it.
func (b *treeBuilder) wrong(err error) []Problem {
	switch {
	case err != nil && hasTemplateSyntax(b.doc.text):
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

// rows returns where the first count lines of a literal block start in the source, after their indentation, and where the block
// ends; nil for any other node. With it a position is found without reading the block from its start, as At does.
func (n Node) rows(count int) (rows []int32, end int) {
	v := n.value()
	if v.flags&literal == 0 {
		return nil, 0
	}
	f := n.obj.source()
	b := f.blockText(v)
	rows = make([]int32, 0, count)
	for at := b.start; len(rows) < count; {
		end, next := cutLine(f.Source, at, true)
		rows = append(rows, int32(min(at+b.indent, end)))
		if next >= len(f.Source) {
			break
		}
		at = next
	}
	return rows, b.end
}

// outside converts a byte range of a text inside another file to where it stands there.
func (f *File) outside(from, to int) Span {
	outer := f.around.obj.source()
	if len(f.rows) == 0 {
		return f.around.At(from, to)
	}
	at := func(offset int) int {
		row := f.lines.line(offset)
		if row >= len(f.rows) {
			return f.rowsEnd
		}
		return min(int(f.rows[row])+offset-int(f.lines[row]), f.rowsEnd)
	}
	return outer.spanAt(at(from), at(to))
}

// lineAt is the 1-based line of an offset, in the file around when there is one.
func (f *File) lineAt(offset int) int { return f.spanAt(offset, offset).Start.Line }
