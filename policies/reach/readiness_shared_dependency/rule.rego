# METADATA
# title: Readiness depends on something that all replicas share
# description: |
#   Readiness reaches outside the pod, which is what readiness is for: a replica that cannot serve takes no traffic.
#   But every replica asks the same dependency, so one outage makes all of them unready at the same time. The Service
#   is then left without endpoints: nothing in Kubernetes fails open, and callers get refused connections in place of
#   whatever the application could still have answered. Whether that is right depends on the application: one that can
#   serve anything without the dependency stays up longer when readiness does not ask it.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#conditions
#   description: Endpoints that are not ready receive no traffic
# - ref: https://aws.amazon.com/builders-library/implementing-health-checks/
#   description: Health checks on dependencies, and failing open
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [workload]
#   needs: [readiness, outside]
#   kinds: [Deployment, StatefulSet, ReplicaSet, ReplicationController, Rollout, CloneSet, DeploymentConfig]
#   aliases: []
#   fix: none
package policies.reach.readiness_shared_dependency

import data.policies.lib

findings contains object.union(_finding(container, probe), {
	"path": lib.check_path(probe),
	"message": lib.dependency_message(container, probe, group),
	"evidence": lib.evidence(group),
	"confidence": lib.confidence(group),
}) if {
	some container in input.containers
	some probe in container.probes
	_serves(container, probe)
	some group in lib.dependencies(probe)
	group[0].place != "own-service"
}

findings contains object.union(_finding(container, probe), {
	"path": lib.endpoint_path(probe),
	"message": lib.endpoint_message(container, probe),
	"evidence": lib.endpoint_evidence(probe),
	"confidence": probe.endpoint.confidence,
}) if {
	some container in input.containers
	some probe in container.probes
	_serves(container, probe)
	lib.endpoint_dependent(probe)
	not probe.endpoint.cluster
}

_finding(container, probe) := {
	"effect": sprintf("an outage of %s leaves %s without endpoints, and nothing fails open", [_long(probe), _services]),
	"container": container.name,
	"fixes": [_fix(container, probe)],
}

# _fix: whether the application can serve without the dependency is for its owner to say.
_fix(container, probe) := {
	"title": sprintf("ask port %v alone, where the application can answer in part without it", [port]),
	"safety": "display",
	"suggestion": {"readinessProbe": object.union({"tcpSocket": {"port": port}}, lib.timings(probe))},
} if {
	port := lib.local_port(container)
} else := {"title": "ask this process alone, where the application can answer in part without it", "safety": "display"}

# _serves: a Service sends traffic to the pod, and the readiness of the container counts.
_serves(container, probe) if {
	probe.type == "readiness"
	container.type in {"app", "sidecar"}
	count(input.services) > 0
}

_long(probe) := sprintf("%d s or more", [probe.budget.fatal]) if probe.known

_long(probe) := "some length" if not probe.known

_services := sprintf("Service %s", [input.services[0]]) if count(input.services) == 1

_services := sprintf("Services %s", [concat(" and ", sort(input.services))]) if count(input.services) > 1
