package policies.input.input_invalid_test

import data.policies.input.input_invalid as rule

test_a_problem_is_found if {
	rule.findings == {{
		"path": [],
		"message": "this quote is never closed",
		"effect": "what cannot be read is not checked, so a finding may be missing here or in what refers to it",
	}} with input as {"subject": "input", "file": "deploy.yaml", "message": "this quote is never closed", "lost": true}
}

test_a_duplicate_key_loses_nothing if {
	rule.findings == {{
		"path": [],
		"message": `key "replicas" is given twice`,
		"effect": "kubectl and Helm go by the last one, strict readers reject the file; it is checked as kubectl reads it",
	}} with input as {"subject": "input", "file": "deploy.yaml", "message": `key "replicas" is given twice`, "lost": false}
}

test_another_subject_is_none if {
	rule.findings == set() with input as {"subject": "suppression", "state": "unused", "message": "x"}
}

test_nothing_is_none if {
	rule.findings == set() with input as {}
}
