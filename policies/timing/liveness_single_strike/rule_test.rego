package policies.timing.liveness_single_strike_test

import data.policies.timing.liveness_single_strike as rule

workload(probe) := {"containers": [{"name": "triage", "type": "app", "probes": [object.union(
	{
		"type": "liveness",
		"field": "livenessProbe",
		"path": ["spec", "livenessProbe"],
		"handler": "httpGet",
		"restarts": true,
		"initial_delay": 10,
		"period": 10,
		"timeout": 2,
		"failure_threshold": 1,
		"known": true,
	},
	probe,
)]}]}

test_one_strike_of_liveness_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "failureThreshold"],
		"message": `liveness of container "triage" restarts it after a single failed probe (failureThreshold: 1)`,
		"effect": "one probe that is refused or takes longer than 2 s restarts the container",
		"container": "triage",
		"fixes": [{
			"title": "give it three strikes",
			"safety": "display",
			"suggestion": {"livenessProbe": {"periodSeconds": 10, "failureThreshold": 3}},
		}],
	}} with input as workload({})
}

test_a_long_period_is_cut_in_three if {
	some finding in rule.findings with input as workload({"period": 50})
	finding.fixes[0].suggestion == {"livenessProbe": {"periodSeconds": 17, "failureThreshold": 3}}
}

test_startup_with_one_long_probe_is_found_once if {
	rule.findings == {{
		"path": ["spec", "startupProbe", "failureThreshold"],
		"message": `startup of container "triage" restarts it after a single failed probe (failureThreshold: 1)`,
		"effect": "the first probe, within 20 s of the start, has to succeed within 300 s, or the container is restarted",
		"container": "triage",
		"fixes": [{
			"title": "give it three strikes",
			"safety": "display",
			"suggestion": {"startupProbe": {"periodSeconds": 10, "failureThreshold": 3}},
		}],
	}} with input as workload({
		"type": "startup", "field": "startupProbe", "path": ["spec", "startupProbe"], "timeout": 300,
	})
}

test_templated_timings_give_no_numbers if {
	some finding in rule.findings with input as workload({"known": false})
	finding.effect == "one probe that is refused or takes too long restarts the container"
}

test_two_strikes_are_none if {
	rule.findings == set() with input as workload({"failure_threshold": 2})
}

test_the_default_is_none if {
	rule.findings == set() with input as workload({"failure_threshold": 3})
}

test_readiness_restarts_nothing if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false})
}

test_a_probe_without_a_handler_is_a_patch_or_another_mistake if {
	rule.findings == set() with input as workload({"handler": ""})
}

compose(health, actor) := {"subject": "compose", "services": [{
	"name": "till",
	"actor": object.union({"name": "autoheal", "confidence": "certain"}, actor),
	"health": object.union(
		{"path": ["services", "till", "healthcheck"], "own": true, "known": true, "disabled": false, "retries": 1, "timeout": 5},
		health,
	),
}]}

test_one_strike_of_a_healthcheck_that_something_acts_on_is_found if {
	rule.findings == {{
		"path": ["services", "till", "healthcheck", "retries"],
		"message": `healthcheck of service "till" makes autoheal act after a single failed check (retries: 1)`,
		"effect": "one check that fails or takes longer than 5 s restarts the container",
		"confidence": "certain",
		"container": "till",
		"fixes": [{
			"title": "give it three strikes",
			"safety": "display",
			"suggestion": {"services": {"till": {"healthcheck": {"retries": 3}}}},
		}],
	}} with input as compose({}, {})
}

test_a_healthcheck_that_only_marks_the_container_is_none if {
	rule.findings == set() with input as compose({}, {"name": "", "confidence": ""})
}

test_two_retries_are_none if {
	rule.findings == set() with input as compose({"retries": 2}, {})
}

test_a_healthcheck_of_another_file_or_none_or_unknown_is_none if {
	rule.findings == set() with input as compose({"own": false}, {})
	rule.findings == set() with input as compose({"disabled": true}, {})
	rule.findings == set() with input as compose({"known": false}, {})
}
