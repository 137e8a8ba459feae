# METADATA
# title: One failed probe restarts the container
# description: |
#   failureThreshold: 1 on a liveness or startup probe makes one failed probe the verdict: one lost packet, one
#   garbage collection or one busy second longer than timeoutSeconds (1 s by default) restarts the container. A
#   failed probe is not repeated at once; only probes that end in an error are. Slow and dead look the same to such
#   a check, and under load slow is the common one: the restarts take capacity away just when it is missing. The
#   default is 3.
#
#   A startup probe with one strike is no better for a long timeout: its first probe comes within one period of the
#   start, and has to succeed.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes
#   description: failureThreshold and its default of 3
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-probes
#   description: What a failed liveness or startup probe does
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload, compose]
#   needs: [probe]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service, Compose file]
#   aliases: []
#   fix: display
package policies.timing.liveness_single_strike

import data.policies.lib

findings contains {
	"path": array.concat(probe.path, ["failureThreshold"]),
	"message": sprintf("%s restarts it after a single failed probe (failureThreshold: 1)", [lib.probe_name(container, probe)]),
	"effect": _effect(probe),
	"container": container.name,
	"fixes": [{
		"title": _title(probe),
		"safety": "display",
		"suggestion": {probe.field: {"periodSeconds": _period(probe), "failureThreshold": 3}},
	}],
} if {
	some container in input.containers
	some probe in container.probes
	probe.restarts
	probe.handler != ""
	probe.failure_threshold == 1
}

# The healthcheck of a Compose service that something acts on.
findings contains {
	"path": array.concat(service.health.path, ["retries"]),
	"message": sprintf("healthcheck of service %q makes %s act after a single failed check (retries: 1)", [
		service.name,
		service.actor.name,
	]),
	"effect": sprintf("one check that fails or takes longer than %v s restarts the container", [service.health.timeout]),
	"confidence": service.actor.confidence,
	"container": service.name,
	"fixes": [{
		"title": "give it three strikes",
		"safety": "display",
		"suggestion": {"services": {service.name: {"healthcheck": {"retries": 3}}}},
	}],
} if {
	input.subject == "compose"
	some service in input.services
	service.actor.name != ""
	service.health.own
	service.health.known
	service.health.retries == 1
	not service.health.disabled
}

_effect(probe) := sprintf("one probe that is refused or takes longer than %d s restarts the container", [probe.timeout]) if {
	probe.known
	probe.type == "liveness"
} else := sprintf("the first probe, within %d s of the start, has to succeed within %d s, or the container is restarted", [
	probe.initial_delay + probe.period,
	probe.timeout,
]) if {
	probe.known
} else := "one probe that is refused or takes too long restarts the container"

_title(probe) := sprintf("give it three strikes in the same time, one every %d s", [_period(probe)]) if probe.period >= 30

_title(probe) := "give it three strikes" if probe.period < 30

# _period keeps the time to a verdict where the period is long enough to be cut in three.
_period(probe) := ceil(probe.period / 3) if probe.period >= 30

_period(probe) := probe.period if probe.period < 30
