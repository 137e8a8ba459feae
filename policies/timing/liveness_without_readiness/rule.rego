# METADATA
# title: Served container has liveness but no readiness
# description: |
#   A Service sends traffic to every pod that is ready, and a container without a readiness probe counts as ready from the moment it
#   has started. So it gets traffic while it is still warming up, and an instance that is slow or stuck keeps its traffic
#   until liveness restarts it: the restart is the only reaction there is. With a readiness probe the instance leaves its
#   Services first, and comes back without a restart when it has caught up.
#
#   The rule looks at containers that a Service of the bundle sends traffic to, by the ports. Ports for metrics, Services
#   that publish pods that are not ready, Jobs and pods that no Service selects are left alone.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#when-should-you-use-a-readiness-probe
#   description: When to use a readiness probe
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-readiness-probes
#   description: Readiness and liveness side by side
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [liveness, service]
#   kinds: [Deployment, StatefulSet, ReplicaSet, ReplicationController, Pod, Rollout, CloneSet, DeploymentConfig]
#   aliases: []
#   fix: display
package policies.timing.liveness_without_readiness

import data.policies.lib

findings contains {
	"path": live.path,
	"message": sprintf("container %q has a liveness but no readiness probe, and %s it traffic", [
		container.name,
		_senders(container),
	]),
	"effect": _effect(live),
	"container": container.name,
	"fixes": [_fix(live)],
} if {
	input.class == "service"
	input.kind != "Service" # Knative adds a readiness probe
	some container in input.containers
	count(container.served_by) > 0
	lib.whole(input, container)
	some live in container.probes
	live.type == "liveness"
	live.restarts
	live.handler != ""
	not live.never_fails
	not "readiness" in {probe.type | some probe in container.probes}
}

_senders(container) := sprintf("Service %s sends", container.served_by) if {
	count(container.served_by) == 1
} else := sprintf("Services %s send", [concat(" and ", container.served_by)])

_effect(live) := sprintf("it gets traffic from its start, and when it hangs it keeps its traffic until liveness restarts it, %s later", [
	lib.seconds(live.budget.earliest, live.budget.latest),
]) if {
	live.known
} else := "it gets traffic from its start, and when it hangs it keeps its traffic until liveness restarts it"

_fix(live) := {
	"title": "take it out of the Service before it is restarted",
	"safety": "display",
	"suggestion": {"readinessProbe": object.union(lib.handler(live), {"periodSeconds": 5, "failureThreshold": 2})},
} if {
	lib.complete(live)
} else := {"title": "add a readinessProbe that gives up before liveness does", "safety": "display"}
