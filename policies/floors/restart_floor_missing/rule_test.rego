package policies.floors.restart_floor_missing_test

import data.policies.floors.restart_floor_missing as rule

number(n) := {"set": true, "type": "number", "number": n, "text": sprintf("%v", [n])}

policy(fraction, replicas) := {
	"shape": "map",
	"path": ["restart_policy"],
	"max_restarts_per_window": number(3),
	"window_seconds": number(300),
	"on_limit_exceeded": {"set": true, "type": "string", "number": 0, "text": "page_oncall"},
	"min_healthy_fraction": fraction,
	"applies_to": {
		"set": true, "kind": "StatefulSet", "name": "imaging", "found": true,
		"replicas": {"known": true, "value": replicas, "from": "replicas"},
	},
}

finding(state, effect, fraction) := {
	"path": ["restart_policy", "min_healthy_fraction"],
	"message": sprintf("restart policy keeps no part of the fleet up: min_healthy_fraction is %s", [state]),
	"effect": effect,
	"fixes": [{
		"title": "keep a part of the fleet up",
		"safety": "display",
		"suggestion": {"restart_policy": {
			"max_restarts_per_window": 3,
			"window_seconds": 300,
			"on_limit_exceeded": "page_oncall",
			"min_healthy_fraction": fraction,
			"applies_to": {"kind": "StatefulSet", "name": "imaging"},
		}},
	}],
}

test_a_missing_floor_is_found if {
	rule.findings == {finding(
		"missing",
		"a check that fails everywhere may restart all 5 replicas of StatefulSet imaging in the same moment",
		0.6,
	)} with input as policy({"set": false, "type": "absent", "number": 0, "text": ""}, 5)
}

test_a_floor_of_zero_is_found_and_two_replicas_get_one_that_works if {
	rule.findings == {finding(
		"0",
		"a check that fails everywhere may restart both replicas of StatefulSet imaging in the same moment",
		0.5,
	)} with input as policy(number(0), 2)
}

test_an_empty_floor_is_found if {
	some found in rule.findings with input as policy({"set": true, "type": "null", "number": 0, "text": ""}, 5)
	endswith(found.message, "min_healthy_fraction is null")
}

test_a_floor_is_none if {
	rule.findings == set() with input as policy(number(0.6), 5)
}

test_a_low_floor_is_a_floor if {
	rule.findings == set() with input as policy(number(0.01), 5)
}

test_a_floor_out_of_range_is_the_matter_of_another_rule if {
	rule.findings == set() with input as policy(number(1.5), 5)
}

test_a_percentage_is_the_matter_of_another_rule if {
	rule.findings == set() with input as policy({"set": true, "type": "string", "number": 0, "text": "60%"}, 5)
}

test_a_templated_floor_is_none if {
	rule.findings == set() with input as policy({"set": true, "type": "unknown", "number": 0, "text": "${FLOOR}"}, 5)
}

test_no_mapping_is_the_matter_of_another_rule if {
	rule.findings == set() with input as object.union(policy(number(0), 5), {"shape": "string"})
}
