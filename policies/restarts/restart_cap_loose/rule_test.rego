package policies.restarts.restart_cap_loose_test

import data.policies.restarts.restart_cap_loose as rule

absent := {"set": false, "type": "absent", "number": 0, "text": ""}

number(n) := {"set": true, "type": "number", "number": n, "text": sprintf("%v", [n])}

text(word) := {"set": true, "type": "string", "number": 0, "text": word}

unknown := {"set": true, "type": "unknown", "number": 0, "text": "${X}"}

policy(most, window) := {
	"shape": "map", "path": ["restart_policy"], "name": "",
	"max_restarts_per_window": most, "window_seconds": window,
	"on_limit_exceeded": text("hold"), "min_healthy_fraction": number(0.5),
	"applies_to": {
		"set": true, "kind": "Deployment", "name": "kiosk", "namespace": "", "found": true,
		"replicas": {"known": true, "value": 8, "from": "replicas"},
	},
}

finding(field, message, interval) := {
	"path": ["restart_policy", field],
	"message": message,
	"effect": sprintf(
		"a check that fails for a reason outside the process restarts all 8 replicas of Deployment kiosk about every %d s, and each restart adds load",
		[interval],
	),
	"fixes": [{
		"title": "allow 3 restarts in 300 s",
		"safety": "display",
		"suggestion": {"restart_policy": {
			"max_restarts_per_window": 3, "window_seconds": 300, "on_limit_exceeded": "hold", "min_healthy_fraction": 0.5,
			"applies_to": {"kind": "Deployment", "name": "kiosk"},
		}},
	}],
}

test_more_than_one_a_minute_is_found if {
	message := "restart policy allows 10 restarts in 300 s: 120 an hour for as long as a check fails"
	rule.findings == {finding("max_restarts_per_window", message, 30)} with input as policy(number(10), number(300))
}

test_a_short_window_is_found if {
	message := "restart policy allows 1 restart in 45.5 s: 79 an hour for as long as a check fails"
	rule.findings == {finding("window_seconds", message, 46)} with input as policy(number(1), number(45.5))
}

test_several_a_second_are_found if {
	message := "restart policy allows 100 restarts in 10 s: 36000 an hour for as long as a check fails"
	rule.findings == {finding("window_seconds", message, 1)} with input as policy(number(100), number(10))
}

test_one_a_minute_is_none if {
	rule.findings == set() with input as policy(number(10), number(600))
}

test_a_missing_half_is_none if {
	every pair in [[absent, number(10)], [number(10), absent], [number(0), number(1)], [number(5), number(-1)]] {
		rule.findings == set() with input as policy(pair[0], pair[1])
	}
}

test_what_is_not_known_is_none if {
	every pair in [[unknown, number(10)], [number(100), unknown], [text("90"), number(60)]] {
		rule.findings == set() with input as policy(pair[0], pair[1])
	}
}

test_no_mapping_is_the_matter_of_another_rule if {
	rule.findings == set() with input as object.union(policy(number(10), number(30)), {"shape": "list"})
}
