package policies.restarts.restart_cap_missing_test

import data.policies.restarts.restart_cap_missing as rule

absent := {"set": false, "type": "absent", "number": 0, "text": "", "unbounded": true}

number(n) := {"set": true, "type": "number", "number": n, "text": sprintf("%v", [n]), "unbounded": n <= 0}

policy(fields) := object.union(
	{
		"shape": "map",
		"path": ["restart_policy"],
		"max_restarts_per_window": number(5),
		"window_seconds": number(600),
		"on_limit_exceeded": {"set": true, "type": "string", "number": 0, "text": "page_oncall"},
		"min_healthy_fraction": number(0.7),
		"applies_to": {"set": false, "kind": "", "name": "", "found": false, "replicas": {"known": false, "value": 0}},
	},
	fields,
)

finding(path, reason, cap) := {
	"path": path,
	"message": sprintf("restart policy has no cap: %s", [reason]),
	"effect": concat("", [
		"a check that fails for a reason outside the process restarts every instance again and again, ",
		"for as long as the reason lasts",
	]),
	"fixes": [{
		"title": "cap the restarts per window",
		"safety": "display",
		"suggestion": {"restart_policy": object.union({"on_limit_exceeded": "page_oncall", "min_healthy_fraction": 0.7}, cap)},
	}],
}

default_cap := {"max_restarts_per_window": 3, "window_seconds": 300}

test_no_cap_at_all_is_one_finding if {
	reason := "max_restarts_per_window and window_seconds are missing"
	rule.findings == {finding(["restart_policy"], reason, default_cap)} with input as policy({
		"max_restarts_per_window": absent, "window_seconds": absent,
	})
}

test_a_window_alone_caps_nothing if {
	rule.findings == {finding(
		["restart_policy", "max_restarts_per_window"],
		"max_restarts_per_window is missing",
		{"max_restarts_per_window": 3, "window_seconds": 600},
	)} with input as policy({"max_restarts_per_window": absent})
}

test_a_number_without_a_window_caps_nothing if {
	rule.findings == {finding(
		["restart_policy", "window_seconds"],
		"window_seconds is missing",
		{"max_restarts_per_window": 5, "window_seconds": 300},
	)} with input as policy({"window_seconds": absent})
}

test_words_and_numbers_without_end_cap_nothing if {
	rule.findings == {
		finding(["restart_policy", "max_restarts_per_window"], `max_restarts_per_window is "unlimited"`, default_cap),
		finding(["restart_policy", "window_seconds"], "window_seconds is 0", default_cap),
	} with input as policy({
		"max_restarts_per_window": {"set": true, "type": "string", "text": "unlimited", "unbounded": true}, "window_seconds": number(0),
	})
}

test_the_workload_is_counted if {
	some found in rule.findings with input as policy({
		"window_seconds": number(-1),
		"applies_to": {
			"set": true, "kind": "Deployment", "name": "kiosk", "found": true,
			"replicas": {"known": true, "value": 8, "from": "replicas"},
		},
	})
	found.effect == concat("", [
		"a check that fails for a reason outside the process restarts all 8 replicas of Deployment kiosk again and again, ",
		"for as long as the reason lasts",
	])
}

test_a_cap_is_none if {
	rule.findings == set() with input as policy({})
}

test_a_loose_cap_is_none if {
	rule.findings == set() with input as policy({"max_restarts_per_window": number(1000)})
}

test_a_templated_cap_is_none if {
	unknown := {"set": true, "type": "unknown", "number": 0, "text": "${MAX_RESTARTS}"}
	rule.findings == set() with input as policy({"max_restarts_per_window": unknown})
}

test_a_wrong_type_is_the_matter_of_another_rule if {
	rule.findings == set() with input as policy({"window_seconds": {"set": true, "type": "string", "text": "5m"}})
}

test_no_mapping_is_the_matter_of_another_rule if {
	rule.findings == set() with input as policy({
		"shape": "list", "max_restarts_per_window": absent, "window_seconds": absent,
	})
}
