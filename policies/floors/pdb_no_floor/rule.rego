# METADATA
# title: PodDisruptionBudget that allows every eviction
# description: |
#   minAvailable: 0, or a maxUnavailable that covers every replica, allows all pods to be evicted at once: the
#   object is there, but it protects nothing. Percentages round up in both fields, so maxUnavailable 90% of 3
#   replicas is 3. A single replica is left out: for it, the only alternative is a budget that blocks every drain.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/run-application/configure-pdb/#rounding-logic-when-specifying-percentages
#   description: Percentages round up
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/
#   description: What a PodDisruptionBudget limits
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [pdb]
#   kinds: [PodDisruptionBudget]
#   aliases: []
#   fix: display
package policies.floors.pdb_no_floor

import data.policies.lib

findings contains {
	"path": ["spec", hole.field],
	"message": sprintf("PodDisruptionBudget %s keeps no pod up: %s", [input.name, hole.reason]),
	"effect": sprintf("draining nodes may evict %s at the same time", [_all]),
	"fixes": [{
		"title": sprintf("set maxUnavailable: 1 in place of %s: %s", [hole.field, hole.text]),
		"safety": "display",
		"suggestion": lib.budget_with(input, {"maxUnavailable": 1}),
	}],
} if {
	some hole in _holes
	not _single
	not _uncountable
}

# _uncountable: pdb-not-computable says that nothing may be evicted at all.
_uncountable if {
	some workload in input.workloads
	workload.scale == "none"
	input.max_unavailable.set
}

_holes contains {"field": "minAvailable", "text": input.min_available.text, "reason": reason} if {
	input.min_available.known
	input.min_available.value == 0
	not input.max_unavailable.set
	reason := sprintf("minAvailable is %s", [input.min_available.text])
}

_holes contains {"field": "maxUnavailable", "text": input.max_unavailable.text, "reason": reason} if {
	input.max_unavailable.known
	not input.min_available.set
	reason := _covers(input.max_unavailable)
}

_covers(quantity) := sprintf("maxUnavailable is %s", [quantity.text]) if {
	quantity.percent
	quantity.value >= 100
} else := sprintf("maxUnavailable %s rounds up to %s", [quantity.text, lib.covered(input)]) if {
	quantity.percent
	_none_kept
} else := sprintf("maxUnavailable %s covers %s", [quantity.text, lib.covered(input)]) if {
	_none_kept
}

_all := sprintf("every replica of %s", [lib.selected(input)]) if {
	lib.scaled(input)
} else := lib.covered(input)

_none_kept if {
	input.resolved
	not lib.scaled(input)
	input.desired == 0
}

_single if {
	input.expected.known
	input.expected.value < 2
	not lib.scaled(input)
}
