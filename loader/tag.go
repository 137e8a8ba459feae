package loader

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// overrideTag marks a value that replaces the one of another Compose file, instead of being merged with it.
const overrideTag = "!override"

// Tag is the custom tag before n's value ("!reset"); "" without one. YAML's own tags are none.
func (n Node) Tag() string {
	if n.raw == nil || n.raw.flags&props == 0 {
		return ""
	}
	src := n.obj.source().Source
	for at := int(n.raw.at); at < len(src) && (src[at] == '&' || src[at] == '!'); {
		end := at
		for end < len(src) && !isSpace(src[end]) {
			end++
		}
		if word := string(src[at:end]); word[0] == '!' && !strings.HasPrefix(word, "!!") {
			return word
		}
		for at = end; at < len(src) && isBlank(src[at]); {
			at++
		}
	}
	return ""
}

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
	case "!!merge", overrideTag:
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
