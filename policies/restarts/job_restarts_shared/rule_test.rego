package policies.restarts.job_restarts_shared_test

import data.policies.restarts.job_restarts_shared as rule

unset := {"set": false, "known": false, "value": 0}

default_of(n) := {"set": false, "known": true, "value": n}

whole(n) := {"set": true, "known": true, "value": n}

templated := {"set": true, "known": false, "value": 0}

job(pods, limit, fields) := object.union(
	{
		"kind": "Job", "name": "tiles", "fragment": false, "restart_policy": "OnFailure",
		"job": {"set": true, "path": ["spec"], "pods": pods, "parallelism": pods, "backoff_limit": limit},
	},
	fields,
)

finding(field, shared, last, spec) := {
	"path": ["spec", field],
	"message": sprintf("Job tiles shares %s: restartPolicy OnFailure adds up the restarts of all of them", [shared]),
	"effect": sprintf("a fault that fails each pod once ends the Job at restart %d, and kills what the other pods have done", [last]),
	"fixes": [{
		"title": "allow each pod 3 restarts, or give each index a limit of its own with restartPolicy Never",
		"safety": "display",
		"suggestion": {"spec": spec},
	}],
}

test_the_default_for_many_pods_is_found if {
	shared := "6 restarts (the default backoffLimit) among 20 pods"
	want := {finding("parallelism", shared, 6, {"parallelism": 20, "backoffLimit": 60})}
	rule.findings == want with input as job(whole(20), default_of(6), {})
}

test_a_written_limit_is_found if {
	want := {finding("backoffLimit", "1 restart among 2 pods", 1, {"parallelism": 2, "backoffLimit": 6})}
	rule.findings == want with input as job(whole(2), whole(1), {})
}

test_enough_restarts_are_none if {
	rule.findings == set() with input as job(whole(6), default_of(6), {})
	rule.findings == set() with input as job(whole(20), whole(60), {})
}

test_one_pod_and_failing_at_once_are_none if {
	rule.findings == set() with input as job(default_of(1), whole(0), {})
	rule.findings == set() with input as job(whole(20), whole(0), {})
}

test_new_pods_are_none if {
	rule.findings == set() with input as job(whole(20), default_of(6), {"restart_policy": "Never"})
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as job(templated, default_of(6), {})
	rule.findings == set() with input as job(whole(20), templated, {})
	rule.findings == set() with input as job(whole(20), whole(6), {"fragment": true})
	rule.findings == set() with input as job(whole(20), whole(6), {"job": {"set": false}})
}
