# METADATA
# title: CronJob that starts the next Job while the last one hangs
# description: |
#   With concurrencyPolicy Allow, the default, a CronJob starts a Job at every slot of its schedule, whatever became
#   of the ones before. Without activeDeadlineSeconds a Job whose dependency hangs, or whose image cannot be pulled,
#   never ends, and a Job that fails goes on retrying: 6 retries take ten minutes of delays alone. A schedule more
#   frequent than hourly then piles up Jobs for as long as the fault lasts, and all of them turn to the dependency
#   when it comes back.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#concurrency-policy
#   description: Allow, Forbid and Replace
# - ref: https://github.com/kubernetes/kubernetes/issues/76570
#   description: Jobs that pile up without bound
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [job]
#   kinds: [CronJob]
#   aliases: []
#   fix: display
package policies.restarts.cronjob_pileup

findings contains {
	"path": ["spec", "concurrencyPolicy"],
	"message": sprintf("CronJob %s starts a Job %s while earlier ones may still run: concurrencyPolicy is Allow, and no Job has a deadline", [
		input.name,
		_often,
	]),
	"effect": sprintf("while a dependency hangs, up to %d Jobs%s pile up in a day, and all of them go on when it comes back", [
		input.job.cron.per_day,
		_pods,
	]),
	"fixes": [{
		"title": "skip a start while the last Job runs, and end a Job that hangs",
		"safety": "display",
		"suggestion": {"spec": {
			"concurrencyPolicy": "Forbid",
			"jobTemplate": {"spec": {"activeDeadlineSeconds": max([600, 2 * input.job.cron.every])}},
		}},
	}],
} if {
	input.job.cron.set
	input.job.cron.concurrency_policy == "Allow"
	input.job.cron.known
	input.job.cron.per_day > 24
	not input.job.cron.suspended
	not input.job.deadline.set
	not input.fragment
}

_often := "every minute" if {
	input.job.cron.every == 60
} else := sprintf("every %d min", [input.job.cron.every / 60]) if {
	input.job.cron.every % 60 == 0
} else := sprintf("every %d s", [input.job.cron.every])

_pods := sprintf(" of %d pods", [input.job.pods.value]) if {
	input.job.pods.value > 1
} else := ""
