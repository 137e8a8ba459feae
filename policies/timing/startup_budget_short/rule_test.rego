package policies.timing.startup_budget_short_test

import data.policies.timing.startup_budget_short as rule

live := {
	"type": "liveness",
	"path": ["spec", "livenessProbe"],
	"handler": "tcpSocket",
	"restarts": true,
	"known": true,
	"never_fails": false,
	"host": "",
	"port": {"name": "", "number": 8080, "known": true},
	"initial_delay": 10,
	"timeout": 2,
	"written": ["initialDelaySeconds", "timeoutSeconds"],
	"budget": {"harmless": 20, "earliest": 22, "latest": 32},
	"programs": [],
	"targets": [],
}

workload(container, probe) := {"fragment": false, "containers": [object.union(
	{
		"name": "sso",
		"image": "",
		"slow_start": {"name": "Keycloak", "work": "jvm", "from": "quay.io/keycloak/keycloak:26.0"},
		"probes": [object.union(live, probe)],
	},
	container,
)]}

test_a_slow_starter_with_half_a_minute_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe"],
		"message": concat("", [
			`liveness of container "sso" kills it 30–42 s after its start unless it answers by then, `,
			"and Keycloak (quay.io/keycloak/keycloak:26.0) can take longer, most of all with a CPU limit",
		]),
		"effect": "the next start begins the same work again, so the container may never come up",
		"container": "sso",
		"fixes": [{
			"title": "let a startupProbe wait up to 300 s for the start",
			"safety": "display",
			"suggestion": {"startupProbe": {
				"tcpSocket": {"port": 8080},
				"periodSeconds": 10,
				"failureThreshold": 30,
				"timeoutSeconds": 2,
			}},
		}],
	}} with input as workload({}, {})
}

test_an_unknown_port_leaves_the_suggestion_out if {
	some finding in rule.findings with input as workload({}, {"port": {"name": "", "number": 0, "known": false}})
	finding.fixes == [{"title": "add a startupProbe that waits up to 300 s for the start", "safety": "display"}]
}

test_a_ping_of_the_server_is_found if {
	server := [{"host": "127.0.0.1"}]
	some finding in rule.findings with input as workload(
		{"slow_start": {"name": "MySQL", "work": "recovery", "from": "mysql:9"}},
		{"handler": "exec", "command": ["mysqladmin", "ping"], "programs": ["mysqladmin"], "targets": server, "written": []},
	)
	endswith(finding.message, "and MySQL (mysql:9) replays its log first after a crash")
	not finding.fixes[0].suggestion.startupProbe.timeoutSeconds
}

test_a_look_at_the_process_passes_at_once if {
	rule.findings == set() with input as workload({}, {"handler": "exec", "programs": ["pgrep"]})
}

test_a_minute_is_none if {
	rule.findings == set() with input as workload({}, {"initial_delay": 28})
}

test_an_unknown_image_is_none if {
	rule.findings == set() with input as workload({"slow_start": {"name": "", "work": "", "from": ""}}, {})
}

test_a_startup_probe_is_enough if {
	rule.findings == set() with input as workload({"probes": [live, {"type": "startup"}]}, {})
}

test_readiness_kills_nothing if {
	rule.findings == set() with input as workload({}, {"type": "readiness", "restarts": false})
}

test_liveness_of_an_init_container_is_none if {
	rule.findings == set() with input as workload({}, {"restarts": false})
}

test_templated_timings_are_none if {
	rule.findings == set() with input as workload({}, {"known": false})
}

test_no_handler_is_none if {
	rule.findings == set() with input as workload({}, {"handler": ""})
}

test_a_check_that_cannot_fail_is_none if {
	rule.findings == set() with input as workload({}, {"never_fails": true})
}

test_a_patch_is_none if {
	rule.findings == set() with input as object.union(workload({}, {}), {"fragment": true})
}
