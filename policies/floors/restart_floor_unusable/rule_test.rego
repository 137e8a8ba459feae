package policies.floors.restart_floor_unusable_test

import data.policies.floors.restart_floor_unusable as rule

absent := {"set": false, "type": "absent", "number": 0, "text": ""}

number(n) := {"set": true, "type": "number", "number": n, "text": sprintf("%v", [n])}

text(word) := {"set": true, "type": "string", "number": 0, "text": word}

unknown := {"set": true, "type": "unknown", "number": 0, "text": "${X}"}

policy(fraction, fields) := object.union(
	{
		"shape": "map", "path": ["restart_policy"], "name": "",
		"max_restarts_per_window": number(3), "window_seconds": absent, "on_limit_exceeded": absent,
		"min_healthy_fraction": fraction,
		"applies_to": {"set": false, "kind": "", "name": "", "namespace": "", "found": false, "replicas": {"known": false, "value": 0, "from": ""}},
		"floor": {"resolved": false, "healthy": 0, "allowed": 0},
	},
	fields,
)

counted(fraction, replicas, from, healthy) := policy(number(fraction), {
	"applies_to": {
		"set": true, "kind": "Deployment", "name": "kiosk", "found": true,
		"replicas": {"known": true, "value": replicas, "from": from},
	},
	"floor": {"resolved": true, "healthy": healthy, "allowed": replicas - healthy},
})

fix(title, fraction, added) := [{
	"title": title,
	"safety": "display",
	"suggestion": {"restart_policy": object.union(
		{"max_restarts_per_window": 3, "on_limit_exceeded": "page_oncall", "min_healthy_fraction": fraction},
		added,
	)},
}]

target := {"applies_to": {"kind": "Deployment", "name": "kiosk"}}

finding(message, effect, fixes) := {
	"path": ["restart_policy", "min_healthy_fraction"], "message": message, "effect": effect, "fixes": fixes,
}

stays := "a replica that hangs stays as it is until a person comes"

test_a_number_above_one_is_found_and_read_as_a_percentage if {
	rule.findings == {finding(
		"min_healthy_fraction is 60: a fraction lies above 0 and at most at 1",
		"what reads the policy refuses the value, or takes it for all or for none",
		fix("write a fraction", 0.6, {}),
	)} with input as policy(number(60), {})
}

test_a_number_below_zero_is_found if {
	some found in rule.findings with input as policy(number(-0.2), {})
	found.message == "min_healthy_fraction is -0.2: a fraction lies above 0 and at most at 1"
	found.fixes == fix("write a fraction", 0.6, {})
}

test_a_percentage_is_found if {
	rule.findings == {finding(
		`min_healthy_fraction is "75 %": a fraction is a number such as 0.75`,
		"what reads the policy refuses the text, or takes it for no floor",
		fix("write a fraction", 0.75, {}),
	)} with input as policy(text("75 %"), {})
}

test_a_floor_of_one_never_restarts if {
	rule.findings == {finding(
		"min_healthy_fraction is 1: every instance must stay healthy, so none may be restarted",
		"the policy restarts nothing: an instance that hangs stays as it is until a person comes",
		fix("keep a part of the fleet up", 0.6, {}),
	)} with input as policy(number(1), {})
}

test_two_replicas_are_counted if {
	rule.findings == {finding(
		concat("", [
			"restart policy never restarts Deployment kiosk: 0.6 of 2 replicas, rounded up, is 2 of 2, ",
			"so not even one may be restarted",
		]),
		stays,
		fix("let one of 2 replicas be restarted", 0.5, target),
	)} with input as counted(0.6, 2, "replicas", 2)
}

test_three_replicas_are_counted_with_the_autoscaler if {
	rule.findings == {finding(
		concat("", [
			"restart policy never restarts Deployment kiosk: 0.75 of 3 replicas (the minimum of HorizontalPodAutoscaler kiosk), ",
			"rounded up, is 3 of 3, so not even one may be restarted",
		]),
		stays,
		fix("let one of 3 replicas be restarted", 0.66, target),
	)} with input as counted(0.75, 3, "HorizontalPodAutoscaler kiosk", 3)
}

test_the_only_replica_is_counted if {
	rule.findings == {finding(
		"restart policy never restarts Deployment kiosk: 0.3 of 1 replica, rounded up, is 1 of 1, so not even one may be restarted",
		stays,
		fix("run 2 replicas and keep half of them up", 0.5, target),
	)} with input as counted(0.3, 1, "default", 1)
}

test_one_of_six_is_worth_knowing if {
	rule.findings == {object.union({"severity": "info"}, finding(
		concat("", [
			"restart policy keeps one of the 6 replicas of Deployment kiosk: 0.1 of 6 replicas, rounded up, is 1 of 6, ",
			"so 5 may be restarted at the same time",
		]),
		"a check that fails everywhere leaves one replica with the load of all",
		fix("keep more than half up", 0.6, target),
	))} with input as counted(0.1, 6, "replicas", 1)
}

test_one_of_three_is_none if {
	rule.findings == set() with input as counted(0.3, 3, "replicas", 1)
}

test_one_at_the_minimum_of_an_autoscaler_is_none if {
	rule.findings == set() with input as counted(0.1, 6, "ScaledObject kiosk", 1)
}

test_a_usable_floor_is_none if {
	rule.findings == set() with input as counted(0.6, 3, "replicas", 2)
}

test_what_is_not_known_or_another_mistake_is_none if {
	every fraction in [unknown, absent, number(0), text("most"), text("0.6")] {
		rule.findings == set() with input as policy(fraction, {})
	}
}

test_no_mapping_is_the_matter_of_another_rule if {
	rule.findings == set() with input as policy(number(60), {"shape": "list"})
}
