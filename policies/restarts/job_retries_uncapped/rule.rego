# METADATA
# title: Job that retries nearly without end
# description: |
#   A Job is the one workload of Kubernetes with a cap on restarts, backoffLimit (6 by default). At 100 and more it
#   caps nothing that anybody waits for: the delays between the retries (10 s, doubled, up to 600 s for new pods and
#   300 s for restarts in place) add up to 8 h and more, during which a broken Job asks its dependencies again and
#   again. With restartPolicy OnFailure that holds from 20 on, since restarts are in place and leave no failed pod
#   behind to see. With backoffLimitPerIndex the limit of the whole Job becomes 2147483647, and only maxFailedIndexes
#   ends it early. activeDeadlineSeconds, which wins over all of these, makes it a cap again.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy
#   description: backoffLimit and the delays between retries
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/#backoff-limit-per-index
#   description: backoffLimitPerIndex and maxFailedIndexes
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [job]
#   kinds: [Job, CronJob]
#   aliases: []
#   fix: display
package policies.restarts.job_retries_uncapped

import data.policies.lib

findings contains {
	"path": array.concat(input.job.path, [gap.field]),
	"message": sprintf("%s %s %s", [input.kind, input.name, gap.reason]),
	"effect": gap.effect,
	"fixes": [{"title": gap.title, "safety": "display", "suggestion": lib.job_spec(input, gap.fields)}],
} if {
	input.job.set
	not input.job.deadline.set
	not input.fragment
	some gap in _gaps
}

_gaps contains {
	"field": "backoffLimit",
	"reason": sprintf("retries %d times before it gives up, and has no deadline", [_limit]),
	"effect": sprintf("while it fails for a reason outside, it goes on for %s: the delays between the retries alone add up to that", [
		_time(input.job.back_off),
	]),
	"title": "go back to the default, and set a deadline where that is too few",
	"fields": {"backoffLimit": 6},
} if {
	input.job.backoff_limit.set
	input.job.backoff_limit.known
	_limit >= _many
	not input.job.backoff_limit_per_index.set
}

_gaps contains {
	"field": "backoffLimitPerIndex",
	"reason": sprintf("retries each index %d times and never gives up as a whole: %s", [
		_per_index.value,
		"maxFailedIndexes is missing, so backoffLimit becomes 2147483647",
	]),
	"effect": sprintf("a fault that all indexes share is tried %s", [_tries]),
	"title": "end the Job when a tenth of its indexes have failed",
	"fields": {"backoffLimitPerIndex": _per_index.value, "maxFailedIndexes": _tenth},
} if {
	_per_index.set
	_per_index.known
	not input.job.max_failed_indexes.set
	not input.job.backoff_limit.set
	input.restart_policy == "Never"
}

_gaps contains {
	"field": "backoffLimitPerIndex",
	"reason": concat("", [
		"restarts its containers without end: with restartPolicy OnFailure no index ever fails, ",
		"and backoffLimitPerIndex makes backoffLimit 2147483647",
	]),
	"effect": "while it fails for a reason outside, every pod is restarted every 300 s for as long as that lasts",
	"title": "limit the restarts of the Job as a whole",
	"fields": {"backoffLimit": 6},
} if {
	_per_index.set
	not input.job.backoff_limit.set
	input.restart_policy == "OnFailure"
}

_limit := input.job.backoff_limit.value

_per_index := input.job.backoff_limit_per_index

# _many is the limit from which a Job counts as uncapped.
_many := 21 if {
	input.restart_policy == "OnFailure"
} else := 100

_tries := sprintf("%d times: %d indexes, %d tries each", [
	input.job.completions.value * (_per_index.value + 1),
	input.job.completions.value,
	_per_index.value + 1,
]) if {
	input.job.completions.known
} else := sprintf("%d times for every index", [_per_index.value + 1])

_tenth := ceil(input.job.completions.value / 10) if {
	input.job.completions.known
} else := 1

_time(seconds) := sprintf("%d min", [round(seconds / 60)]) if {
	seconds < 7200
} else := sprintf("%d h", [round(seconds / 3600)]) if {
	seconds < 259200
} else := sprintf("%d days", [round(seconds / 86400)])
