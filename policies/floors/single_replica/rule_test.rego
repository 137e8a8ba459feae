package policies.floors.single_replica_test

import data.policies.floors.single_replica as rule

unset := {"set": false, "known": false, "value": 0}

default_of(n) := {"set": false, "known": true, "value": n}

whole(n) := {"set": true, "known": true, "value": n}

templated := {"set": true, "known": false, "value": 0}

workload(from, value, fields) := object.union(
	{
		"kind": "Deployment", "name": "menu", "class": "service", "sole_services": ["menu"], "singleton": false, "fragment": false,
		"replicas": {"known": true, "value": value, "from": from}, "written_replicas": default_of(1),
	},
	fields,
)

finding(path, reason, title, spec) := {
	"path": path,
	"message": sprintf("Deployment menu behind Service menu runs 1 replica%s", [reason]),
	"effect": "while that replica restarts, moves or is lost, the Service has no endpoint",
	"fixes": [{"title": title, "safety": "display", "suggestion": {"spec": spec}}],
}

two := "run 2 replicas, if the application can share its work"

test_one_replica_is_found if {
	rule.findings == {finding(["spec", "replicas"], "", two, {"replicas": 2})} with input as workload("replicas", 1, {})
	rule.findings == {finding([], ", the default", two, {"replicas": 2})} with input as workload("default", 1, {})
}

test_a_minimum_of_one_is_found if {
	every pair in [["HorizontalPodAutoscaler menu", "minReplicas"], ["ScaledObject menu", "minReplicaCount"]] {
		reason := sprintf(", the minimum of %s", [pair[0]])
		title := sprintf("let %s keep 2 replicas", [pair[0]])
		rule.findings == {finding([], reason, title, {pair[1]: 2})} with input as workload(pair[0], 1, {})
	}
}

test_several_services_are_counted if {
	some found in rule.findings with input as workload("replicas", 1, {"sole_services": ["menu", "menu-headless"]})
	found.message == "Deployment menu behind 2 Services runs 1 replica"
}

test_more_or_none_is_none if {
	rule.findings == set() with input as workload("replicas", 2, {})
	rule.findings == set() with input as workload("replicas", 0, {})
}

test_what_autoscaler_floor_reports_is_none if {
	rule.findings == set() with input as workload("HorizontalPodAutoscaler menu", 1, {"written_replicas": whole(3)})
}

test_what_needs_no_second_is_none if {
	every fields in [
		{"class": "worker", "sole_services": []}, {"class": "daemon"}, {"sole_services": []}, {"class": "hook"}, {"singleton": true}, {"fragment": true},
		{"kind": "Service"}, {"kind": "Pod"}, {"replicas": {"known": false}},
	] {
		rule.findings == set() with input as workload("replicas", 1, fields)
	}
}
