package policies.input.input_invalid_test

import data.policies.input.input_invalid as rule

test_a_problem_is_found if {
	rule.findings == {{
		"path": [],
		"message": "this quote is never closed",
		"effect": "what cannot be read is not checked, so a finding may be missing here or in what refers to it",
		"fixes": [{"title": "put this place right; what it says depends on what was meant", "safety": "display"}],
	}} with input as {"subject": "input", "file": "deploy.yaml", "message": "this quote is never closed", "lost": true, "duplicate": false}
}

test_a_duplicate_key_loses_nothing if {
	rule.findings == {{
		"path": [],
		"message": `key "replicas" is given twice`,
		"effect": "kubectl and Helm go by the last one, strict readers reject the file; it is checked as kubectl reads it",
		"fixes": [{"title": "keep one of the two keys", "safety": "display"}],
	}} with input as {"subject": "input", "file": "deploy.yaml", "message": `key "replicas" is given twice`, "lost": false, "duplicate": true}
}

test_a_place_that_is_passed_over_is_found if {
	rule.findings == {{
		"path": [],
		"message": "no section before this line",
		"effect": "what reads the file rejects this place or passes over it; the rest is checked",
		"fixes": [{"title": "put this place right; what it says depends on what was meant", "safety": "display"}],
	}} with input as {"subject": "input", "file": "a.service", "message": "no section before this line", "lost": false, "duplicate": false}
}

test_another_subject_is_none if {
	rule.findings == set() with input as {"subject": "suppression", "state": "unused", "message": "x"}
}

test_nothing_is_none if {
	rule.findings == set() with input as {}
}
