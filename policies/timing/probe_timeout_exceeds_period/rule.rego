# METADATA
# title: Probe waits longer for an answer than its period
# description: |
#   The probes of one container run one after the other: while one waits for its answer, the ticks of periodSeconds
#   are dropped. When timeoutSeconds is larger than periodSeconds, a hanging target is therefore asked every timeoutSeconds and not
#   every periodSeconds, and the verdict of failureThreshold probes comes after (F-1)*timeout + timeout, not after (F-1)*period.
#   The period that stands in the manifest is true only for a target that answers fast. The API server accepts it without a
#   word.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes
#   description: periodSeconds and timeoutSeconds
# - ref: https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/prober/worker.go
#   description: The loop that runs the probes of a container
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [overlap]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.timing.probe_timeout_exceeds_period

import data.policies.lib

findings contains {
	"path": array.concat(probe.path, [_key(probe)]),
	"message": sprintf("%s waits up to %d s for an answer but is due every %d s%s", [
		lib.probe_name(container, probe),
		probe.timeout,
		probe.period,
		_default(probe),
	]),
	"effect": sprintf("hanging probes run back to back, so it gives up %s after the target hangs, not %s", [
		lib.seconds(probe.budget.earliest, probe.budget.latest),
		lib.seconds(probe.budget.harmless, probe.budget.harmless + probe.period),
	]),
	"container": container.name,
	"fixes": [{
		"title": "keep the time to a verdict and let a probe end before the next is due",
		"safety": "display",
		"suggestion": {probe.field: {
			"periodSeconds": probe.timeout,
			"timeoutSeconds": max([1, probe.timeout - 1]),
			"failureThreshold": probe.failure_threshold,
		}},
	}],
} if {
	some container in input.containers
	some probe in container.probes
	probe.overlaps
	probe.handler != ""
	container.type in {"app", "sidecar"}
	lib.whole(input, container)
}

# _key is the one that is written: the default of the other is no mistake of anybody.
_key(probe) := "timeoutSeconds" if "timeoutSeconds" in probe.written

_key(probe) := "periodSeconds" if not "timeoutSeconds" in probe.written

_default(probe) := "" if "periodSeconds" in probe.written

_default(probe) := " (the default of periodSeconds)" if not "periodSeconds" in probe.written
