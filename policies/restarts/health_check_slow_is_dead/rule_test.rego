package policies.restarts.health_check_slow_is_dead_test

import data.policies.restarts.health_check_slow_is_dead as rule

absent := {"set": false, "type": "absent", "number": 0, "text": ""}

number(n) := {"set": true, "type": "number", "number": n, "text": sprintf("%v", [n])}

text(word) := {"set": true, "type": "string", "number": 0, "text": word}

unknown := {"set": true, "type": "unknown", "number": 0, "text": "${X}"}

policy(fields) := {
	"shape": "map", "path": ["restart_policy"],
	"applies_to": {"set": false, "kind": "", "name": "", "found": false, "replicas": {"known": false, "value": 0, "from": ""}},
	"health_check": object.union(
		{
			"set": true, "path": ["health_check"], "timeout_ms": number(500), "failure_threshold": number(5),
			"reset_after_s": number(30), "on_unhealthy": text("shed_load"), "depends_on": [],
		},
		fields,
	),
}

written(fields) := {"health_check": object.union(
	{"timeout_ms": 500, "failure_threshold": 5, "reset_after_s": 30, "on_unhealthy": "shed_load"},
	fields,
)}

first(n) := {
	"path": ["health_check", "failure_threshold"],
	"message": sprintf("health_check acts on the first failed check: failure_threshold is %d", [n]),
	"effect": "one slow answer makes an instance unhealthy",
	"fixes": [{"title": "act after several failures in a row", "safety": "display", "suggestion": written({})}],
}

test_one_failure_is_found if {
	every n in [1, 0, -3] {
		rule.findings == {first(n)} with input as policy({"failure_threshold": number(n)})
	}
}

test_the_workload_is_named if {
	named := {"applies_to": {"set": true, "kind": "Deployment", "name": "kiosk"}}
	some found in rule.findings with input as object.union(policy({"failure_threshold": number(1)}), named)
	found.effect == "one slow answer makes a replica of Deployment kiosk unhealthy"
}

test_gaps_are_one_finding if {
	rule.findings == {{
		"path": ["health_check"],
		"message": "health_check sets no failure_threshold and no timeout_ms and no reset_after_s",
		"effect": concat("; ", [
			"how many failures make an instance unhealthy is left to what reads the check",
			"a check that hangs never fails, or fails when something else gives up",
			"failures add up over days, however long ago the last one was",
		]),
		"fixes": [{
			"title": "set failure_threshold and timeout_ms and reset_after_s",
			"safety": "display",
			"suggestion": written({}),
		}],
	}} with input as policy({"failure_threshold": absent, "timeout_ms": {"set": true, "type": "null", "text": ""}, "reset_after_s": absent})
}

test_restarting_for_a_dependency_is_an_error if {
	rule.findings == {{
		"path": ["health_check", "on_unhealthy"],
		"severity": "error",
		"message": concat("", [
			"health_check restarts an instance when orders-db or sessions fails: ",
			`on_unhealthy is "Restart-Instance", and depends_on names orders-db or sessions`,
		]),
		"effect": "an outage of orders-db or sessions restarts every instance, which brings none of them back and adds load",
		"fixes": [{
			"title": "shed load instead of restarting",
			"safety": "display",
			"suggestion": written({"timeout_ms": "${X}", "depends_on": ["orders-db", "sessions"]}),
		}],
	}} with input as policy({
		"on_unhealthy": text("Restart-Instance"), "depends_on": ["orders-db", "sessions"], "timeout_ms": unknown,
	})
}

test_restarting_for_the_instance_is_none if {
	rule.findings == set() with input as policy({"on_unhealthy": text("restart")})
}

test_shedding_load_for_a_dependency_is_none if {
	rule.findings == set() with input as policy({"depends_on": ["orders-db"]})
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as policy({
		"on_unhealthy": unknown, "depends_on": ["orders-db"], "failure_threshold": unknown, "timeout_ms": unknown,
	})
}

test_no_check_is_none if {
	rule.findings == set() with input as policy({"set": false, "failure_threshold": number(1), "timeout_ms": absent})
}
