# METADATA
# title: Karpenter may disrupt every node at once
# description: |
#   Karpenter removes nodes that are underutilized, empty or drifted, and spec.disruption.budgets says how many may go at the same time. Left
#   out, the list is one budget with 10%. Written, it replaces that default: a reason that no budget names has no limit at all, and neither
#   has the time outside the windows of budgets with a schedule (in UTC). A change of the AMI or of the NodePool makes every node drifted,
#   and all of them may then go together. Of several active budgets the smallest counts; percentages round up, and 100% is no limit.
#
#   Empty nodes carry no pods that could be missed, so a list that only leaves out Empty is not reported. A reason that does not occur is
#   not asked for: Underutilized under consolidationPolicy WhenEmpty, and both under consolidateAfter Never and in static pools. Budgets do not
#   limit expiration, interruption and node repair.
# related_resources:
# - ref: https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets
#   description: Budgets, reasons, schedules and the default
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [node_pool]
#   kinds: [NodePool]
#   aliases: []
#   fix: display
package policies.floors.node_disruption_floor

findings contains {
	"path": gap.path,
	"message": sprintf("NodePool %s may lose every node at once%s: %s", [input.name, _because(gap.reasons), gap.reason]),
	"effect": sprintf("%s; only PodDisruptionBudgets hold pods back", [_effect(gap.reasons)]),
	"fixes": [{
		"title": gap.title,
		"safety": "display",
		"suggestion": {"spec": {"disruption": {"budgets": gap.budgets}}},
	}],
} if {
	some gap in _gaps
}

_effect(reasons) := "what makes all nodes drift, such as a new image, has them all drained and replaced at the same time" if {
	"Drifted" in reasons
} else := "consolidation may drain any number of nodes at the same time"

_gaps contains {
	"path": input.budgets_path,
	"reasons": reasons,
	"reason": _open(reasons - {"Empty"}),
	"title": "add a budget for every reason",
	"budgets": array.concat(_budgets, [{"nodes": "10%"}]),
} if {
	reasons := _reasons("open")
	count(reasons - {"Empty"}) > 0
}

_gaps contains {
	"path": input.budgets_path,
	"reasons": reasons,
	"reason": sprintf("the budgets apply in their windows only (%s)", [concat("; ", _windows)]),
	"title": "add a budget for the rest of the time",
	"budgets": array.concat(_budgets, [{"nodes": "10%"}]),
} if {
	reasons := _reasons("at_times")
	count(reasons - {"Empty"}) > 0
}

_gaps contains {
	"path": array.concat(input.budgets[index].path, ["nodes"]),
	"reasons": reasons,
	"reason": sprintf("nodes is %s", [_nodes(input.budgets[index])]),
	"title": "let fewer nodes go",
	"budgets": [_replaced(i, index) | some i, _ in input.budgets],
} if {
	some index in {reason.budget | some reason in input.reasons; reason.happens; reason.limit == "all"}
	reasons := {reason.name | some reason in input.reasons; reason.happens; reason.limit == "all"; reason.budget == index}
	count(reasons - {"Empty"}) > 0
}

_reasons(limit) := {reason.name | some reason in input.reasons; reason.happens; reason.limit == limit}

_open(reasons) := "budgets is empty, which takes the default of 10% away" if {
	count(input.budgets) == 0
} else := "no budget names it, and a list of budgets replaces the default of 10%" if {
	count(reasons) == 1
} else := "no budget names them, and a list of budgets replaces the default of 10%"

_because(reasons) := "" if {
	count(reasons) == count([reason | some reason in input.reasons; reason.happens])
} else := sprintf(" for %s", [concat(" and ", sort(reasons - {"Empty"}))])

_windows := [sprintf("%s for %s", [budget.schedule, budget.duration]) |
	some budget in input.budgets
	budget.schedule != ""
]

_nodes(budget) := budget.nodes.text if {
	budget.nodes.percent
} else := sprintf("%s, and the pool has %d", [budget.nodes.text, input.nodes.value])

_budgets := [_entry(budget, budget.nodes.text) | some budget in input.budgets]

_replaced(i, index) := _entry(input.budgets[i], "10%") if {
	i == index
} else := _entry(input.budgets[i], input.budgets[i].nodes.text)

_entry(budget, nodes) := object.union_n([
	{"nodes": nodes},
	{"reasons": budget.reasons | count(budget.reasons) > 0},
	{"schedule": budget.schedule | budget.schedule != ""},
	{"duration": budget.duration | budget.duration != ""},
])
