# METADATA
# title: Liveness depends on something outside the pod
# description: |
#   The outcome of this liveness probe is decided by a target outside the pod: a database, a broker, another
#   service, or a name that any replica may answer. When that target fails, the probe fails in every replica, and
#   each kubelet restarts its container on its own: with period P and failureThreshold F an outage shorter than
#   (F-1)*P restarts nobody, one longer than P + (F-1)*P restarts everybody, all within one period. Nothing
#   serialises these restarts: PodDisruptionBudgets limit evictions and maxUnavailable limits rollouts. A restart
#   does not repair the target, and the restarted fleet comes back with cold caches and opens all its connections at
#   once.
#
#   What is judged is proven from the manifest: the command is followed through shells, wrappers, mounted scripts
#   and environment to what it asks. Calls that cannot make the probe fail do not count, nor do loopback addresses,
#   sockets, the pod's own address and sidecars. A finding that rests on the text alone is marked as likely and is
#   one step milder.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/
#   description: Liveness probes must truly indicate unrecoverable failure; wrong ones cause cascading failures
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#when-should-you-use-a-readiness-probe
#   description: Liveness passes when the app itself is healthy, readiness also checks each required back end
# - ref: https://docs.spring.io/spring-boot/reference/actuator/endpoints.html#actuator.endpoints.kubernetes-probes.external-state
#   description: Spring Boot on external systems in probes
# - ref: https://docs.aws.amazon.com/eks/latest/best-practices/application.html
#   description: EKS best practices on liveness and external dependencies
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [workload]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.reach.liveness_remote_dependency

import data.policies.lib

findings contains {
	"path": lib.check_path(probe),
	"message": lib.dependency_message(container, probe, group),
	"effect": lib.outage_effect(input, container, probe, group),
	"evidence": lib.evidence(group),
	"confidence": lib.confidence(group),
	"container": container.name,
	"fixes": [lib.local_fix(input, container, probe, group)],
} if {
	some container in input.containers
	some probe in container.probes
	probe.type == "liveness"
	probe.restarts
	some group in lib.dependencies(probe)
}
