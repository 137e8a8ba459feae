# METADATA
# title: Liveness asks about the whole cluster
# description: |
#   The question goes to the local process, but its answer is about the whole cluster or a role in it: a quorum, an
#   elected leader, the status of all shards, a write majority. When that state is lost, the probe fails in every
#   member, and the kubelets restart the members that would have to find each other again. Members that are restarted
#   while a quorum forms postpone it, and a sealed or uninitialised store comes back sealed or uninitialised.
#
#   A liveness probe asks whether this process is alive. Whether it may serve is a question for readiness.
# related_resources:
# - ref: https://github.com/kubernetes/kubernetes/issues/96886
#   description: etcd members restarted because of a missing quorum
# - ref: https://etcd.io/docs/latest/op-guide/monitoring/#health-check
#   description: etcd on /livez and /readyz
# - ref: https://github.com/hclint/hclint/blob/main/docs/endpoints.md
#   description: How hclint knows what endpoints check, and how to add a row
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [workload]
#   needs: [liveness, dependent-endpoint]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.reach.liveness_cluster_state

import data.policies.lib

findings contains {
	"path": lib.endpoint_path(probe),
	"message": sprintf("%s asks %s, which %s without %s, however sound this process is", [
		lib.probe_name(container, probe),
		lib.endpoint_asked(container, probe),
		_fails[probe.endpoint.confidence],
		probe.endpoint.dependency,
	]),
	"effect": lib.outage_effect(input, container, probe, lib.endpoint_outage(probe)),
	"evidence": lib.endpoint_evidence(probe),
	"confidence": probe.endpoint.confidence,
	"container": container.name,
	"fixes": lib.endpoint_fixes(input, container, probe),
} if {
	some container in input.containers
	some probe in container.probes
	probe.type == "liveness"
	probe.restarts
	lib.endpoint_dependent(probe)
	probe.endpoint.cluster
	not _alone(probe)
}

# _alone: a single replica is a quorum of its own.
_alone(probe) if {
	input.kind == "StatefulSet"
	input.replicas.known
	input.replicas.value == 1
	contains(probe.endpoint.dependency, "quorum")
}

_fails := {"certain": "fails", "likely": "may fail"}
