package policies.input.suppression_unused_test

import data.policies.input.suppression_unused as rule

test_a_directive_that_nothing_needs_is_found if {
	rule.findings == {{
		"path": [],
		"message": "suppression of pdb-missing matches no finding",
		"effect": "it would hide the next finding of that rule here",
		"fixes": [{"title": "delete it", "safety": "display"}],
	}} with input as {"subject": "suppression", "state": "unused", "rule": "pdb-missing", "message": ""}
}

test_an_invalid_one_is_the_matter_of_another_rule if {
	rule.findings == set() with input as {"subject": "suppression", "state": "invalid", "rule": "", "message": "no rule"}
}

test_another_subject_is_none if {
	rule.findings == set() with input as {"subject": "input", "message": "syntax error"}
}
