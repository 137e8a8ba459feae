# METADATA
# title: Startup depends on something outside the pod
# description: |
#   The outcome of this startup probe is decided by a target outside the pod. A startup probe that reaches its
#   failureThreshold restarts the container exactly as liveness does. Replicas that have started are safe, since the
#   probe is not run again after its first success; but while the target is down no restarted or new container gets
#   past startup. A crash, a rollout, a scale-up or a lost node during the outage turns into a restart loop, with
#   back-off delays of up to 300 s that go on after the target is back.
#
#   To wait for a target, readiness is enough: it holds traffic back and restarts nobody.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/
#   description: What startup probes are for, and that their failure restarts the container
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-probes
#   description: The three probes and what their failure does
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [startup, outside]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.reach.startup_remote_dependency

import data.policies.lib

findings contains {
	"path": lib.check_path(probe),
	"message": lib.dependency_message(container, probe, group),
	"effect": lib.start_effect(input, container, probe, group),
	"evidence": lib.evidence(group),
	"confidence": lib.confidence(group),
	"container": container.name,
	"fixes": [lib.local_fix(input, container, probe, group)],
} if {
	some container in input.containers
	some probe in container.probes
	probe.type == "startup"
	probe.restarts
	some group in lib.dependencies(probe)
}

# The endpoint of the application asks a dependency, or about the whole cluster.
findings contains {
	"path": lib.endpoint_path(probe),
	"message": lib.endpoint_message(container, probe),
	"effect": lib.start_effect(input, container, probe, lib.endpoint_outage(probe)),
	"evidence": lib.endpoint_evidence(probe),
	"confidence": probe.endpoint.confidence,
	"container": container.name,
	"fixes": lib.endpoint_fixes(input, container, probe),
} if {
	some container in input.containers
	some probe in container.probes
	probe.type == "startup"
	probe.restarts
	lib.endpoint_dependent(probe)
}
