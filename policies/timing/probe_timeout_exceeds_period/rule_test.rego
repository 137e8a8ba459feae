package policies.timing.probe_timeout_exceeds_period_test

import data.policies.timing.probe_timeout_exceeds_period as rule

workload(container, probe) := {"fragment": false, "containers": [object.union(
	{"name": "ledger", "image": "", "type": "app", "probes": [object.union(
		{
			"type": "liveness",
			"field": "livenessProbe",
			"path": ["spec", "livenessProbe"],
			"handler": "httpGet",
			"overlaps": true,
			"period": 10,
			"timeout": 30,
			"failure_threshold": 3,
			"written": ["periodSeconds", "timeoutSeconds"],
			"budget": {"harmless": 20, "earliest": 90, "latest": 100},
		},
		probe,
	)]},
	container,
)]}

test_a_timeout_of_three_periods_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "timeoutSeconds"],
		"message": `liveness of container "ledger" waits up to 30 s for an answer but is due every 10 s`,
		"effect": "hanging probes run back to back, so it gives up 90–100 s after the target hangs, not 20–30 s",
		"container": "ledger",
		"fixes": [{
			"title": "keep the time to a verdict and let a probe end before the next is due",
			"safety": "display",
			"suggestion": {"livenessProbe": {"periodSeconds": 30, "timeoutSeconds": 29, "failureThreshold": 3}},
		}],
	}} with input as workload({}, {})
}

test_the_default_period_is_named if {
	some finding in rule.findings with input as workload({}, {"written": ["timeoutSeconds"]})
	endswith(finding.message, "is due every 10 s (the default of periodSeconds)")
}

test_the_written_key_is_marked if {
	some finding in rule.findings with input as workload({}, {"written": ["periodSeconds"]})
	finding.path == ["spec", "livenessProbe", "periodSeconds"]
}

test_readiness_and_sidecars_are_judged if {
	count(rule.findings) == 1 with input as workload({"type": "sidecar"}, {"type": "readiness", "field": "readinessProbe"})
}

test_a_timeout_of_one_period_is_none if {
	rule.findings == set() with input as workload({}, {"timeout": 10, "overlaps": false})
}

test_no_handler_is_none if {
	rule.findings == set() with input as workload({}, {"handler": ""})
}

test_an_init_container_cannot_have_probes if {
	rule.findings == set() with input as workload({"type": "init"}, {})
}

test_a_patch_does_not_say_everything if {
	rule.findings == set() with input as object.union(workload({}, {}), {"fragment": true})
}
