# METADATA
# title: Autoscaler that may take the fleet below its floor
# description: |
#   An autoscaler overrides replicas: the floor of an autoscaled workload is minReplicas (1 by default) or, for KEDA,
#   minReplicaCount (0 by default). Where the manifest says replicas: 3 and the autoscaler's minimum is 1, one quiet
#   hour leaves one replica, and what held for three (a budget, a spread, a rollout) holds no more. Where a
#   PodDisruptionBudget keeps more pods than the minimum, no pod may be evicted at the minimum, ready or not, so
#   drains hang. minReplicas: 0 needs Kubernetes 1.37 (HPAScaleToZero) and a metric of type Object or External.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
#   description: How a HorizontalPodAutoscaler sets replicas
# - ref: https://keda.sh/docs/latest/reference/scaledobject-spec/
#   description: minReplicaCount of a ScaledObject
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [autoscaler]
#   kinds: [HorizontalPodAutoscaler, ScaledObject]
#   aliases: []
#   fix: display
package policies.floors.autoscaler_floor

findings contains {
	"path": ["spec", input.field],
	"message": sprintf("%s %s may leave %s %s: %s, and the manifest says replicas: %d", [
		input.kind,
		input.name,
		_target,
		_left,
		_minimum,
		input.target.replicas.value,
	]),
	"effect": sprintf("replicas: %d holds until the autoscaler has looked; in a quiet hour %s", [
		input.target.replicas.value,
		_quiet,
	]),
	"fixes": [_fix(sprintf("keep the %d replicas of the manifest", [input.target.replicas.value]), input.target.replicas.value)],
} if {
	_judged
	not _rejected
	input.target.replicas.set
	input.target.replicas.known
	input.target.replicas.value > 1
	input.minimum.value < 2
}

findings contains {
	"path": ["spec", input.field],
	"message": sprintf("%s %s may scale %s down to %d, fewer than the %d pods that PodDisruptionBudget %s keeps", [
		input.kind,
		input.name,
		_target,
		input.minimum.value,
		budget.min_available.value,
		budget.name,
	]),
	"effect": "at the minimum no pod may be evicted, ready or not: node drains and upgrades hang until load grows",
	"fixes": [_fix("keep one more than the budget does", budget.min_available.value + 1)],
} if {
	_judged
	input.minimum.value > 0
	some budget in input.budgets
	budget.min_available.known
	not budget.min_available.percent
	budget.min_available.value > input.minimum.value
}

findings contains {
	"path": ["spec", "minReplicas"],
	"message": sprintf("HorizontalPodAutoscaler %s is rejected: minReplicas 0 %s", [input.name, _rejected]),
	"effect": "the object cannot be created, so nothing scales the workload",
	"fixes": [_fix("keep a replica", 1)],
}

_judged if {
	input.target.found
	input.target.class != "batch"
	input.minimum.known
}

_rejected := sprintf("needs Kubernetes 1.37 (HPAScaleToZero), and this is for 1.%d", [input.kube.minor]) if {
	_zero
	input.kube.minor < 37
} else := "needs a metric of type Object or External" if {
	_zero
	not input.zero_metric
}

_zero if {
	input.kind == "HorizontalPodAutoscaler"
	input.minimum.set
	input.minimum.known
	input.minimum.value == 0
}

_target := sprintf("%s %s", [input.target.kind, input.target.name])

_minimum := sprintf("%s is %d", [input.field, input.minimum.value]) if {
	input.minimum.set
} else := sprintf("%s is %d by default", [input.field, input.minimum.value])

_left := "no replica" if {
	input.minimum.value == 0
} else := "1 replica"

_quiet := "none is left, and the first request waits for a start" if {
	input.minimum.value == 0
} else := "one is left, without a second to take over"

_fix(title, value) := {"title": title, "safety": "display", "suggestion": {"spec": object.union({input.field: value}, _raised(value))}}

# _raised lifts a maximum below value, with which the object would be rejected.
_raised(value) := {replace(input.field, "min", "max"): value} if {
	input.maximum.set
	input.maximum.known
	input.maximum.value < value
} else := {}
