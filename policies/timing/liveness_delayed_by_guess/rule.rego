# METADATA
# title: Liveness waits for a guessed start time
# description: |
#   initialDelaySeconds makes liveness check nothing after every start of the container, however fast it came up: a container that
#   hangs is found that much later, and one that needs longer than the guess is killed all the same. A startupProbe
#   waits as long as the start really takes and then lets liveness begin.
#
#   From 300 s on there is a second effect. CrashLoopBackOff delays a restart by at most 300 s, counted from the end of the previous
#   life; a container that lives longer than that before liveness kills it is restarted without any delay, for ever.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-startup-probes
#   description: Protect slow starting containers with startup probes
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restarts
#   description: The back-off between restarts and its cap of 300 s
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [workload]
#   needs: [liveness]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.timing.liveness_delayed_by_guess

import data.policies.lib

findings contains {
	"path": array.concat(live.path, ["initialDelaySeconds"]),
	"message": sprintf("%s checks nothing for the first %d s of every start, and there is no startupProbe", [
		lib.probe_name(container, live),
		live.initial_delay,
	]),
	"effect": concat("; ", array.concat([_late(live)], _no_backoff(live))),
	"container": container.name,
	"fixes": [_fix(live)],
} if {
	some container in input.containers
	some live in container.probes
	live.initial_delay >= 60
	live.type == "liveness"
	live.restarts
	live.handler != ""
	live.known
	lib.whole(input, container)
	not "startup" in {probe.type | some probe in container.probes}
}

_late(live) := sprintf("a container that never comes up is restarted only %s after its start", [
	lib.seconds(live.initial_delay + live.budget.harmless, live.initial_delay + live.budget.latest),
])

# A life longer than the cap of the back-off outlasts it each time.
_no_backoff(live) := ["each life outlasts the cap of CrashLoopBackOff (300 s), so a container that never comes up is restarted without any delay, for ever"] if {
	_outlasts(live)
}

_no_backoff(live) := [] if not _outlasts(live)

_outlasts(live) if live.initial_delay + live.budget.harmless >= 300

_fix(live) := {
	"title": sprintf("let a startupProbe wait up to %d s, and drop initialDelaySeconds from liveness", [10 * _tries(live)]),
	"safety": "display",
	"suggestion": {
		"startupProbe": object.union_n([lib.handler(live), {"periodSeconds": 10, "failureThreshold": _tries(live)}, _timeout(live)]),
		"livenessProbe": object.union(lib.handler(live), object.remove(lib.timings(live), {"initialDelaySeconds"})),
	},
} if {
	lib.complete(live)
	not _outside(live)
} else := {
	"title": sprintf("let a startupProbe wait up to %d s, and drop initialDelaySeconds from liveness", [10 * _tries(live)]),
	"safety": "display",
}

# _outside: what is asked is itself no check for a start, so it is not offered as one.
_outside(live) if lib.endpoint_remote(live)

_outside(live) if live.endpoint.depends == "yes"

# _tries of 10 s give the start as long as it has now.
_tries(live) := ceil((live.initial_delay + live.budget.latest) / 10)

_timeout(live) := {"timeoutSeconds": live.timeout} if "timeoutSeconds" in live.written

_timeout(live) := {} if not "timeoutSeconds" in live.written
