package policies.restarts.job_retries_uncapped_test

import data.policies.restarts.job_retries_uncapped as rule

unset := {"set": false, "known": false, "value": 0}

default_of(n) := {"set": false, "known": true, "value": n}

whole(n) := {"set": true, "known": true, "value": n}

templated := {"set": true, "known": false, "value": 0}

job(fields) := object.union(
	{
		"kind": "Job", "name": "migrate", "fragment": false, "restart_policy": "Never",
		"job": {
			"set": true, "path": ["spec"], "deadline": unset, "backoff_limit": default_of(6), "back_off": 630,
			"backoff_limit_per_index": unset, "max_failed_indexes": unset, "completions": unset,
		},
	},
	fields,
)

retries(n, seconds) := {"job": {"backoff_limit": whole(n), "back_off": seconds}}

finding(n, time) := {
	"path": ["spec", "backoffLimit"],
	"message": sprintf("Job migrate retries %d times before it gives up, and has no deadline", [n]),
	"effect": sprintf("while it fails for a reason outside, it goes on for %s: the delays between the retries alone add up to that", [time]),
	"fixes": [{
		"title": "go back to the default, and set a deadline where that is too few",
		"safety": "display",
		"suggestion": {"spec": {"backoffLimit": 6}},
	}],
}

test_a_hundred_retries_are_found if {
	rule.findings == {finding(100, "16 h")} with input as job(retries(100, 57030))
	rule.findings == {finding(1000, "7 days")} with input as job(retries(1000, 597030))
}

test_over_twenty_restarts_in_place_are_found if {
	rule.findings == {finding(21, "82 min")} with input as object.union(job(retries(21, 4910)), {"restart_policy": "OnFailure"})
}

per_index := {"job": {"backoff_limit_per_index": whole(5), "backoff_limit": default_of(2147483647)}}

index_finding(tries, tenth) := {
	"path": ["spec", "backoffLimitPerIndex"],
	"message": concat("", [
		"Job migrate retries each index 5 times and never gives up as a whole: ",
		"maxFailedIndexes is missing, so backoffLimit becomes 2147483647",
	]),
	"effect": sprintf("a fault that all indexes share is tried %s", [tries]),
	"fixes": [{
		"title": "end the Job when a tenth of its indexes have failed",
		"safety": "display",
		"suggestion": {"spec": {"backoffLimitPerIndex": 5, "maxFailedIndexes": tenth}},
	}],
}

test_a_limit_per_index_alone_is_found if {
	want := {index_finding("3000 times: 500 indexes, 6 tries each", 50)}
	rule.findings == want with input as job(object.union(per_index, {"job": {"completions": whole(500)}}))
	rule.findings == {index_finding("6 times for every index", 1)} with input as job(per_index)
}

test_a_limit_per_index_means_nothing_in_place if {
	rule.findings == {{
		"path": ["spec", "jobTemplate", "spec", "backoffLimitPerIndex"],
		"message": concat("", [
			"CronJob migrate restarts its containers without end: with restartPolicy OnFailure no index ever fails, ",
			"and backoffLimitPerIndex makes backoffLimit 2147483647",
		]),
		"effect": "while it fails for a reason outside, every pod is restarted every 300 s for as long as that lasts",
		"fixes": [{
			"title": "limit the restarts of the Job as a whole",
			"safety": "display",
			"suggestion": {"spec": {"jobTemplate": {"spec": {"backoffLimit": 6}}}},
		}],
	}} with input as object.union(job(per_index), {
		"kind": "CronJob", "restart_policy": "OnFailure", "job": {"path": ["spec", "jobTemplate", "spec"], "max_failed_indexes": whole(3)},
	})
}

test_usual_limits_are_none if {
	rule.findings == set() with input as job({})
	rule.findings == set() with input as job(retries(99, 56430))
	rule.findings == set() with input as object.union(job(retries(20, 4610)), {"restart_policy": "OnFailure"})
	rule.findings == set() with input as job(object.union(per_index, {"job": {"max_failed_indexes": whole(3)}}))
}

test_a_deadline_is_a_cap if {
	every deadline in [whole(3600), templated] {
		rule.findings == set() with input as job(object.union(retries(1000, 597030), {"job": {"deadline": deadline}}))
	}
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as job({"job": {"backoff_limit": templated}})
	rule.findings == set() with input as job({"job": {"backoff_limit_per_index": templated}})
	rule.findings == set() with input as object.union(job(retries(1000, 597030)), {"fragment": true})
	rule.findings == set() with input as job(object.union(retries(1000, 597030), {"job": {"set": false}}))
}
