package policies.restarts.restart_policy_invalid_test

import data.policies.restarts.restart_policy_invalid as rule

absent := {"set": false, "type": "absent", "number": 0, "text": ""}

policy(violations) := {
	"shape": "map",
	"path": ["restart_policy"],
	"max_restarts_per_window": {"set": true, "type": "number", "number": 3, "text": "3"},
	"window_seconds": {"set": true, "type": "number", "number": 0, "text": "0"},
	"on_limit_exceeded": absent,
	"min_healthy_fraction": {"set": true, "type": "null", "number": 0, "text": ""},
	"applies_to": {"set": false, "kind": "", "name": ""},
	"health_check": {"set": false, "path": []},
	"violations": violations,
}

violation(field, message) := {"path": ["restart_policy", field], "message": message, "suggestion": "", "value": "x"}

effect := "a key or value outside the format may be ignored without a word by what reads the policy"

test_a_wrong_type_is_found if {
	wrong := violation("max_restarts_per_window", `max_restarts_per_window is "three", not a whole number of at least 1`)
	rule.findings == {{
		"path": ["restart_policy", "max_restarts_per_window"],
		"message": `restart policy: max_restarts_per_window is "three", not a whole number of at least 1`,
		"effect": effect,
		"fixes": [{
			"title": "give max_restarts_per_window a value that the format takes",
			"safety": "display",
			"suggestion": {"restart_policy": {
				"max_restarts_per_window": 3,
				"window_seconds": 0,
				"on_limit_exceeded": "page_oncall",
				"min_healthy_fraction": 0.6,
			}},
		}],
	}} with input as policy([wrong])
}

text(word) := {"set": true, "type": "string", "number": 0, "text": word}

test_what_was_meant_is_suggested if {
	wrong := [violation("window_seconds", "x"), violation("min_healthy_fraction", "y")]
	fields := {"window_seconds": text("5m"), "min_healthy_fraction": text("60")}
	suggested := {fix.suggestion.restart_policy |
		some finding in rule.findings with input as object.union(policy(wrong), fields)
		some fix in finding.fixes
	}
	suggested == {
		{
			"max_restarts_per_window": 3, "window_seconds": 300, "min_healthy_fraction": "60",
			"on_limit_exceeded": "page_oncall",
		},
		{
			"max_restarts_per_window": 3, "window_seconds": "5m", "min_healthy_fraction": 0.6,
			"on_limit_exceeded": "page_oncall",
		},
	}
}

test_a_fraction_in_quotes_keeps_its_value if {
	wrong := [violation("min_healthy_fraction", "y")]
	some finding in rule.findings with input as object.union(policy(wrong), {"min_healthy_fraction": text("0.75")})
	finding.fixes[0].suggestion.restart_policy.min_healthy_fraction == 0.75
}

test_a_target_of_the_wrong_type_is_spelt_out if {
	wrong := violation("applies_to", `applies_to is "kiosk", not a mapping with kind and name`)
	some finding in rule.findings with input as policy([wrong])
	finding.fixes == [{
		"title": "name a workload by kind and name",
		"safety": "display",
		"suggestion": {"applies_to": {"kind": "Deployment", "name": "api"}},
	}]
}

test_a_target_without_a_kind_keeps_its_name if {
	wrong := violation("applies_to", "applies_to has no kind")
	some finding in rule.findings with input as object.union(policy([wrong]), {"applies_to": {"set": true, "kind": "", "name": "kiosk"}})
	finding.fixes[0].suggestion == {"applies_to": {"kind": "Deployment", "name": "kiosk"}}
}

check := {"health_check": {"set": true, "path": ["health_check"]}}

test_a_health_check_is_judged_too if {
	wrong := {"path": ["health_check", "timeout_ms"], "message": "timeout_ms is 0.5, not a whole number", "suggestion": "", "value": 0.5}
	rule.findings == {{
		"path": ["health_check", "timeout_ms"],
		"message": "health_check: timeout_ms is 0.5, not a whole number",
		"effect": effect,
		"fixes": [{
			"title": "give timeout_ms a value that the format takes",
			"safety": "display",
			"suggestion": {"health_check": {"timeout_ms": 500}},
		}],
	}} with input as object.union(policy([wrong]), check)
}

test_an_unknown_key_belongs_elsewhere if {
	rule.findings == {{
		"path": ["restart_policy", "colour"],
		"message": `restart policy: unknown key "colour"`,
		"effect": effect,
		"fixes": [{
			"title": "keep what the format does not know outside of the mapping",
			"safety": "display",
			"suggestion": {"colour": "x"},
		}],
	}} with input as object.union(policy([violation("colour", `unknown key "colour"`)]), check)
}

test_a_misspelt_key_is_found_with_what_was_meant if {
	misspelt := object.union(
		violation("max_restart_per_window", `unknown key "max_restart_per_window"`),
		{"suggestion": "max_restarts_per_window"},
	)
	rule.findings == {{
		"path": ["restart_policy", "max_restart_per_window"],
		"message": `restart policy: unknown key "max_restart_per_window" (did you mean "max_restarts_per_window"?)`,
		"effect": effect,
		"fixes": [{
			"title": "write max_restarts_per_window",
			"safety": "display",
			"suggestion": {"max_restarts_per_window": "x"},
		}],
	}} with input as policy([misspelt])
}

test_a_list_is_no_policy if {
	rule.findings == {{
		"path": ["restart_policy"],
		"message": "restart policy is a list, not a mapping",
		"effect": "nothing of the policy can be read: no cap, no floor",
		"fixes": [{
			"title": "write a mapping",
			"safety": "display",
			"suggestion": {"restart_policy": {
				"max_restarts_per_window": 3,
				"window_seconds": 300,
				"on_limit_exceeded": "page_oncall",
				"min_healthy_fraction": 0.6,
			}},
		}],
	}} with input as object.union(policy([]), {"shape": "list"})
}

test_nothing_is_no_policy if {
	some finding in rule.findings with input as object.union(policy([]), {"shape": "null"})
	finding.message == "restart policy is empty, not a mapping"
}

test_a_template_may_become_a_mapping if {
	rule.findings == set() with input as object.union(policy([]), {"shape": "unknown"})
}

test_no_violation_is_none if {
	rule.findings == set() with input as policy([])
}

test_an_absent_field_is_no_violation if {
	rule.findings == set() with input as object.union(policy([]), {"max_restarts_per_window": absent})
}
