# METADATA
# title: Liveness restarts before readiness sheds load
# description: |
#   Liveness and readiness ask the same thing, and liveness can give its verdict no later than readiness. Readiness takes an
#   instance out of its Services so that it can recover or finish its work; here the kubelet restarts it at that moment or
#   before. A probe gives up between (F-1)*I + d and P + (F-1)*I + d after its target fails, where P is the period, F the
#   failureThreshold, d what one failing probe takes (up to its timeout) and I the larger of P and d. Readiness is in time when
#   its latest verdict comes before the earliest of liveness, for a check that hangs and for one that answers with an
#   error.
#
#   The finding is a warning where the shared check asks something outside the pod, or an endpoint that is known to fail with a
#   dependency, since then an outage there restarts every replica; else it is worth knowing. Checks that stay in the pod for certain (a TCP connection, a client's ping of its
#   own server) and liveness that is clearly slower are left alone. What counts is what is asked: the resolved port,
#   host, scheme, path, headers, service or command.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#types-of-probe
#   description: A common pattern is the same endpoint with a higher failureThreshold for liveness
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/
#   description: Liveness must be configured carefully, so that it does not cause cascading failures
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [workload]
#   needs: [shared]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.timing.liveness_outpaces_readiness

import data.policies.lib

findings contains {
	"path": live.path,
	"message": sprintf("%s asks the same as readiness and gives up %s after the check starts to %s, readiness after %s", [
		lib.probe_name(container, live),
		_seconds(container.shared.liveness),
		_failure[container.shared.outpaces],
		_seconds(container.shared.readiness),
	]),
	"effect": _effect(live),
	"evidence": array.concat(lib.evidence(_outside(live)), _known(live)),
	"severity": _severity(live),
	"container": container.name,
	"fixes": [{
		"title": "let liveness wait until readiness has taken the pod out of its Services",
		"safety": "display",
		"suggestion": {live.field: {"failureThreshold": _enough(live, ready)}},
	}],
} if {
	some container in input.containers
	container.shared.same
	container.shared.outpaces != ""
	not container.shared.local
	some live in container.probes
	live.type == "liveness"
	live.restarts
	not live.never_fails
	some ready in container.probes
	ready.type == "readiness"
	lib.whole(input, container)
}

_failure := {"hang": "fail", "error": "answer with errors"}

_seconds(verdict) := lib.seconds(verdict.earliest, verdict.latest)

# _outside are the targets that fail the check for a reason outside the process.
_outside(probe) := [target |
	some target in probe.targets
	target.remote
	target.decides
]

# _known is the trace of what is known of the endpoint, when it fails with a dependency.
_known(probe) := [probe.endpoint.evidence] if {
	probe.endpoint.depends == "yes"
	probe.endpoint.evidence >= 0
} else := []

_names(probe) := {_name(target) | some target in _outside(probe)} | {probe.endpoint.dependency | probe.endpoint.depends == "yes"}

_severity(probe) := "warning" if count(_names(probe)) > 0

_severity(probe) := "info" if count(_names(probe)) == 0

_effect(probe) := sprintf("the check fails when %s is down, so such an outage restarts instances that readiness alone would have kept waiting", [concat(
	" or ",
	sort(_names(probe)),
)]) if {
	count(_names(probe)) > 0
} else := "a slow instance is restarted before readiness has taken it out of rotation, or at the same time, so it cannot recover or drain"

_name(target) := target.dependency if target.dependency != ""

_name(target) := lib.address(target.host, target.port) if target.dependency == ""

# _enough failures put the earliest verdict of liveness after the latest of readiness, whichever way the check fails.
_enough(live, ready) := max([
	_failures(ready.budget.harmless + ready.period, live.period, 0),
	_failures(ready.budget.latest, max([live.period, live.timeout]), live.timeout),
])

_failures(after, interval, once) := 2 + floor(max([0, after - once]) / interval)
