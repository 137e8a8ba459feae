package facts

import (
	"math"

	"github.com/hclint/hclint/loader"
)

// Number is a field that holds a whole number.
type Number struct {
	Set   bool `json:"set" jsonschema:"description=the field has a value"`
	Known bool `json:"known" jsonschema:"description=false when templated or no whole number; true for a default"`
	Value int  `json:"value" jsonschema:"description=the default when the field is not set"`
}

// wholeNumber reads n. Where it is absent the API server's default holds, if there is one.
func wholeNumber(n loader.Node, fallback int, hasDefault bool) Number {
	if !n.Present() {
		return Number{Known: hasDefault, Value: fallback}
	}
	value, ok := int32Value(n)
	return Number{Set: true, Known: ok, Value: value}
}

// int32Value reads n as the API server reads nearly all of its numbers; what does not fit is none, so that no sum or product of
// a few of them overflows.
func int32Value(n loader.Node) (int, bool) {
	value, ok := n.Int()
	if !ok || value < math.MinInt32 || value > math.MaxInt32 {
		return 0, false
	}
	return value, true
}
