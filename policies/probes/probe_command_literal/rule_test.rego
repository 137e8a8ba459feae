package policies.probes.probe_command_literal_test

import data.policies.probes.probe_command_literal as rule

workload(literal) := {"containers": [{"name": "queue", "type": "app", "probes": [{
	"type": "liveness",
	"field": "livenessProbe",
	"shell": ["sh", "-c", `redis-cli -a "$PASSWORD" ping`],
	"literals": [object.union(
		{
			"path": ["spec", "livenessProbe", "exec", "command", 2],
			"kind": "variable",
			"text": "$PASSWORD",
			"name": "PASSWORD",
			"shell": false,
			"env_from": false,
			"certain": true,
		},
		literal,
	)],
}]}]}

said(literal) := [finding.message, finding.effect] if some finding in rule.findings with input as workload(literal)

test_a_variable_without_a_shell_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "exec", "command", 2],
		"message": `liveness of container "queue" passes $PASSWORD as it stands: no shell runs the command`,
		"effect": "the program gets the name instead of the value",
		"confidence": "certain",
		"container": "queue",
		"fixes": [{
			"title": "let a shell run the command (the image must have one)",
			"safety": "display",
			"suggestion": {"livenessProbe": {"exec": {"command": ["sh", "-c", `redis-cli -a "$PASSWORD" ping`]}}},
		}],
	}} with input as workload({})
}

test_a_variable_of_nobody_is_likely if {
	some finding in rule.findings with input as workload({"certain": false})
	finding.confidence == "likely"
}

test_an_operator_is_an_argument if {
	said({"kind": "operator", "text": "|"}) == [
		`liveness of container "queue" passes | as it stands: no shell runs the command`,
		"the program gets it and what follows as arguments",
	]
}

test_a_substitution_is_an_argument if {
	said({"kind": "substitution", "text": "$(hostname)"}) == [
		`liveness of container "queue" passes $(hostname) as it stands: no shell runs the command`,
		"the program gets it as an argument",
	]
}

test_a_command_line_is_no_program if {
	said({"kind": "program", "text": "redis-cli ping"}) == [
		`liveness of container "queue" starts a program named "redis-cli ping": no shell splits the text into words`,
		concat("", [
			"there is no such program, so every probe is an error, and errors are not failures: ",
			"the check never gives a verdict",
		]),
	]
}

test_a_secret_is_empty if {
	literal := {"kind": "empty", "text": "$(PASSWORD)", "shell": true}
	said(literal) == [
		`liveness of container "queue" gets an empty text for $(PASSWORD): the kubelet takes no value from valueFrom`,
		"the command runs as if PASSWORD were not set",
	]
	some finding in rule.findings with input as workload(literal)
	finding.fixes[0].title == "let the shell expand it"
}

test_an_unknown_variable_stays if {
	said({"kind": "unexpanded", "text": "$(PASSWORD)"}) == [
		`liveness of container "queue" keeps $(PASSWORD) as it stands: no env entry of the container is named PASSWORD`,
		"the program gets it as an argument",
	]
}

test_an_unknown_variable_becomes_a_command_in_a_shell if {
	said({"kind": "unexpanded", "text": "$(PASSWORD)", "shell": true})[1] == "the shell takes it for a command named PASSWORD"
}

test_a_request_expands_nothing if {
	literal := {"kind": "request", "text": "$(TOKEN)", "name": "TOKEN"}
	said(literal) == [
		`liveness of container "queue" sends $(TOKEN) as it stands: only commands are expanded`,
		"the server gets the name instead of the value",
	]
	some finding in rule.findings with input as workload(literal)
	finding.fixes == [{"title": "write the value out: nothing expands variables there", "safety": "display"}]
}

test_a_probe_without_literals_is_none if {
	rule.findings == set() with input as {"containers": [{"name": "queue", "type": "app", "probes": [{"literals": []}]}]}
}

test_an_init_container_cannot_have_probes if {
	facts := workload({})
	rule.findings == set() with input as {"containers": [object.union(facts.containers[0], {"type": "init"})]}
}
