package policies.probes.probe_never_fails_test

import data.policies.probes.probe_never_fails as rule

workload(container, probe) := {"containers": [object.union(
	{"name": "portal", "type": "app", "probes": [object.union(
		{
			"type": "liveness",
			"field": "livenessProbe",
			"path": ["spec", "livenessProbe"],
			"handler": "exec",
			"command": ["true"],
			"never_fails": true,
			"blind_curl": "",
			"targets": [],
			"known": true,
			"timeout": 2,
		},
		probe,
	)]},
	container,
)]}

test_true_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "exec", "command"],
		"message": `liveness of container "portal" succeeds whatever happens (true)`,
		"effect": "this check never restarts the container, however broken it is",
		"container": "portal",
		"fixes": [{
			"title": "remove livenessProbe, or let it ask something that can fail",
			"safety": "display",
		}],
	}} with input as workload({}, {})
}

test_a_long_command_is_cut if {
	command := ["sh", "-c", "wget -q -O /dev/null http://localhost:8080/internal/health/details || true"]
	server := [{"host": "localhost"}]
	some finding in rule.findings with input as workload({}, {"type": "readiness", "command": command, "targets": server})
	finding.message == concat("", [
		`readiness of container "portal" succeeds whatever the answer (`,
		"sh -c wget -q -O /dev/null http://localhost:8080/internal…)",
	])
	finding.effect == "only a call that hangs for more than 2 s fails it; a server that is down passes"
}

test_a_templated_timeout_has_no_number if {
	some finding in rule.findings with input as workload({}, {"known": false, "targets": [{"host": "localhost"}]})
	finding.effect == "only a call that hangs until the timeout fails it; a server that is down passes"
}

test_curl_that_leaves_the_status_out_is_found if {
	command := ["curl", "-s", "http://localhost:8080/health"]
	rule.findings == {{
		"path": ["spec", "livenessProbe", "exec", "command"],
		"message": concat("", [
			`liveness of container "portal" succeeds whatever status http://localhost:8080/health answers: `,
			"curl without --fail exits 0 for a 500 too",
		]),
		"effect": "only a connection that fails or hangs counts; a process that answers with errors is never restarted",
		"container": "portal",
		"fixes": [{
			"title": "let curl judge the status",
			"safety": "display",
			"suggestion": {"livenessProbe": {"exec": {"command": ["curl", "--fail", "-s", "http://localhost:8080/health"]}}},
		}],
	}} with input as workload({}, {"never_fails": false, "command": command, "blind_curl": "http://localhost:8080/health"})
}

test_curl_in_a_shell_is_mended_there if {
	command := ["sh", "-c", "curl -s localhost"]
	some finding in rule.findings with input as workload({}, {"never_fails": false, "command": command, "blind_curl": "localhost"})
	finding.fixes[0].suggestion == {"livenessProbe": {"exec": {"command": ["sh", "-c", "curl --fail -s localhost"]}}}
}

test_one_command_is_one_finding if {
	count(rule.findings) == 1 with input as workload({}, {"blind_curl": "localhost"})
}

test_a_check_that_can_fail_is_none if {
	rule.findings == set() with input as workload({}, {"never_fails": false})
}

test_an_init_container_cannot_have_probes if {
	rule.findings == set() with input as workload({"type": "init"}, {"blind_curl": "localhost"})
}

reporting := {
	"asked": "/status",
	"product": "Kong gateway",
	"verdict": "reports-only",
	"decides": "the state is in the body",
	"evidence": 0,
}

request := {
	"type": "readiness",
	"handler": "httpGet",
	"host": "",
	"command": [],
	"never_fails": false,
	"endpoint": reporting,
}

test_readiness_on_an_endpoint_that_only_reports_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "httpGet", "path"],
		"message": `readiness of container "portal" asks /status, where Kong gateway answers with success whatever it reports`,
		"effect": "the state is in the body, so only a server that does not answer fails it",
		"evidence": [0],
		"container": "portal",
		"fixes": [{
			"title": "ask an endpoint whose status says whether the replica can serve",
			"safety": "display",
		}],
	}} with input as workload({}, request)
}

test_an_endpoint_without_a_trace_is_found if {
	some finding in rule.findings with input as workload({}, object.union(request, {"endpoint": {"evidence": -1}}))
	finding.evidence == []
}

test_liveness_may_ask_an_endpoint_that_only_reports if {
	rule.findings == set() with input as workload({}, object.union(request, {"type": "liveness"}))
}

test_an_endpoint_that_answers_with_its_state_is_none if {
	rule.findings == set() with input as workload({}, object.union(request, {"endpoint": {"verdict": "no"}}))
}
