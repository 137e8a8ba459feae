package facts

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/hclint/hclint/loader"
)

// selectorOf reads a label selector: matchLabels and matchExpressions, ANDed. ok is false when a part of it is templated or
// malformed, since then nothing can be said about what it matches.
func selectorOf(n loader.Node) (sel labels.Selector, ok bool) {
	sel = labels.NewSelector()
	ok = true
	add := func(key string, op selection.Operator, values []string) {
		r, err := labels.NewRequirement(key, op, values)
		if err != nil {
			ok = false
			return
		}
		sel = sel.Add(*r)
	}
	for key, value := range n.Get("matchLabels").Entries() {
		add(key, selection.Equals, []string{value.Text()})
	}
	for _, e := range n.Get("matchExpressions").Items() {
		op, known := operators()[e.Get("operator").Text()]
		if !known {
			return nil, false
		}
		var values []string
		for _, v := range e.Get("values").Items() {
			values = append(values, v.Text())
		}
		add(e.Get("key").Text(), op, values)
	}
	return sel, ok
}

func operators() map[string]selection.Operator {
	return map[string]selection.Operator{
		"In":           selection.In,
		"NotIn":        selection.NotIn,
		"Exists":       selection.Exists,
		"DoesNotExist": selection.DoesNotExist,
	}
}

// equalitySelector reads the plain map form of a Service or ReplicationController.
func equalitySelector(n loader.Node) (sel labels.Selector, ok bool) {
	set := stringMap(n)
	if len(set) == 0 {
		return labels.Nothing(), true
	}
	sel, err := labels.ValidatedSelectorFromSet(set)
	return sel, err == nil
}

// ownSelector is a workload's selector of its pods in the form of a label selector; nil when it has none. Controllers of the
// core group and DeploymentConfigs write the labels alone.
func ownSelector(o *loader.Object) map[string]any {
	n := o.Root().Get("spec", "selector")
	if n.Type() != loader.Map || n.Len() == 0 || is(o, "serving.knative.dev", "Service") {
		return nil
	}
	if n.Get("matchLabels").Present() || n.Get("matchExpressions").Present() {
		return plainMap(n)
	}
	return map[string]any{"matchLabels": n.Plain()}
}

// plainMap is the value of a Map; nil for anything else.
func plainMap(n loader.Node) map[string]any {
	m, _ := n.Plain().(map[string]any)
	return m
}

// stringMap reads a mapping of scalars, such as labels.
func stringMap(n loader.Node) map[string]string {
	m := map[string]string{}
	for key, value := range n.Entries() {
		m[key] = value.Text()
	}
	return m
}
