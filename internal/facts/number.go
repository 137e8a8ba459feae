package facts

import "github.com/hclint/hclint/loader"

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
	value, ok := n.Int()
	return Number{Set: true, Known: ok, Value: value}
}
