package facts

import (
	"math"
	"strconv"

	"github.com/hclint/hclint/loader"
)

// Field is a field that may hold anything, as it stands.
type Field struct {
	Set    bool    `json:"set" jsonschema:"description=the key is there"`
	Type   string  `json:"type" jsonschema:"enum=absent,enum=null,enum=bool,enum=number,enum=string,enum=list,enum=map,enum=unknown"`
	Number float64 `json:"number"`
	Text   string  `json:"text" jsonschema:"description=as written"`
	// Unbounded, for a field that is to bound restarts: there is no limit. The field is absent, or its value takes the limit away: null, 0, a negative number, or a
	// word such as unlimited.
	Unbounded bool `json:"unbounded" jsonschema:"description=nothing; or a value that takes the limit away"`
}

// limit reads a field that is to bound restarts.
func limit(n loader.Node) Field {
	f := field(n)
	f.Unbounded = noCap(n)
	return f
}

func field(n loader.Node) Field {
	f := Field{Set: n.Type() != loader.Absent, Type: typeName(n), Text: n.Text()}
	f.Number, _ = number(n)
	return f
}

// number is a numeric value; ok is false for anything else.
func number(n loader.Node) (value float64, ok bool) {
	if i, ok := n.Int(); ok {
		return float64(i), true
	}
	if n.Type() != loader.Float {
		return 0, false
	}
	value, err := strconv.ParseFloat(n.Text(), 64)
	return value, err == nil && !math.IsInf(value, 0) && !math.IsNaN(value)
}

// typeName names what a node holds in the words of Field.Type.
func typeName(n loader.Node) string {
	switch n.Type() {
	case loader.Absent:
		return "absent"
	case loader.Null:
		return "null"
	case loader.Bool:
		return "bool"
	case loader.Int, loader.Float:
		return "number"
	case loader.String:
		if templated(n.Text()) {
			return "unknown"
		}
		return "string"
	case loader.Map:
		return "map"
	case loader.Seq:
		return "list"
	case loader.Opaque:
	}
	return "unknown"
}

// describe says what a node holds, for people.
func describe(n loader.Node) string {
	switch t := typeName(n); t {
	case "string":
		return strconv.Quote(n.Text())
	case "number", "bool":
		return n.Text()
	case "null":
		return "empty"
	default:
		return "a " + t
	}
}
