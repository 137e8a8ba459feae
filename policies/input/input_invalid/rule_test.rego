package policies.input.input_invalid_test

import data.policies.input.input_invalid as rule

test_a_problem_is_found if {
	rule.findings == {{
		"path": [],
		"message": `duplicate key "replicas"`,
		"effect": "what cannot be read is not checked, so a finding may be missing here or in what refers to it",
	}} with input as {"subject": "input", "file": "deploy.yaml", "message": `duplicate key "replicas"`}
}

test_another_subject_is_none if {
	rule.findings == set() with input as {"subject": "suppression", "state": "unused", "message": "x"}
}

test_nothing_is_none if {
	rule.findings == set() with input as {}
}
