package policies.restarts.compose_restart_ineffective_test

import data.policies.restarts.compose_restart_ineffective as rule

no_restart := {"set": false, "own": false, "known": true, "type": "absent", "text": "", "word": "", "policy": "", "suggestion": "", "also": []}

no_policy := {"set": false, "own": false, "known": true, "has_condition": false, "has_attempts": false, "also": []}

file(restart, policy) := {
	"subject": "compose",
	"swarm": {"confidence": "", "why": ""},
	"services": [{
		"name": "intake",
		"restart": object.union(no_restart, restart),
		"restart_policy": object.union(no_policy, policy),
	}],
}

restart(text, policy) := {
	"set": true, "own": true, "type": "string", "text": text, "policy": policy, "has_count": false, "bad_count": false,
	"path": ["services", "intake", "restart"],
}

policy(more) := object.union(
	{
		"set": true, "own": true, "path": ["services", "intake", "deploy", "restart_policy"], "condition": "",
		"max_attempts": 0, "delay": "", "window": "",
	},
	more,
)

swarm(confidence, doc) := object.union(doc, {"swarm": {"confidence": confidence, "why": "deploy.placement of service intake"}})

written(policy, condition) := [{
	"title": sprintf("write condition: %s", [condition]),
	"safety": "display",
	"suggestion": {"services": {"intake": {"deploy": {"restart_policy": object.union(policy, {"condition": condition})}}}},
}]

bare := policy({"has_attempts": true, "max_attempts": 3, "delay": "5s", "window": "2m"})

test_a_policy_without_a_condition_is_found if {
	rule.findings == {{
		"path": ["services", "intake", "deploy", "restart_policy"],
		"container": "intake",
		"message": `service "intake" is not restarted: deploy.restart_policy has no condition, and it replaces restart: always`,
		"effect": "Docker Compose hands the engine no restart policy then, and a container that exits stays down",
		"confidence": "certain",
		"fixes": written({"max_attempts": 3, "delay": "5s", "window": "2m"}, "on-failure"),
	}} with input as file(restart("always", "always"), bare)
}

test_services_that_share_the_text_are_named_together if {
	some finding in rule.findings with input as file({}, policy({"also": ["render", "print"]}))
	finding.message == "services intake, render, print are not restarted: deploy.restart_policy has no condition"
}

test_a_file_that_may_be_for_swarm_is_likely if {
	some finding in rule.findings with input as swarm("likely", file(restart("no", "no"), bare))
	finding.confidence == "likely"
	finding.message == `service "intake" is not restarted: deploy.restart_policy has no condition`
}

test_swarm_needs_no_condition if {
	rule.findings == set() with input as swarm("certain", file({}, bare))
}

any_counted := policy({"has_condition": true, "condition": "any", "has_attempts": true, "max_attempts": 5})

test_attempts_without_on_failure_are_found if {
	rule.findings == {{
		"path": ["services", "intake", "deploy", "restart_policy", "max_attempts"],
		"container": "intake",
		"message": `the engine refuses service "intake": max_attempts 5 needs condition on-failure, and it is any`,
		"effect": "docker compose up fails before the container is created: maximum retry count can only be used with 'on-failure'",
		"confidence": "certain",
		"fixes": written({"max_attempts": 5}, "on-failure"),
	}} with input as file({}, any_counted)
}

test_swarm_counts_any if {
	rule.findings == set() with input as swarm("certain", file({}, any_counted))
}

test_attempts_with_on_failure_are_none if {
	rule.findings == set() with input as file({}, object.union(any_counted, {"condition": "on-failure"}))
}

test_0_attempts_are_none if {
	rule.findings == set() with input as file({}, object.union(any_counted, {"max_attempts": 0}))
}

unheard := policy({"has_condition": true, "condition": "sometimes"})

test_an_unknown_condition_is_found if {
	rule.findings == {{
		"path": ["services", "intake", "deploy", "restart_policy", "condition"],
		"container": "intake",
		"message": `service "intake" has no valid restart policy: condition "sometimes" is none of none, on-failure and any`,
		"effect": "the engine refuses to create the container",
		"fixes": written({}, "any"),
	}} with input as file({}, unheard)
}

test_swarm_refuses_what_compose_takes if {
	stopped := object.union(unheard, {"condition": "unless-stopped"})
	rule.findings == set() with input as file({}, stopped)
	some finding in rule.findings with input as swarm("certain", file({}, stopped))
	finding.effect == "docker stack deploy fails"
}

test_a_policy_that_is_not_known_is_none if {
	rule.findings == set() with input as file({}, object.union(bare, {"known": false}))
}

test_a_policy_of_another_file_is_judged_there if {
	rule.findings == set() with input as file({}, object.union(bare, {"own": false}))
}

boolean(word) := object.union(restart("false", ""), {"type": "bool", "word": word})

found_boolean(message, effect, severity, fixed, value) := {{
	"path": ["services", "intake", "restart"],
	"container": "intake",
	"message": sprintf(`service "intake": %s`, [message]),
	"effect": effect,
	"severity": severity,
	"fixes": [{
		"title": sprintf("write restart: %s", [fixed]),
		"safety": "display",
		"suggestion": {"services": {"intake": {"restart": value}}},
	}],
}}

test_no_without_quotes_is_a_warning if {
	rule.findings == found_boolean(
		"restart: no without quotes is a boolean in YAML 1.1",
		"Docker Compose reads the word no; podman-compose, docker-compose 1 and whatever else reads YAML 1.1 see false",
		"warning",
		`"no"`,
		"no",
	) with input as file(boolean("no"), {})
}

test_false_is_an_error if {
	rule.findings == found_boolean(
		"restart: false is a boolean, and no restart policy",
		"Docker Compose refuses the file: restart must be a string",
		"error",
		`"no"`,
		"no",
	) with input as file(boolean("false"), {})
}

test_on_is_an_error if {
	rule.findings == found_boolean(
		"restart: on is a boolean, and no restart policy",
		"Docker Compose reads it as a policy of that name, which the engine refuses",
		"error",
		"unless-stopped",
		"unless-stopped",
	) with input as file(boolean("on"), {})
}

found_word(message, value) := {{
	"path": ["services", "intake", "restart"],
	"container": "intake",
	"message": sprintf(`service "intake" has no valid restart policy: restart is %s`, [message]),
	"effect": "the engine refuses to create the container",
	"fixes": [{
		"title": sprintf("write restart: %s", [value]),
		"safety": "display",
		"suggestion": {"services": {"intake": {"restart": value}}},
	}],
}}

test_a_misspelt_policy_is_found if {
	misspelt := object.union(restart("on_failure", ""), {"suggestion": "on-failure"})
	rule.findings == found_word(`"on_failure", which the engine does not know`, "on-failure") with input as file(misspelt, {})
}

test_a_policy_that_nobody_knows_is_found if {
	want := found_word(`"whenever", which the engine does not know`, "unless-stopped")
	rule.findings == want with input as file(restart("whenever", ""), {})
}

test_a_count_after_always_is_found if {
	counted := object.union(restart("always:3", "always"), {"has_count": true})
	rule.findings == found_word(`"always:3", and only on-failure takes a count`, "always") with input as file(counted, {})
}

test_a_count_that_is_no_number_is_found if {
	some_ := object.union(restart("on-failure:some", "on-failure"), {"has_count": true, "bad_count": true})
	rule.findings == found_word(`"on-failure:some", whose count is no number`, "on-failure:5") with input as file(some_, {})
}

test_a_number_is_found if {
	rule.findings == {{
		"path": ["services", "intake", "restart"],
		"container": "intake",
		"message": `service "intake" has no valid restart policy: restart is a number`,
		"effect": "Docker Compose refuses the file",
		"fixes": [{
			"title": "write restart: unless-stopped",
			"safety": "display",
			"suggestion": {"services": {"intake": {"restart": "unless-stopped"}}},
		}],
	}} with input as file(object.union(restart("3", ""), {"type": "number"}), {})
}

test_the_four_policies_are_none if {
	every name in ["no", "always", "on-failure", "unless-stopped"] {
		rule.findings == set() with input as file(restart(name, name), {})
	}
}

test_on_failure_takes_a_count if {
	rule.findings == set() with input as file(object.union(restart("on-failure:5", "on-failure"), {"has_count": true}), {})
}

test_a_variable_is_none if {
	rule.findings == set() with input as file(object.union(restart("", ""), {"known": false, "type": "unknown"}), {})
}

test_restart_that_deploy_replaces_is_none if {
	whole := policy({"has_condition": true, "condition": "on-failure"})
	rule.findings == set() with input as file(restart("whenever", ""), whole)
}

test_nothing_said_is_none if {
	rule.findings == set() with input as file({}, {})
}
