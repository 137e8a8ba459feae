package policies.restarts.restart_limit_action_test

import data.policies.restarts.restart_limit_action as rule

number(n) := {"set": true, "type": "number", "number": n, "text": sprintf("%v", [n])}

policy(action) := {
	"shape": "map",
	"path": ["restart_policy"],
	"max_restarts_per_window": number(3),
	"window_seconds": number(300),
	"on_limit_exceeded": action,
	"min_healthy_fraction": number(0.6),
	"applies_to": {"set": true, "kind": "Deployment", "name": "ledger", "found": false, "replicas": {"known": false, "value": 0}},
}

text(word) := policy({"set": true, "type": "string", "number": 0, "text": word})

finding(verdict) := {
	"path": ["restart_policy", "on_limit_exceeded"],
	"message": sprintf("restart policy %s", [verdict]),
	"effect": "the limit of 3 restarts in 300 s stops nothing: Deployment ledger can go on being restarted",
	"fixes": [{
		"title": "stop at the limit and tell a person",
		"safety": "display",
		"suggestion": {"restart_policy": {
			"max_restarts_per_window": 3,
			"window_seconds": 300,
			"on_limit_exceeded": "page_oncall",
			"min_healthy_fraction": 0.6,
			"applies_to": {"kind": "Deployment", "name": "ledger"},
		}},
	}],
}

test_a_missing_action_is_found if {
	absent := {"set": false, "type": "absent", "number": 0, "text": ""}
	rule.findings == {finding("does not say what happens at its limit: on_limit_exceeded is missing")} with input as policy(absent)
}

test_an_empty_action_is_found if {
	empty := {"set": true, "type": "null", "number": 0, "text": ""}
	rule.findings == {finding("does not say what happens at its limit: on_limit_exceeded is null")} with input as policy(empty)
}

test_restarting_anyway_is_found if {
	want := {finding(`goes on restarting past its limit: on_limit_exceeded is "restart anyway"`)}
	rule.findings == want with input as text("restart anyway")
}

test_the_other_words_for_it_are_found if {
	every word in ["restart", "Restart-Anyway", "continue", "ignore", "none", "keep_restarting"] {
		count(rule.findings) == 1 with input as text(word)
	}
}

test_without_a_cap_the_limit_has_no_number if {
	uncapped := object.union(text("ignore"), {"window_seconds": {"set": false, "type": "absent", "number": 0, "text": ""}})
	some found in rule.findings with input as uncapped
	found.effect == "the limit stops nothing: Deployment ledger can go on being restarted"
}

test_words_that_stop_are_none if {
	every word in ["page_oncall", "stop", "hold", "alert", "quarantine", "shed_load", "fail"] {
		rule.findings == set() with input as text(word)
	}
}

test_a_word_that_nobody_knows_is_none if {
	rule.findings == set() with input as text("runbook_17")
}

test_a_templated_action_is_none if {
	rule.findings == set() with input as policy({"set": true, "type": "unknown", "number": 0, "text": "${ACTION}"})
}

test_no_mapping_is_the_matter_of_another_rule if {
	rule.findings == set() with input as object.union(text("restart"), {"shape": "string"})
}
