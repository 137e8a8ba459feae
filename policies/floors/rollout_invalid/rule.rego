# METADATA
# title: Rollout settings that the API server rejects
# description: |
#   maxUnavailable and maxSurge cannot both be 0: a rollout could neither stop an old pod nor start a new one. A
#   DaemonSet takes exactly one of the two above 0; since maxUnavailable is 1 when it is left out, maxSurge: 1 alone is
#   rejected, and maxUnavailable: 0 has to stand beside it. rollingUpdate does not go with Recreate, percentages over
#   100 % and text that is no percentage are rejected, and progressDeadlineSeconds has to be above minReadySeconds. A
#   strategy under the name of another kind (updateStrategy in a Deployment, strategy in a StatefulSet or DaemonSet)
#   is rejected by strict clients and dropped by the others, so that the defaults hold.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#strategy
#   description: maxUnavailable and maxSurge of a Deployment
# - ref: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/daemon-set-v1/
#   description: Fields of a DaemonSet
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [workload]
#   needs: [rollout]
#   kinds: [Deployment, StatefulSet, DaemonSet, Rollout, DeploymentConfig]
#   aliases: []
#   fix: display
package policies.floors.rollout_invalid

findings contains {
	"path": flaw.path,
	"message": sprintf("%s %s: %s", [input.kind, input.name, flaw.reason]),
	"effect": object.get(flaw, "effect", _rejected),
	"fixes": [{"title": flaw.title, "safety": "display", "suggestion": {"spec": flaw.spec}}],
} if {
	input.rollout.set
	input.kind != "CloneSet"
	not input.fragment
	some flaw in _flaws
}

_rejected := "Argo Rollouts marks the object invalid, and rolls nothing out until it is put right" if {
	input.kind == "Rollout"
} else := "the API server rejects the object, so neither this nor any other change of it is rolled out"

_unavailable := input.rollout.max_unavailable

_surge := input.rollout.max_surge

_zero(quantity) if {
	quantity.known
	quantity.value == 0
}

_unavailable_path := array.concat(input.rollout.block_path, ["maxUnavailable"])

_flaws contains {
	"path": _unavailable_path,
	"reason": "maxUnavailable and maxSurge are both 0, so no pod could ever be replaced",
	"title": "start a new pod before an old one stops",
	"spec": _limits({"maxUnavailable": 0, "maxSurge": 1}),
} if {
	input.rollout.style == "rolling"
	input.kind != "StatefulSet"
	_zero(_unavailable)
	_no_surge
}

# Left out, maxSurge is 0 for a DaemonSet and 25 % for the others.
_no_surge if _zero(_surge)

_no_surge if {
	input.kind == "DaemonSet"
	not _surge.set
}

_flaws contains {
	"path": array.concat(input.rollout.block_path, ["maxSurge"]),
	"reason": sprintf("maxSurge is %s while maxUnavailable is %s, and a DaemonSet takes one of the two", [_surge.text, _beside]),
	"title": "set maxUnavailable to 0 beside maxSurge",
	"spec": _limits({"maxUnavailable": 0, "maxSurge": _number(_surge)}),
} if {
	input.kind == "DaemonSet"
	input.rollout.style == "rolling"
	_surge.known
	_surge.value > 0
	_beside
}

_beside := "1 by default" if {
	not _unavailable.set
} else := _unavailable.text if {
	_unavailable.known
	_unavailable.value > 0
}

_flaws contains {
	"path": _unavailable_path,
	"reason": "maxUnavailable cannot be 0 in a StatefulSet, which has no maxSurge",
	"title": "replace one pod at a time",
	"spec": _limits({"maxUnavailable": 1}),
} if {
	input.kind == "StatefulSet"
	input.rollout.style == "rolling"
	not input.rollout.ignored
	_zero(_unavailable)
}

_flaws contains {
	"path": input.rollout.block_path,
	"reason": sprintf("%s does not go with type Recreate", [_last(input.rollout.block_path)]),
	"title": "choose one of the two: replace the pods one by one",
	"spec": _limits({"maxUnavailable": 0, "maxSurge": 1}),
} if {
	input.kind == "Deployment"
	input.rollout.style == "recreate"
	input.rollout.block
}

_flaws contains {
	"path": array.concat(input.rollout.path, ["type"]),
	"reason": sprintf("%s type %q is none of %s", [input.rollout.field, input.rollout.written.text, concat(", ", _types)]),
	"title": sprintf("write %s", [_types[0]]),
	"spec": {input.rollout.field: {"type": _types[0]}},
} if {
	input.rollout.style == ""
	input.rollout.written.text != ""
	input.kind != "Rollout"
}

_types := ["RollingUpdate", "Recreate"] if {
	input.kind == "Deployment"
} else := ["Rolling", "Recreate", "Custom"] if {
	input.kind == "DeploymentConfig"
} else := ["RollingUpdate", "OnDelete"]

_flaws contains {
	"path": array.concat(input.rollout.block_path, [limit.field]),
	"reason": sprintf("%s is %s, and 100%% is the most", [limit.field, limit.quantity.text]),
	"title": "keep a part of the pods up",
	"spec": _limits({limit.field: "25%"}),
} if {
	input.rollout.style == "rolling"
	some limit in _written
	limit.quantity.known
	limit.quantity.percent
	limit.quantity.value > 100
	limit.field in _bounded
}

_bounded := {"maxUnavailable", "maxSurge"} if {
	input.kind == "DaemonSet"
} else := {"maxUnavailable"}

_flaws contains {
	"path": array.concat(input.rollout.block_path, [limit.field]),
	"reason": sprintf("%s is %q, not a number of pods or a percentage such as 25%%", [limit.field, limit.quantity.text]),
	"title": "write a number or a percentage",
	"spec": _limits({limit.field: "25%"}),
} if {
	some limit in _written
	not limit.quantity.known
	limit.quantity.text != ""
	not contains(limit.quantity.text, "$")
	not contains(limit.quantity.text, "{{")
}

_written := [limit |
	some limit in [
		{"field": "maxUnavailable", "quantity": _unavailable},
		{"field": "maxSurge", "quantity": _surge},
	]
	limit.quantity.set
]

_flaws contains {
	"path": ["spec", "progressDeadlineSeconds"],
	"reason": sprintf("progressDeadlineSeconds %d is not above minReadySeconds %d", [_deadline.value, _ready.value]),
	"title": "give a rollout time beyond minReadySeconds",
	"spec": {"minReadySeconds": _ready.value, "progressDeadlineSeconds": _ready.value + 600},
} if {
	input.kind == "Deployment"
	_deadline.known
	_ready.known
	_deadline.value <= _ready.value
}

_deadline := input.rollout.progress_deadline_seconds

_ready := input.rollout.min_ready_seconds

_flaws contains {
	"path": ["spec", input.rollout.stray],
	"reason": sprintf("a %s has no %s, its strategy is called %s", [input.kind, input.rollout.stray, input.rollout.field]),
	"effect": sprintf("the block is rejected or dropped; dropped, %s has its defaults", [input.rollout.field]),
	"title": sprintf("rename it to %s", [input.rollout.field]),
	"spec": {input.rollout.field: {"type": "RollingUpdate"}},
} if {
	input.rollout.stray != ""
	input.kind in {"Deployment", "StatefulSet", "DaemonSet"}
}

_last(path) := path[count(path) - 1]

_number(quantity) := quantity.text if {
	quantity.percent
} else := quantity.value

# _limits puts fields where this kind has its limits.
_limits(fields) := {"strategy": {"canary": fields}} if {
	input.kind == "Rollout"
} else := {"strategy": {"type": "Rolling", "rollingParams": fields}} if {
	input.kind == "DeploymentConfig"
} else := {input.rollout.field: {"type": "RollingUpdate", "rollingUpdate": fields}}
