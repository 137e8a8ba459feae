# METADATA
# title: Liveness gives up within 10 seconds
# description: |
#   With period P, timeout t and failureThreshold F the verdict of a liveness probe comes at the latest P + (F-1)*max(P, t) + t
#   after the container stops answering. Here that is 10 s or less. Long garbage collections, throttled CPU, a full disk
#   queue, a noisy neighbour or a moved node hold a process up for that long, and it recovers by itself. A restart does not make
#   such a pause shorter: it adds a start, an empty cache and, in every replica that was slow for the same reason, the same restart
#   within one period. The defaults (10 s, 3 failures, 1 s) allow 31 s.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes
#   description: periodSeconds, failureThreshold and timeoutSeconds
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-probes
#   description: What a failed liveness probe does
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [liveness]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.timing.liveness_short_budget

import data.policies.lib

findings contains {
	"path": array.concat(probe.path, ["periodSeconds"]),
	"message": sprintf("%s gives up %s after it stops answering (%d × %d s, timeout %d s)", [
		lib.probe_name(container, probe),
		lib.seconds(probe.budget.earliest, probe.budget.latest),
		probe.failure_threshold,
		probe.period,
		probe.timeout,
	]),
	"effect": sprintf("a pause of %d s restarts the container for certain%s", [probe.budget.latest, _all(probe)]),
	"container": container.name,
	"fixes": [{
		"title": "allow for a pause of half a minute",
		"safety": "display",
		"suggestion": {probe.field: {
			"periodSeconds": probe.period,
			"timeoutSeconds": probe.timeout,
			"failureThreshold": _enough(probe),
		}},
	}],
} if {
	some container in input.containers
	some probe in container.probes
	probe.budget.latest <= 10
	probe.type == "liveness"
	probe.restarts
	probe.handler != ""
	probe.known
	not probe.never_fails
	lib.whole(input, container)
}

# _all: what slows all replicas at once restarts all; a pod of its own has no others.
_all(probe) := "" if {
	input.kind == "Pod"
} else := "" if {
	input.kind != "Service" # Knative scales by itself
	input.replicas.value == 1
	input.replicas.from in {"replicas", "default"}
} else := "" if {
	input.class == "batch"
} else := sprintf("; one in all replicas restarts all within %d s of each other", [probe.budget.spread])

# _enough failures in a row put the earliest verdict at 30 s.
_enough(probe) := 1 + ceil((30 - probe.timeout) / max([probe.period, probe.timeout]))
