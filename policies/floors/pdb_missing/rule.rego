# METADATA
# title: Replicated service without a PodDisruptionBudget
# description: |
#   A node drain, a node upgrade or an autoscaler that removes nodes evicts pods, and asks only PodDisruptionBudgets
#   how many it may take at a time. Without one, all replicas of a service can be evicted together. The rule looks
#   at long-running workloads that a Service selects and that run at least 2 replicas: the autoscaler's minimum,
#   else replicas, else 1. Workloads that elect a leader, Helm hooks and parts of workloads (patches) are left out.
#
#   A PodDisruptionBudget limits evictions and nothing else: restarts by liveness probes, crashes, rollouts and lost
#   nodes do not ask it.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/
#   description: Voluntary and involuntary disruptions, and what a PodDisruptionBudget limits
# - ref: https://kubernetes.io/docs/tasks/run-application/configure-pdb/
#   description: How to specify one
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [service]
#   kinds: [Deployment, StatefulSet, ReplicaSet, ReplicationController, Rollout, CloneSet, DeploymentConfig]
#   aliases: []
#   fix: display
package policies.floors.pdb_missing

import data.policies.lib

findings contains object.union(_finding, _severity) if {
	input.class == "service"
	input.kind != "Service" # Knative makes and scales its pods by itself
	input.replicas.known
	input.replicas.value >= 2
	count(input.pdbs) == 0
	not input.singleton
	not input.fragment
}

# _near names a budget that was probably meant for the pods.
_near := sprintf(": %s misses them", [input.missed_by]) if {
	input.missed_by != ""
} else := ""

_finding := {
	"path": [],
	"message": sprintf("%s %s runs %s behind %s, and no PodDisruptionBudget selects them%s", [
		input.kind,
		input.name,
		_replicas,
		_front,
		_near,
	]),
	"effect": sprintf("draining nodes may evict %s at the same time; a budget limits such evictions, not restarts by probes", [
		_all,
	]),
	"fixes": [{
		"title": "allow one eviction at a time",
		"safety": "display",
		"suggestion": {
			"apiVersion": "policy/v1",
			"kind": "PodDisruptionBudget",
			"metadata": object.union({"name": input.name}, _namespace),
			"spec": {
				"maxUnavailable": 1,
				"selector": lib.own_selector(input),
			},
		},
	}],
}

# A bundle with an unreadable part may hold the budget there.
_severity := {"severity": "info"} if {
	input.partial
} else := {}

_replicas := sprintf("%d replicas", [input.replicas.value]) if {
	lib.fixed(input.replicas)
} else := sprintf("at least %d replicas (%s)", [input.replicas.value, input.replicas.from])

_all := lib.every_one(input.replicas.value) if {
	lib.fixed(input.replicas)
} else := "all of them"

# _front names up to three Services.
_front := sprintf("Service %s", [name]) if {
	[name] := sort({service | some service in input.services})
} else := sprintf("Services %s", [concat(", ", names)]) if {
	names := sort({service | some service in input.services})
	count(names) <= 3
} else := sprintf("%d Services", [count({service | some service in input.services})])

_namespace := {} if input.namespace == ""

_namespace := {"namespace": input.namespace} if input.namespace != ""
