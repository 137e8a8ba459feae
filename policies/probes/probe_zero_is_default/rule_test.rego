package policies.probes.probe_zero_is_default_test

import data.policies.probes.probe_zero_is_default as rule

workload(facts, zero) := object.union(
	{"kind": "Deployment", "containers": [{"name": "tickets", "type": "app", "probes": [{
		"type": "liveness",
		"field": "livenessProbe",
		"path": ["spec", "livenessProbe"],
		"zero": zero,
	}]}]},
	facts,
)

test_no_failures_are_three if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "failureThreshold"],
		"message": `liveness of container "tickets" has failureThreshold: 0, which means unset, so the default of 3 applies`,
		"effect": "the probe is not switched off: 3 failures in a row are its verdict",
		"container": "tickets",
		"fixes": [{
			"title": "write the number that is meant, or remove the probe to switch it off",
			"safety": "display",
			"suggestion": {"livenessProbe": {"failureThreshold": 3}},
		}],
	}} with input as workload({}, ["failureThreshold"])
}

test_each_key_is_a_finding if {
	messages := {finding.effect | some finding in rule.findings} with input as workload(
		{},
		["periodSeconds", "timeoutSeconds", "successThreshold", "initialDelaySeconds"],
	)
	messages == {
		"the probe runs every 10 s",
		"a probe without an answer after 1 s has failed",
		"one success is enough",
	}
}

test_no_delay_is_none if {
	rule.findings == set() with input as workload({}, ["initialDelaySeconds"])
}

test_other_numbers_are_none if {
	rule.findings == set() with input as workload({}, [])
}

test_knative_gives_a_period_of_0_a_meaning if {
	rule.findings == set() with input as workload({"kind": "Service"}, ["periodSeconds"])
}

test_an_init_container_cannot_have_probes if {
	rule.findings == set() with input as {"kind": "Pod", "containers": [{
		"name": "wait", "type": "init", "probes": [{"type": "liveness", "zero": ["periodSeconds"]}],
	}]}
}
