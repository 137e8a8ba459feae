package policies.timing.liveness_delayed_by_guess_test

import data.policies.timing.liveness_delayed_by_guess as rule

live := {
	"type": "liveness",
	"path": ["spec", "livenessProbe"],
	"handler": "tcpSocket",
	"restarts": true,
	"known": true,
	"host": "",
	"port": {"name": "web", "known": true},
	"initial_delay": 120,
	"period": 10,
	"timeout": 5,
	"failure_threshold": 3,
	"success_threshold": 1,
	"written": ["initialDelaySeconds", "timeoutSeconds"],
	"budget": {"harmless": 20, "earliest": 25, "latest": 35},
}

workload(probe) := {"fragment": false, "containers": [{"name": "wiki", "image": "", "type": "app", "probes": [object.union(live, probe)]}]}

test_two_minutes_are_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "initialDelaySeconds"],
		"message": `liveness of container "wiki" checks nothing for the first 120 s of every start, and there is no startupProbe`,
		"effect": "a container that never comes up is restarted only 140–155 s after its start",
		"container": "wiki",
		"fixes": [{
			"title": "let a startupProbe wait up to 160 s, and drop initialDelaySeconds from liveness",
			"safety": "display",
			"suggestion": {
				"startupProbe": {
					"tcpSocket": {"port": "web"},
					"periodSeconds": 10,
					"failureThreshold": 16,
					"timeoutSeconds": 5,
				},
				"livenessProbe": {"tcpSocket": {"port": "web"}, "timeoutSeconds": 5},
			},
		}],
	}} with input as workload({})
}

test_a_life_that_outlasts_the_back_off_is_said if {
	some finding in rule.findings with input as workload({"initial_delay": 300, "written": ["initialDelaySeconds"]})
	finding.effect == concat("", [
		"a container that never comes up is restarted only 320–335 s after its start; ",
		"each life outlasts the cap of CrashLoopBackOff (300 s), ",
		"so a container that never comes up is restarted without any delay, for ever",
	])
	not finding.fixes[0].suggestion.startupProbe.timeoutSeconds
}

test_an_unknown_port_leaves_the_suggestion_out if {
	some finding in rule.findings with input as workload({"port": {"name": "", "known": false}})
	finding.fixes == [{
		"title": "let a startupProbe wait up to 160 s, and drop initialDelaySeconds from liveness",
		"safety": "display",
	}]
}

test_a_check_of_something_else_is_not_offered_as_a_start_check if {
	title := "let a startupProbe wait up to 160 s, and drop initialDelaySeconds from liveness"
	some remote in rule.findings with input as workload({"targets": [{"remote": true, "decides": true}]})
	remote.fixes == [{"title": title, "safety": "display"}]
	some endpoint in rule.findings with input as workload({"endpoint": {"depends": "yes"}})
	endpoint.fixes == [{"title": title, "safety": "display"}]
}

test_a_minute_is_found if {
	count(rule.findings) == 1 with input as workload({"initial_delay": 60})
}

test_less_than_a_minute_is_none if {
	rule.findings == set() with input as workload({"initial_delay": 59})
}

test_readiness_is_none if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false})
}

test_templated_timings_are_none if {
	rule.findings == set() with input as workload({"known": false})
}

test_no_handler_is_none if {
	rule.findings == set() with input as workload({"handler": ""})
}

test_a_patch_is_none if {
	rule.findings == set() with input as object.union(workload({}), {"fragment": true})
}

test_an_init_container_is_none if {
	rule.findings == set() with input as workload({"restarts": false})
}

test_a_startup_probe_is_enough if {
	rule.findings == set() with input as {"fragment": false, "containers": [{
		"name": "wiki", "type": "app", "probes": [live, {"type": "startup"}],
	}]}
}
