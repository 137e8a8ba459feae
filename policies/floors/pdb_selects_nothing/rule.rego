# METADATA
# title: PodDisruptionBudget that selects no pod
# description: |
#   A budget covers the pods that all of its labels match, in its own namespace. One wrong value, one label that only the
#   Deployment itself has and not its pods, or another namespace, and it covers nothing: drains then evict all
#   replicas at once, and nothing says so. The rule looks for the workload that was meant: one that meets every label
#   but one, or has the budget's name. Where nothing looks like it, as for pods that an operator makes, it is silent. A
#   budget without a selector selects no pod; an empty selector selects every pod of the namespace in policy/v1 and
#   none in policy/v1beta1.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/run-application/configure-pdb/#specifying-a-poddisruptionbudget
#   description: The selector of a PodDisruptionBudget
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
#   description: How label selectors match
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [pdb]
#   kinds: [PodDisruptionBudget]
#   aliases: []
#   fix: display
package policies.floors.pdb_selects_nothing

import data.policies.lib

findings contains {
	"path": ["spec", "selector"],
	"message": sprintf("PodDisruptionBudget %s selects no pod: %s", [input.name, _none]),
	"effect": "the budget limits nothing: drains may evict every replica at the same time",
	"fixes": [{
		"title": "name the labels of the pods",
		"safety": "display",
		"suggestion": _budget({"matchLabels": {"app": input.name}}),
	}],
} if {
	input.selects_none
}

findings contains {
	"path": _path,
	"message": sprintf("PodDisruptionBudget %s selects no pod: %s", [input.name, _miss]),
	"effect": sprintf("the budget limits nothing: drains may evict every replica of %s at the same time", [_workload]),
	"fixes": [_fix],
} if {
	input.near.set
	not input.selects_none
	not input.partial
}

_none := "an empty selector selects none in policy/v1beta1" if {
	input.has_selector
} else := "it has no selector"

_workload := sprintf("%s %s", [input.near.kind, input.near.name])

_miss := sprintf("it is in namespace %s, and the pods of %s are in %s", [input.near.want, _workload, input.near.have]) if {
	input.near.key == "namespace"
} else := sprintf("the pods of %s have no label %s", [_workload, input.near.key]) if {
	input.near.lack
} else := sprintf("it excludes the label %s: %s of the pods of %s", [input.near.key, input.near.have, _workload]) if {
	_excludes
} else := sprintf("it asks for %s: %s, and the pods of %s have %s: %s", [
	input.near.key,
	input.near.want,
	_workload,
	input.near.key,
	input.near.have,
])

_excludes if input.near.want == ""

_excludes if input.near.have in split(input.near.want, ", ")

_path := ["metadata", "namespace"] if {
	input.near.key == "namespace"
} else := ["spec", "selector", "matchLabels", input.near.key] if {
	input.selector.matchLabels[input.near.key]
} else := ["spec", "selector", "matchExpressions"]

_fix := {
	"title": sprintf("put the budget into namespace %s", [input.near.have]),
	"safety": "display",
	"suggestion": object.union(_budget(input.selector), {"metadata": {"namespace": input.near.have}}),
} if {
	input.near.key == "namespace"
} else := {
	"title": sprintf("select the pods of %s", [_workload]),
	"safety": "display",
	"suggestion": _budget(lib.own_selector(input.near)),
}

_budget(selector) := lib.budget_with(object.union(input, {"has_selector": false}), object.union(
	lib.budget_limits(input),
	{"selector": selector},
))
