# METADATA
# title: PodDisruptionBudget that allows no eviction
# description: |
#   A budget whose minAvailable is every replica (after percentages are rounded up), whose maxUnavailable is 0, or
#   that sets neither field allows no eviction even when all pods are healthy. Drains, node upgrades and the cluster
#   autoscaler retry and wait on each of their nodes. With one replica, any minAvailable above 0 does that.
#   What the budget seems to protect from goes on all the same: restarts, crashes, rollouts and lost nodes do not
#   ask it.
#
#   Where nobody may drain without asking first, maxUnavailable: 0 is deliberate: suppress the finding and say so.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/run-application/configure-pdb/
#   description: A budget of 100 % or of zero evictions and what it means for drains
# - ref: https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/
#   description: How drains use budgets
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [pdb]
#   kinds: [PodDisruptionBudget]
#   aliases: []
#   fix: display
package policies.floors.pdb_blocks_eviction

import data.policies.lib

findings contains {
	"path": array.concat(["spec"], block.field),
	"message": sprintf("PodDisruptionBudget %s allows no eviction: %s", [input.name, block.reason]),
	"effect": sprintf("%snode drains, node upgrades and scale-downs of the cluster hang on the nodes of these pods", [_when(block)]),
	"fixes": [{
		"title": _title(block),
		"safety": "display",
		"suggestion": lib.budget_with(input, {"maxUnavailable": 1}),
	}],
} if {
	some block in _blocks
}

_blocks contains {"field": [], "text": "", "reason": "neither minAvailable nor maxUnavailable is set"} if {
	not input.min_available.set
	not input.max_unavailable.set
}

_blocks contains {"field": ["maxUnavailable"], "text": input.max_unavailable.text, "reason": reason} if {
	not input.min_available.set
	input.max_unavailable.known
	input.max_unavailable.value == 0
	reason := sprintf("maxUnavailable is %s", [input.max_unavailable.text])
}

_blocks contains {"field": ["minAvailable"], "text": input.min_available.text, "reason": reason} if {
	not input.max_unavailable.set
	input.min_available.known
	reason := _needs(input.min_available)
}

_needs(quantity) := sprintf("minAvailable is %s", [quantity.text]) if {
	_whole(quantity)
} else := sprintf("minAvailable %s rounds up to %s", [quantity.text, lib.covered(input)]) if {
	_all_needed
	quantity.percent
} else := sprintf("minAvailable %s is more than %s", [quantity.text, lib.covered(input)]) if {
	_all_needed
	input.desired > input.expected.value
} else := sprintf("minAvailable %s is %s", [quantity.text, lib.covered(input)]) if {
	_all_needed
}

_whole(quantity) if {
	quantity.percent
	quantity.value >= 100
}

_all_needed if {
	input.resolved
	input.expected.value > 0
	input.allowed == 0
}

_when(block) := "while the autoscaler runs its minimum, " if {
	block.field == ["minAvailable"]
	lib.scaled(input)
	not _whole(input.min_available)
} else := ""

_title(block) := "run 2 replicas, or accept the gap with maxUnavailable: 1" if {
	input.expected.known
	input.expected.value == 1
	not lib.scaled(input)
} else := sprintf("set maxUnavailable: 1 in place of %s: %s", [block.field[0], block.text]) if {
	block.text != ""
} else := "set maxUnavailable: 1"
