# METADATA
# title: Parallel pods of a Job share fewer restarts than there are pods
# description: |
#   With restartPolicy OnFailure the Job controller adds up the restarts of all containers of all running pods, those
#   by liveness probes and of sidecars included, and fails the Job when the sum reaches backoffLimit (6 by default).
#   With more pods than that, a short outage that fails each of them once ends the whole Job, although no pod was
#   tried twice. With restartPolicy Never failed pods are counted instead, and an Indexed Job can give each index a
#   limit of its own (backoffLimitPerIndex).
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy
#   description: What counts against backoffLimit
# - ref: https://github.com/kubernetes/kubernetes/issues/54870
#   description: backoffLimit and OnFailure
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [job]
#   kinds: [Job, CronJob]
#   aliases: []
#   fix: display
package policies.restarts.job_restarts_shared

import data.policies.lib

findings contains {
	"path": array.concat(input.job.path, [_field]),
	"message": sprintf("%s %s shares %d restart%s%s among %d pods: restartPolicy OnFailure adds up the restarts of all of them", [
		input.kind,
		input.name,
		_limit,
		{true: "", false: "s"}[_limit == 1],
		_default,
		_pods,
	]),
	"effect": sprintf("a fault that fails each pod once ends the Job at restart %d, and kills what the other pods have done", [_limit]),
	"fixes": [{
		"title": "allow each pod 3 restarts, or give each index a limit of its own with restartPolicy Never",
		"safety": "display",
		"suggestion": lib.job_spec(input, {"parallelism": input.job.parallelism.value, "backoffLimit": 3 * _pods}),
	}],
} if {
	input.job.set
	input.restart_policy == "OnFailure"
	input.job.pods.known
	input.job.backoff_limit.known
	_limit > 0
	_pods > 1
	_pods > _limit
	not input.fragment
}

_limit := input.job.backoff_limit.value

_pods := input.job.pods.value

_field := "backoffLimit" if {
	input.job.backoff_limit.set
} else := "parallelism"

_default := "" if {
	input.job.backoff_limit.set
} else := " (the default backoffLimit)"
