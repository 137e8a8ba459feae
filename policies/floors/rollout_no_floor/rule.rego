# METADATA
# title: Rollout that takes every replica down at once
# description: |
#   Recreate stops all pods before it starts the first new one, and maxUnavailable allows a rollout to stop that many
#   without waiting for new ones: at 100 %, or at a number that is all replicas, nothing is left up. A new version that
#   does not start then is an outage, where RollingUpdate with its defaults (25 %, rounded down for maxUnavailable
#   and up for maxSurge: for 3 replicas 0 and 1) keeps the old version running. A DaemonSet with maxUnavailable:
#   100% restarts the agent on every node in the same moment. A StatefulSet counts maxUnavailable since Kubernetes
#   1.37; before, it goes one by one. One replica is left out: nothing could be kept up.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#strategy
#   description: Recreate, RollingUpdate, maxUnavailable and maxSurge
# - ref: https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/
#   description: Rolling updates of a DaemonSet
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#maximum-unavailable-pods
#   description: maxUnavailable of a StatefulSet
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [rollout]
#   kinds: [Deployment, StatefulSet, DaemonSet, Rollout, CloneSet, DeploymentConfig]
#   aliases: []
#   fix: display
package policies.floors.rollout_no_floor

import data.policies.lib

findings contains {
	"path": array.concat(input.rollout.path, ["type"]),
	"message": sprintf("%s %s stops %s before it starts a new one: %s is Recreate", [
		input.kind,
		input.name,
		_replicas,
		input.rollout.field,
	]),
	"effect": "every rollout is an outage until new pods are ready, and lasts if the new version does not start",
	"fixes": [_fix("replace the replicas one by one")],
} if {
	_many
	input.rollout.style == "recreate"
}

findings contains {
	"path": array.concat(input.rollout.block_path, ["maxUnavailable"]),
	"message": sprintf("a rollout of %s %s may stop %s: maxUnavailable is %s%s", [
		input.kind,
		input.name,
		_replicas,
		input.rollout.max_unavailable.text,
		_version,
	]),
	"effect": "nothing is left up until new pods are ready, and nothing at all if the new version does not start",
	"fixes": [_fix("replace the replicas one by one")],
} if {
	_many
	input.rollout.style == "rolling"
	input.rollout.max_unavailable.set
	input.rollout.unavailable.known
	input.rollout.unavailable.value >= input.replicas.value
	_holds
}

findings contains {
	"path": array.concat(input.rollout.block_path, ["maxUnavailable"]),
	"message": sprintf("a rollout of DaemonSet %s stops the pods of all nodes at once: maxUnavailable is %s", [
		input.name,
		input.rollout.max_unavailable.text,
	]),
	"effect": "what the agent does stops everywhere until the new pods are ready, and for good if they do not start",
	"fixes": [_fix("go through a tenth of the nodes at a time")],
} if {
	input.kind == "DaemonSet"
	input.rollout.style == "rolling"
	_everything
	not _idle
	not input.fragment
}

# _idle: the pods exist for what their init containers did, such as pulling images.
_idle if {
	every container in input.containers {
		_passive(container)
	}
}

_passive(container) if container.type == "init"

_passive(container) if container.idle

_everything if {
	input.rollout.max_unavailable.known
	input.rollout.max_unavailable.percent
	input.rollout.max_unavailable.value >= 100
}

_many if {
	input.rollout.set
	input.replicas.known
	input.replicas.value > 1
	not input.fragment
}

# _holds: the number of replicas is the manifest's, or it does not matter.
_holds if lib.fixed(input.replicas)

_holds if _everything

_replicas := sprintf("%s replicas", [lib.every_one(input.replicas.value)]) if {
	lib.fixed(input.replicas)
} else := sprintf("every replica (at least %d)", [input.replicas.value])

# _version: StatefulSets ignore the field before 1.37.
_version := sprintf(", which counts since Kubernetes 1.37%s", [_assumed]) if {
	input.kind == "StatefulSet"
} else := ""

_assumed := " (assumed; see --kube-version)" if {
	input.kube.assumed
} else := ""

_fix(title) := {"title": title, "safety": "display", "suggestion": {"spec": {input.rollout.field: _strategy}}}

_strategy := {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "10%"}} if {
	input.kind == "DaemonSet"
} else := {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1}} if {
	input.kind == "StatefulSet"
} else := {"type": "Rolling", "rollingParams": _one_by_one} if {
	input.kind == "DeploymentConfig"
} else := {"canary": _one_by_one} if {
	input.kind == "Rollout"
} else := _one_by_one if {
	input.kind == "CloneSet"
} else := {"type": "RollingUpdate", "rollingUpdate": _one_by_one}

_one_by_one := {"maxUnavailable": 0, "maxSurge": 1}
