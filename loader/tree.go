package loader

import (
	"fmt"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

const (
	// maxDepth is how deep mappings and sequences may nest. CustomResourceDefinitions, the deepest manifests
	// there are, stay under 100.
	maxDepth = 200
	// maxDuplicates is how many keys of one document are reported.
	maxDuplicates = 100
	// maxAliased is how many nodes the aliases of one document may stand for.
	maxAliased = 250_000
)

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	mapNode
	seqNode
	aliasNode
)

type nodeFlags uint16

const (
	plain        nodeFlags = 1 << iota // an unquoted scalar without a tag
	singleQuoted                       //
	doubleQuoted
	literal
	folded
	flow      // a mapping or sequence in brackets
	props     // an anchor or a tag stands before it
	anchored  //
	opaque    // see Opaque
	merging   // a mapping with a "<<" key
	mergeKey  // such a key
	renamed   // the text is not what stands in the source: a key such as 0x10, a !!binary value
	typed     // a scalar with one of YAML's own tags, which decides its type
	continued // the value of a systemd unit that goes on over several lines
)

// node is one YAML node. A document's nodes lie in one slice: yaml.Node takes three times the memory and points
// everywhere.
type node struct {
	text  string // of a scalar, as decoded; of a typed one after its tag
	kids  []node // keys and values in turn, items, or the one target of an alias
	at    int32  // offset in the file's source
	flags nodeFlags
	kind  nodeKind
	tag   uint8 // the NodeType of a typed scalar
}

// treeBuilder turns the yaml.Node tree of one document into nodes and checks what the parser does not: duplicate
// keys, depth, and what aliases expand to.
type treeBuilder struct {
	file     *File
	doc      document
	line     int // index in file.yamlLines of the document's first line
	shift    int // how many columns the first line has more for the parser
	arena    []node
	anchors  map[*yaml.Node]anchor
	aliased  int
	stop     *Problem // why the tree cannot be used
	problems []Problem
	template int // offset of a template that is not a value; -1 without one

	lastStart, lastColumn, lastOffset int // see walk
}

type anchor struct {
	target []node // of length 1
	size   int    // 0 while the anchor's own content is read
}

func (b *treeBuilder) build(root *yaml.Node) *node {
	b.arena = make([]node, 0, countNodes(root))
	slot := b.take(1)
	b.fill(slot, root, 1)
	return &slot[0]
}

func countNodes(y *yaml.Node) int {
	n := 1
	for _, c := range y.Content {
		n += countNodes(c)
	}
	return n
}

func (b *treeBuilder) take(n int) []node {
	lo := len(b.arena)
	b.arena = b.arena[:lo+n]
	return b.arena[lo : lo+n : lo+n]
}

// fill converts y into slot[0] and returns how many nodes y stands for, aliases expanded.
func (b *treeBuilder) fill(slot []node, y *yaml.Node, depth int) int {
	n := &slot[0]
	n.at = b.offset(y.Line, y.Column)
	if b.stop != nil {
		return 1
	}
	if depth > maxDepth {
		b.fail(n, fmt.Sprintf("nested more than %d levels deep", maxDepth))
		return 1
	}
	if y.Anchor != "" {
		n.flags |= props | anchored
		if b.anchors == nil {
			b.anchors = map[*yaml.Node]anchor{}
		}
		b.anchors[y] = anchor{target: slot}
	}
	size := 1
	switch y.Kind {
	case yaml.AliasNode:
		size = b.alias(n, y)
	case yaml.ScalarNode:
		b.scalar(n, y)
	case yaml.SequenceNode:
		n.kind = seqNode
		size += b.collection(n, y, depth)
	case yaml.MappingNode:
		n.kind = mapNode
		size += b.collection(n, y, depth)
		b.checkKeys(n)
	default:
		b.fail(n, "not a mapping, a sequence or a scalar")
	}
	if y.Anchor != "" {
		b.anchors[y] = anchor{target: slot, size: size}
	}
	return size
}

// collection converts the content of a mapping or sequence and returns how many nodes it stands for.
func (b *treeBuilder) collection(n *node, y *yaml.Node, depth int) int {
	n.kids = b.take(len(y.Content))
	if y.Style&yaml.FlowStyle != 0 {
		n.flags |= flow
	}
	if y.Style&yaml.TaggedStyle != 0 {
		n.flags |= props
		if y.Tag != "!!map" && y.Tag != "!!seq" && y.Tag != overrideTag {
			n.flags |= opaque
		}
	}
	size := 0
	for i, c := range y.Content {
		size += b.fill(n.kids[i:i+1], c, depth+1)
	}
	return size
}

func (b *treeBuilder) alias(n *node, y *yaml.Node) int {
	n.kind = aliasNode
	n.text = y.Value
	a, known := b.anchors[y.Alias]
	switch {
	case !known:
		b.fail(n, fmt.Sprintf("alias *%s stands before its anchor", y.Value))
		return 1
	case a.size == 0:
		b.fail(n, fmt.Sprintf("anchor &%s contains itself", y.Value))
		return 1
	}
	n.kids = a.target
	b.aliased += a.size
	if b.aliased > maxAliased {
		b.fail(n, fmt.Sprintf("aliases expand to more than %d nodes", maxAliased))
	}
	return a.size
}

func (b *treeBuilder) scalar(n *node, y *yaml.Node) {
	n.text = y.Value
	switch {
	case y.Style&yaml.LiteralStyle != 0:
		n.flags |= literal
	case y.Style&yaml.FoldedStyle != 0:
		n.flags |= folded
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.flags |= singleQuoted
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.flags |= doubleQuoted
		b.surrogates(n)
	default:
		n.flags |= plain
	}
	if y.Style&yaml.TaggedStyle == 0 {
		return
	}
	n.flags = n.flags&^plain | props
	b.tagged(n, y.Tag)
}

func (b *treeBuilder) fail(n *node, message string) {
	if b.stop == nil {
		b.stop = &Problem{Span: b.file.spanAt(int(n.at), int(n.at)+1), Message: message, Lost: true}
	}
}

// offset converts a line and column of the parser, which count from the start of the document.
func (b *treeBuilder) offset(line, column int) int32 {
	src := b.file.Source
	start := b.doc.start()
	if line > 1 {
		i := b.line + line - 1
		if i >= len(b.file.yamlLines) {
			return int32(b.doc.hi)
		}
		start = int(b.file.yamlLines[i])
	} else {
		column = max(column-b.shift, 1)
	}
	if b.file.ascii {
		return int32(min(start+column-1, len(src)))
	}
	return int32(b.walk(start, column))
}

// walk goes to a column of the line at start. Nodes come in order, so it goes on from where it last was: minified JSON
// is one line.
func (b *treeBuilder) walk(start, column int) int {
	src := b.file.Source
	if b.lastStart != start || b.lastColumn > column || b.lastColumn == 0 {
		b.lastStart, b.lastColumn, b.lastOffset = start, 1, start
	}
	for b.lastColumn < column && b.lastOffset < len(src) {
		_, size := utf8.DecodeRune(src[b.lastOffset:])
		b.lastOffset += size
		b.lastColumn++
	}
	return b.lastOffset
}

// target is what n stands for: itself, or the content of the anchor when it is an alias.
func (n *node) target() *node {
	for n.kind == aliasNode && len(n.kids) == 1 {
		n = &n.kids[0]
	}
	return n
}
