package policies.input.suppression_invalid_test

import data.policies.input.suppression_invalid as rule

directive(state, name) := {"subject": "suppression", "state": state, "rule": name, "message": "no reason is given"}

test_a_malformed_directive_is_found if {
	rule.findings == {{
		"path": [],
		"message": "no reason is given",
		"effect": "this suppresses nothing",
		"fixes": [{"title": "name a rule and give the reason: RULE -- reason", "safety": "display"}],
	}} with input as directive("invalid", "pdb-missing")
}

test_an_unused_one_is_the_matter_of_another_rule if {
	rule.findings == set() with input as directive("unused", "pdb-missing")
}

test_another_subject_is_none if {
	rule.findings == set() with input as {"subject": "input", "message": "no reason is given"}
}
