# METADATA
# title: PodDisruptionBudget that cannot be computed
# description: |
#   For maxUnavailable and for percentages the disruption controller asks the controller of each pod how many replicas
#   it has, through the scale subresource. Jobs and DaemonSets have none: the controller reports an error, and allows
#   no eviction of any pod that the budget selects. Pods without a controller count as none: where there are only
#   such pods, no eviction is allowed either. An integer minAvailable counts the pods themselves, and works for all.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors
#   description: What works for pods without a controller that can be scaled
# - ref: https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/
#   description: How drains use budgets
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [pdb]
#   kinds: [PodDisruptionBudget]
#   aliases: []
#   fix: display
package policies.floors.pdb_not_computable

import data.policies.lib

findings contains object.union(_severity, {
	"path": ["spec", _limit.field],
	"message": sprintf("PodDisruptionBudget %s cannot be computed: %s %s needs a number of replicas, and %s", [
		input.name,
		_limit.field,
		_limit.text,
		_reason,
	]),
	"effect": _effect,
	"fixes": [{
		"title": "count the pods that must stay, which works without replicas",
		"safety": "display",
		"suggestion": lib.budget_with(input, {"minAvailable": 1}),
	}],
}) if {
	_limit
	_reason
	input.selector_known
}

_limit := {"field": "maxUnavailable", "text": input.max_unavailable.text} if {
	input.max_unavailable.known
	not input.min_available.set
} else := {"field": "minAvailable", "text": input.min_available.text} if {
	input.min_available.known
	input.min_available.percent
	not input.max_unavailable.set
}

_unscaled := [workload | some workload in input.workloads; workload.scale == "none"]

_bare := [workload | some workload in input.workloads; workload.scale == "bare"]

_reason := sprintf("%s none", [_names(_unscaled)]) if {
	count(_unscaled) > 0
} else := sprintf("%s no controller", [_names(_bare)]) if {
	count(_bare) > 0
	count(_bare) == count(input.workloads)
}

_names(workloads) := sprintf("%s %s has", [workloads[0].kind, workloads[0].name]) if {
	count(workloads) == 1
} else := sprintf("%s have", [
	lib.few([sprintf("%s %s", [workload.kind, workload.name]) | some workload in workloads]),
])

# _passing: pods of a Job that come and go beside others make it a fault of some hours.
_passing if {
	count(_unscaled) < count(input.workloads)
	every workload in _unscaled {
		workload.kind in {"Job", "CronJob"}
	}
}

_effect := "while pods of the Job run, no pod that the budget selects may be evicted: drains of their nodes hang" if {
	count(_unscaled) > 0
	_passing
} else := "no pod that the budget selects may ever be evicted: drains of their nodes hang"

_severity := {"severity": "warning"} if {
	count(_unscaled) > 0
	_passing
} else := {}
