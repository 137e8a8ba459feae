package loader

import (
	"bytes"
	"fmt"
	"strings"
)

// checkKeys settles the text of n's keys and reports those that occur twice.
func (b *treeBuilder) checkKeys(n *node) {
	var seen map[string]int
	if len(n.kids) > 32 {
		seen = make(map[string]int, len(n.kids)/2)
	}
	for i := 0; i < len(n.kids); i += 2 {
		key := &n.kids[i]
		if !b.key(n, key) {
			continue
		}
		first := -1
		if seen == nil {
			for j := 0; j < i && first < 0; j += 2 {
				if target := n.kids[j].target(); target.kind == scalarNode && n.kids[j].flags&mergeKey == 0 && target.text == key.target().text {
					first = j
				}
			}
		} else {
			text := key.target().text
			if j, ok := seen[text]; ok {
				first = j
			} else {
				seen[text] = i
			}
		}
		if first >= 0 {
			b.duplicate(&n.kids[first], key)
		}
	}
}

// key prepares one key of n and reports whether it can be compared with others.
func (b *treeBuilder) key(n, key *node) bool {
	target := key.target()
	if target.kind != scalarNode {
		b.complexKey(n, key)
		return false
	}
	if key.flags&plain == 0 {
		return true
	}
	b.checkStart(n, key)
	if key.text == "<<" {
		key.flags |= mergeKey
		n.flags |= merging
		return false
	}
	if r := resolvePlain(key.text); r.typ != String {
		key.text = r.plainText()
		key.flags |= renamed
	}
	return true
}

// checkStart reports a plain key that starts with what was meant as something else.
func (b *treeBuilder) checkStart(n, key *node) {
	switch _, blank := strangeBlank([]byte(key.text[:min(4, len(key.text))])); {
	case n.flags&flow != 0 && (strings.HasPrefix(key.text, "//") || strings.HasPrefix(key.text, "/*")):
		b.fail(key, `"`+key.text[:2]+`" starts no comment in JSON or YAML, but a key: use "#"`)
	case n == &b.arena[0] && strings.HasPrefix(key.text, "---"):
		b.fail(key, markerText)
	case blank != 0:
		b.fail(key, fmt.Sprintf(blankIndent, blank))
	}
}

// complexKey handles a mapping or sequence as a key, which JSON does not have: nearly always an unquoted template.
func (b *treeBuilder) complexKey(n, key *node) {
	n.flags |= opaque
	src := b.file.Source
	at := int(n.at)
	if at+1 >= len(src) || src[at] != '{' || src[at+1] != '{' {
		b.noteTemplate(int(key.at))
		b.compositeKey(n, key)
		return
	}
	start := at
	for start > b.doc.lo && isBlank(src[start-1]) {
		start--
	}
	if start == 0 || src[start-1] == '\n' || src[start-1] == '\r' {
		b.noteTemplate(at)
	}
}

// compositeKey reports a key that is not text, unless it is a template.
func (b *treeBuilder) compositeKey(n, key *node) {
	const message = "a mapping or a sequence as a key: Kubernetes reads only text there"
	switch {
	case b.template >= 0 || len(b.problems) >= maxDuplicates:
	case n == &b.arena[0]:
		b.fail(key, message)
	default:
		at := int(key.at)
		b.problems = append(b.problems, Problem{Span: b.file.spanAt(at, at+1), Message: message})
	}
}

// noteTemplate remembers the first template that stands where YAML has structure.
func (b *treeBuilder) noteTemplate(at int) {
	if b.template < 0 && at+1 < len(b.file.Source) && b.file.Source[at] == '{' && b.file.Source[at+1] == '{' {
		b.template = at
	}
}

func (b *treeBuilder) duplicate(first, second *node) {
	if len(b.problems) >= maxDuplicates || alternatives(b.file.Source[first.at:second.at]) {
		return
	}
	b.problems = append(b.problems, Problem{
		Span: b.file.scalarSpan(second), Duplicate: true,
		Message: fmt.Sprintf("key %q is given twice, first on line %d; the last one counts",
			second.target().text, b.file.lineAt(int(first.at))),
	})
}

// alternatives reports whether an {{ else }} in a comment parts what stands before and after src, so that a template engine leaves
// only one of the two.
func alternatives(src []byte) bool {
	for {
		_, rest, found := bytes.Cut(src, []byte("{{"))
		if !found {
			return false
		}
		if bytes.HasPrefix(bytes.TrimLeft(rest, "- "), []byte("else")) {
			return true
		}
		src = rest
	}
}
