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
#   and environment to what it asks, and a request to the location of a mounted nginx configuration to where it is proxied. Calls that cannot make the probe fail do not count, nor do loopback addresses,
#   sockets, the pod's own address and sidecars. A finding that rests on the text alone is marked as likely and is
#   one step milder.
#
#   The healthcheck of a Compose service is judged the same way where something acts on it: Swarm replaces a task that is unhealthy,
#   autoheal restarts a container with its label. Elsewhere the engine only marks the container, and nothing is said.
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
#   subjects: [workload, compose]
#   needs: [liveness, outside]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service, Compose file]
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

# The web server in the container hands the request on.
findings contains {
	"path": lib.endpoint_path(probe),
	"message": lib.endpoint_message(container, probe),
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
	probe.endpoint.proxied
}

# The healthcheck of a Compose service that something acts on.
findings contains {
	"path": service.health.test_path,
	"message": lib.dependency_message(service, check, group),
	"effect": concat("", [_compose_outcome(group), _compose_outage(service.health), _compose_act(service)]),
	"evidence": lib.evidence(group),
	"confidence": _surest(lib.confidence(group), service.actor.confidence),
	"container": service.name,
	"fixes": [_compose_fix(service)],
} if {
	input.subject == "compose"
	some service in input.services
	service.actor.name != ""
	_compose_own(service)
	check := {"type": "healthcheck", "targets": service.health.targets}
	some group in lib.dependencies(check)
}

# _compose_own: the check or what acts on it stands in this file; what a service only extends is judged where it stands.
_compose_own(service) if service.health.own

_compose_own(service) if service.actor.own

_surest("certain", "certain") := "certain"

_surest(a, b) := "likely" if "likely" in {a, b}

_compose_outcome(group) := sprintf("in that outage %s; ", [replace(group[0].outcome, "the probe", "the check")]) if {
	group[0].outcome != ""
	group[0].place != "own-service"
} else := ""

_compose_outage(health) := sprintf("an outage under %v s restarts nothing, one of %v s or more", [health.harmless, health.fatal]) if {
	health.known
	health.harmless > 0
} else := sprintf("one failed check is enough, and an outage of %v s or more", [health.fatal]) if {
	health.known
} else := "an outage that lasts too long"

_compose_act(service) := sprintf(" makes Swarm (%s) replace every task of the service, again and again", [service.actor.why]) if {
	service.actor.name == "Swarm"
} else := sprintf(" makes %s (%s) restart the container, again and again", [service.actor.name, service.actor.why])

_compose_fix(service) := {
	"title": "ask this container alone in the healthcheck, or let Swarm act on exits only",
	"safety": "display",
	"suggestion": {"services": {service.name: {"healthcheck": {"disable": true}}}},
} if {
	service.actor.name == "Swarm"
} else := {
	"title": sprintf("ask this container alone in the healthcheck, or keep %s away from it", [service.actor.name]),
	"safety": "display",
	"suggestion": {"services": lib.spared(service)},
}
