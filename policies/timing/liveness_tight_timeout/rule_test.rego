package policies.timing.liveness_tight_timeout_test

import data.policies.timing.liveness_tight_timeout as rule

workload(probe) := {"fragment": false, "containers": [{"name": "broker", "image": "", "type": "app", "probes": [object.union(
	{
		"type": "liveness",
		"field": "livenessProbe",
		"path": ["spec", "livenessProbe"],
		"handler": "exec",
		"restarts": true,
		"known": true,
		"period": 10,
		"timeout": 1,
		"failure_threshold": 3,
		"written": [],
		"targets": [],
		"launch": {"program": "rabbitmq-diagnostics", "runtime": "erlang"},
		"never_fails": false,
	},
	probe,
)]}]}

native := {"program": "", "runtime": ""}

database := {"host": "orders-db", "port": "5432", "place": "service", "remote": true, "dependency": "PostgreSQL", "via": "pg_isready"}

test_a_virtual_machine_in_the_default_second_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "timeoutSeconds"],
		"message": concat("", [
			`liveness of container "broker" fails when rabbitmq-diagnostics, which starts an Erlang VM each time, `,
			"takes longer than 1 s (the default of timeoutSeconds)",
		]),
		"effect": "3 slow answers in a row restart the container, even if every answer would have been right",
		"container": "broker",
		"fixes": [{
			"title": "give the command time for a busy node",
			"safety": "display",
			"suggestion": {"livenessProbe": {"timeoutSeconds": 10}},
		}],
	}} with input as workload({})
}

test_a_written_second_is_found if {
	some finding in rule.findings with input as workload({
		"written": ["timeoutSeconds"],
		"launch": {"program": "mongosh", "runtime": "node"},
		"failure_threshold": 1,
		"period": 3,
	})
	finding.message == `liveness of container "broker" fails when mongosh, which starts Node.js each time, takes longer than 1 s`
	finding.effect == "one slow answer restarts the container, even if every answer would have been right"
	finding.fixes[0].suggestion == {"livenessProbe": {"timeoutSeconds": 5, "periodSeconds": 5}}
}

test_startup_is_judged if {
	some finding in rule.findings with input as workload({"type": "startup", "field": "startupProbe"})
	startswith(finding.message, `startup of container "broker" fails when`)
}

test_a_call_of_another_machine_is_found if {
	some finding in rule.findings with input as workload({"launch": native, "targets": [database]})
	finding.message == concat("", [
		`liveness of container "broker" fails when the call of pg_isready to orders-db:5432 `,
		"takes longer than 1 s (the default of timeoutSeconds)",
	])
}

test_a_dependency_without_an_address_is_named if {
	broker := object.union(database, {"host": "", "port": "", "dependency": "the message broker", "via": "celery"})
	some finding in rule.findings with input as workload({"launch": native, "targets": [broker]})
	contains(finding.message, "the call of celery to the message broker takes")
}

test_a_target_without_any_name_is_another_machine if {
	somebody := object.union(database, {"host": "", "port": "", "dependency": ""})
	some finding in rule.findings with input as workload({"launch": native, "targets": [somebody]})
	contains(finding.message, "the call of pg_isready to another machine takes")
}

test_a_native_client_of_the_own_server_is_none if {
	own := object.union(database, {"host": "127.0.0.1", "place": "self", "remote": false})
	rule.findings == set() with input as workload({"launch": native, "targets": [own]})
}

test_a_file_is_none if {
	rule.findings == set() with input as workload({"launch": native})
}

test_two_seconds_are_none if {
	rule.findings == set() with input as workload({"timeout": 2})
}

test_templated_timings_are_none if {
	rule.findings == set() with input as workload({"known": false})
}

test_readiness_restarts_nothing if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false})
}

test_a_request_is_none if {
	rule.findings == set() with input as workload({"handler": "httpGet"})
}

test_a_tolerated_call_still_takes_its_time if {
	count(rule.findings) == 1 with input as workload({"launch": native, "targets": [database], "never_fails": true})
}

test_a_patch_does_not_say_everything if {
	rule.findings == set() with input as object.union(workload({}), {"fragment": true})
}
