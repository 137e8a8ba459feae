package loader

import "fmt"

// maxNodes is how many mappings, sequences and scalars one document may hold. The largest dumps of clusters that fit into a file
// have 900,000; parser and tree take some 240 bytes for each.
const maxNodes = 1_500_000

// checkNodes refuses a document that holds more nodes than fit into memory, before the parser makes them.
func (b *treeBuilder) checkNodes(limit int) {
	if len(b.doc.text) < limit {
		return // a node takes a byte at least
	}
	count := 0
	for t := range tokens(b.doc.text) {
		if t.kind == commentToken || t.kind == moreToken {
			continue
		}
		if count++; count > limit {
			at := b.doc.hi - len(b.doc.text) + t.from
			b.stop = &Problem{
				Span: b.file.spanAt(at, at+1), Lost: true,
				Message: fmt.Sprintf("more than %d values in one document: split it", limit),
			}
			return
		}
	}
}
