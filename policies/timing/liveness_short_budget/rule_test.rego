package policies.timing.liveness_short_budget_test

import data.policies.timing.liveness_short_budget as rule

workload(probe) := {"fragment": false, "kind": "Deployment", "class": "service", "replicas": {"known": true, "value": 3, "from": "replicas"}, "containers": [{"name": "matcher", "image": "", "type": "app", "probes": [object.union(
	{
		"type": "liveness",
		"field": "livenessProbe",
		"path": ["spec", "livenessProbe"],
		"handler": "httpGet",
		"restarts": true,
		"known": true,
		"period": 2,
		"timeout": 1,
		"failure_threshold": 3,
		"budget": {"harmless": 4, "fatal": 6, "earliest": 5, "latest": 7, "spread": 2},
		"never_fails": false,
	},
	probe,
)]}]}

test_seven_seconds_are_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "periodSeconds"],
		"message": `liveness of container "matcher" gives up 5–7 s after it stops answering (3 × 2 s, timeout 1 s)`,
		"effect": "a pause of 7 s restarts the container for certain; one in all replicas restarts all within 2 s of each other",
		"container": "matcher",
		"fixes": [{
			"title": "allow for a pause of half a minute",
			"safety": "display",
			"suggestion": {"livenessProbe": {"periodSeconds": 2, "timeoutSeconds": 1, "failureThreshold": 16}},
		}],
	}} with input as workload({})
}

test_ten_seconds_are_found if {
	count(rule.findings) == 1 with input as workload({"budget": {"earliest": 7, "latest": 10, "spread": 3}})
}

test_eleven_seconds_are_none if {
	rule.findings == set() with input as workload({"budget": {"earliest": 1, "latest": 11, "spread": 10}})
}

test_startup_is_none if {
	rule.findings == set() with input as workload({"type": "startup"})
}

test_readiness_is_none if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false})
}

test_liveness_of_an_init_container_is_invalid if {
	rule.findings == set() with input as workload({"restarts": false})
}

test_templated_timings_are_none if {
	rule.findings == set() with input as workload({"known": false, "budget": {"earliest": 0, "latest": 0, "spread": 0}})
}

test_a_patch_of_timings_is_none if {
	rule.findings == set() with input as workload({"handler": ""})
}

test_a_check_that_cannot_fail_is_none if {
	rule.findings == set() with input as workload({"never_fails": true})
}

test_a_patch_does_not_say_everything if {
	rule.findings == set() with input as object.union(workload({}), {"fragment": true})
}

test_what_has_no_others_restarts_alone if {
	alone := "a pause of 7 s restarts the container for certain"
	every fields in [
		{"kind": "Pod"},
		{"class": "batch"},
		{"replicas": {"known": true, "value": 1, "from": "default"}},
	] {
		some finding in rule.findings with input as object.union(workload({}), fields)
		finding.effect == alone
	}
}
