package loader

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// tagged gives a scalar with an explicit tag its type. A custom tag (CloudFormation's !Ref, Compose's !reset)
// makes it opaque.
func (b *treeBuilder) tagged(n *node, tag string) {
	n.flags |= typed
	r := resolvePlain(n.text)
	switch tag {
	case "!!str", "!":
		n.tag = uint8(String)
	case "!!binary":
		n.tag = uint8(String)
		if decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.text), "")); err == nil {
			n.text = string(decoded)
			n.flags |= renamed
		}
	case "!!int", "!!float", "!!bool", "!!null", "!!timestamp":
		n.tag = uint8(r.typ)
		if tag == "!!float" && r.typ == Int {
			n.tag = uint8(Float)
		}
	case "!!merge":
		n.flags = n.flags&^typed | plain
	default:
		n.flags = n.flags&^typed | opaque
	}
}

// surrogates repairs a JSON string whose escapes are UTF-16 surrogate pairs. YAML has no such pairs; the parser
// was given harmless escapes of the same length instead (see maskSurrogates).
func (b *treeBuilder) surrogates(n *node) {
	if !b.doc.masked || !strings.ContainsRune(n.text, '\uFFFD') {
		return
	}
	src := b.file.Source
	var s string
	if json.Unmarshal(src[n.at:b.file.flowScalarEnd(int(n.at), '"')], &s) == nil {
		n.text = s
	}
}

// maskSurrogates replaces each \uD800–\uDFFF escape of JSON text by \uFFFD, or returns nil when there is none.
func maskSurrogates(text []byte) []byte {
	var out []byte
	for i := 0; i+5 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if c := text[i+2] | 0x20; text[i+1] == 'u' && c == 'd' && strings.IndexByte("89abAB cdefCDEF", text[i+3]) >= 0 && text[i+3] != ' ' {
			if out == nil {
				out = append([]byte(nil), text...)
			}
			copy(out[i+2:], "FFFD")
		}
		i++
	}
	return out
}
