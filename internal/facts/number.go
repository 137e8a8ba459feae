package facts

import (
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/hclint/hclint/loader"
)

// Count is a number that may be unknown (templated, or in another place).
type Count struct {
	Known bool   `json:"known"`
	Value int    `json:"value"`
	From  string `json:"from" jsonschema:"description=where the value is from: replicas; default; or the autoscaler as Kind name"`
}

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

// Quantity is an int-or-percent field.
type Quantity struct {
	Set     bool   `json:"set"`
	Known   bool   `json:"known" jsonschema:"description=false when templated or not a number or percentage"`
	Text    string `json:"text" jsonschema:"description=as written"`
	Percent bool   `json:"percent"`
	Value   int    `json:"value"`
}

func quantity(n loader.Node) Quantity {
	if !n.Present() {
		return Quantity{}
	}
	q := Quantity{Set: true, Text: n.Text()}
	if i, ok := n.Int(); ok {
		q.Known, q.Value = i >= 0, i
		return q
	}
	if !strings.HasSuffix(q.Text, "%") {
		return q
	}
	percent := intstr.FromString(q.Text)
	value, err := intstr.GetScaledValueFromIntOrPercent(&percent, 100, true)
	if err != nil || value < 0 {
		return q
	}
	q.Known, q.Percent, q.Value = true, true, value
	return q
}

// of is the quantity as a number out of total; up says how a percentage is rounded.
func (q Quantity) of(total int, up bool) int {
	if !q.Percent {
		return q.Value
	}
	percent := intstr.FromString(q.Text)
	n, err := intstr.GetScaledValueFromIntOrPercent(&percent, total, up)
	if err != nil {
		return 0
	}
	return n
}
