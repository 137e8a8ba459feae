package loader

// maxMergeDepth bounds merge keys that lead to mappings with merge keys.
const maxMergeDepth = 50

type entry struct {
	key, value *node
	merged     bool
}

// lookup finds the entry of a mapping: its own last one, else that of the first merged mapping that has it.
func (n *node) lookup(key string, depth int) (k, v *node, merged bool) {
	for i := len(n.kids) - 2; i >= 0; i -= 2 {
		k := &n.kids[i]
		if k.flags&mergeKey == 0 && k.target().kind == scalarNode && k.target().text == key {
			return k, &n.kids[i+1], false
		}
	}
	if n.flags&merging == 0 || depth > maxMergeDepth {
		return nil, nil, false
	}
	for source := range n.sources {
		if k, v, _ := source.lookup(key, depth+1); v != nil {
			return k, v, true
		}
	}
	return nil, nil, false
}

// sources yields the mappings that n merges, in order of precedence.
func (n *node) sources(yield func(*node) bool) {
	for i := 0; i < len(n.kids); i += 2 {
		if n.kids[i].flags&mergeKey == 0 {
			continue
		}
		value := n.kids[i+1].target()
		if value.kind == mapNode && !yield(value) {
			return
		}
		if value.kind != seqNode {
			continue
		}
		for j := range value.kids {
			if item := value.kids[j].target(); item.kind == mapNode && !yield(item) {
				return
			}
		}
	}
}

// entries lists the entries of a mapping, each key once.
func (n *node) entries() []entry {
	out := make([]entry, 0, len(n.kids)/2)
	for i := 0; i < len(n.kids); i += 2 {
		k := &n.kids[i]
		if k.flags&mergeKey == 0 && k.target().kind == scalarNode {
			out = append(out, entry{key: k, value: &n.kids[i+1]})
		}
	}
	out = lastOfEach(out)
	if n.flags&merging == 0 {
		return out
	}
	seen := make(map[string]bool, len(out))
	for _, e := range out {
		seen[e.key.target().text] = true
	}
	return n.appendMerged(out, seen, 0)
}

func (n *node) appendMerged(out []entry, seen map[string]bool, depth int) []entry {
	if n.flags&merging == 0 || depth > maxMergeDepth {
		return out
	}
	for source := range n.sources {
		own := make([]entry, 0, len(source.kids)/2)
		for i := 0; i < len(source.kids); i += 2 {
			k := &source.kids[i]
			if k.flags&mergeKey == 0 && k.target().kind == scalarNode && !seen[k.target().text] {
				own = append(own, entry{key: k, value: &source.kids[i+1], merged: true})
			}
		}
		for _, e := range lastOfEach(own) {
			seen[e.key.target().text] = true
			out = append(out, e)
		}
		out = source.appendMerged(out, seen, depth+1)
	}
	return out
}

// lastOfEach drops entries whose key comes again.
func lastOfEach(in []entry) []entry {
	if !repeats(in) {
		return in
	}
	last := make(map[string]int, len(in))
	for i, e := range in {
		last[e.key.target().text] = i
	}
	out := in[:0]
	for i, e := range in {
		if last[e.key.target().text] == i {
			out = append(out, e)
		}
	}
	return out
}

func repeats(in []entry) bool {
	if len(in) > 16 {
		seen := make(map[string]bool, len(in))
		for _, e := range in {
			seen[e.key.target().text] = true
		}
		return len(seen) < len(in)
	}
	for i := range in {
		for j := range i {
			if in[i].key.target().text == in[j].key.target().text {
				return true
			}
		}
	}
	return false
}
