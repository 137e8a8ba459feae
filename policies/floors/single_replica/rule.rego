# METADATA
# title: Service with one replica behind it
# description: |
#   With one replica, every restart by a probe, every eviction and every lost node leaves the Service without an
#   endpoint until the replica is ready again: there is no floor below 1. A PodDisruptionBudget cannot help, since it
#   could only forbid the eviction. That may be all one can have (a database of one node, a licence for one
#   instance), and is worth knowing. Replicas are counted as they will run: the autoscaler's minimum, else replicas,
#   else 1. Workloads that elect a leader, Helm hooks and parts of workloads (patches) are left out, and so are Services that
#   several workloads stand behind, such as versions or tracks.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-budgets
#   description: How budgets treat single-instance applications
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#replicas
#   description: The default of replicas is 1
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [workload]
#   needs: [service]
#   kinds: [Deployment, StatefulSet, ReplicaSet, ReplicationController, Rollout, CloneSet, DeploymentConfig]
#   aliases: []
#   fix: display
package policies.floors.single_replica

import data.policies.lib

findings contains {
	"path": _path,
	"message": sprintf("%s %s behind %s runs 1 replica%s", [input.kind, input.name, _front, _reason]),
	"effect": "while that replica restarts, moves or is lost, the Service has no endpoint",
	"fixes": [_fix],
} if {
	input.class == "service"
	count(input.sole_services) > 0
	not input.kind in {"Pod", "Service"} # Knative makes and scales its pods by itself
	input.replicas.known
	input.replicas.value == 1
	not _overruled
	not input.singleton
	not input.fragment
}

# _overruled: the manifest says more and an autoscaler less, which autoscaler-floor reports.
_overruled if {
	not lib.fixed(input.replicas)
	input.written_replicas.value > 1
}

_path := ["spec", "replicas"] if {
	input.replicas.from == "replicas"
} else := []

_reason := "" if {
	input.replicas.from == "replicas"
} else := ", the default" if {
	input.replicas.from == "default"
} else := sprintf(", the minimum of %s", [input.replicas.from])

_front := sprintf("Service %s", [name]) if {
	[name] := sort({service | some service in input.sole_services})
} else := sprintf("%d Services", [count({service | some service in input.sole_services})])

_fix := {
	"title": "run 2 replicas, if the application can share its work",
	"safety": "display",
	"suggestion": {"spec": {"replicas": 2}},
} if {
	lib.fixed(input.replicas)
} else := {
	"title": sprintf("let %s keep 2 replicas", [input.replicas.from]),
	"safety": "display",
	"suggestion": {"spec": {_minimum: 2}},
}

_minimum := "minReplicaCount" if {
	startswith(input.replicas.from, "ScaledObject ")
} else := "minReplicas"
