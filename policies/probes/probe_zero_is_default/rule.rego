# METADATA
# title: A probe's 0 means unset
# description: |
#   The API server treats 0 in failureThreshold, periodSeconds, timeoutSeconds and successThreshold as if nothing were
#   written, and fills in the default: 3, 10, 1 and 1. So failureThreshold: 0 does not switch a probe off, periodSeconds: 0 does
#   not make it run all the time, and timeoutSeconds: 0 does not let it wait for ever: it waits 1 s. Only
#   initialDelaySeconds: 0 means what it says.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes
#   description: The fields of probes with their defaults and minimums
# - ref: https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/apis/core/v1/defaults.go
#   description: SetDefaults_Probe
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [zero]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig]
#   aliases: []
#   fix: display
package policies.probes.probe_zero_is_default

import data.policies.lib

findings contains {
	"path": array.concat(probe.path, [key]),
	"message": sprintf("%s has %s: 0, which means unset, so the default of %d applies", [
		lib.probe_name(container, probe),
		key,
		_defaults[key],
	]),
	"effect": _effects[key],
	"container": container.name,
	"fixes": [{
		"title": _titles[key],
		"safety": "display",
		"suggestion": {probe.field: {key: _defaults[key]}},
	}],
} if {
	some container in input.containers
	some probe in container.probes
	some key in probe.zero
	_defaults[key]
	container.type in {"app", "sidecar"}
	input.kind != "Service" # Knative gives a period of 0 a meaning of its own
}

_defaults := {"failureThreshold": 3, "periodSeconds": 10, "timeoutSeconds": 1, "successThreshold": 1}

_effects := {
	"failureThreshold": "the probe is not switched off: 3 failures in a row are its verdict",
	"periodSeconds": "the probe runs every 10 s",
	"timeoutSeconds": "a probe without an answer after 1 s has failed",
	"successThreshold": "one success is enough",
}

_titles := {
	"failureThreshold": "write the number that is meant, or remove the probe to switch it off",
	"periodSeconds": "write the number that is meant",
	"timeoutSeconds": "write the number that is meant: a probe always has a timeout",
	"successThreshold": "write the number that is meant",
}
