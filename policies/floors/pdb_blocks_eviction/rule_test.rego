package policies.floors.pdb_blocks_eviction_test

import data.policies.floors.pdb_blocks_eviction as rule

unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

# budget over StatefulSet broker with its number of replicas; desired is what must stay.
budget(replicas, from, desired, fields) := object.union(
	{
		"name": "broker",
		"namespace": "trains",
		"selector": {"matchLabels": {"app": "broker"}},
		"has_selector": true,
		"unhealthy_pods": {"type": "absent", "text": ""},
		"min_available": unset,
		"max_unavailable": unset,
		"workloads": [{"kind": "StatefulSet", "name": "broker", "replicas": {"known": true, "value": replicas, "from": from}}],
		"expected": {"known": true, "value": replicas},
		"desired": desired,
		"allowed": max([0, replicas - desired]),
		"resolved": true,
	},
	fields,
)

unresolved(fields) := object.union(
	{
		"name": "broker", "namespace": "trains", "selector": {"matchLabels": {"app": "broker"}}, "has_selector": true, "unhealthy_pods": {"type": "absent", "text": ""}, "min_available": unset, "max_unavailable": unset, "workloads": [],
		"expected": {"known": false, "value": 0}, "desired": 0, "allowed": 0, "resolved": false,
	},
	fields,
)

finding(path, reason, title) := {
	"path": path,
	"message": sprintf("PodDisruptionBudget broker allows no eviction: %s", [reason]),
	"effect": "node drains, node upgrades and scale-downs of the cluster hang on the nodes of these pods",
	"fixes": [{"title": title, "safety": "display", "suggestion": {
		"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "broker", "namespace": "trains"},
		"spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "broker"}}},
	}}],
}

in_place(text) := sprintf("set maxUnavailable: 1 in place of minAvailable: %s", [text])

test_every_replica_required_is_found if {
	reason := "minAvailable 3 is all 3 replicas of StatefulSet broker"
	want := {finding(["spec", "minAvailable"], reason, in_place("3"))}
	rule.findings == want with input as budget(3, "replicas", 3, {"min_available": count_of(3)})
}

test_more_than_every_replica_is_found if {
	reason := "minAvailable 4 is more than all 3 replicas of StatefulSet broker"
	want := {finding(["spec", "minAvailable"], reason, in_place("4"))}
	rule.findings == want with input as budget(3, "replicas", 4, {"min_available": count_of(4)})
}

test_a_percentage_that_rounds_up_to_all_is_found if {
	reason := "minAvailable 80% rounds up to all 3 replicas of StatefulSet broker"
	want := {finding(["spec", "minAvailable"], reason, in_place("80%"))}
	rule.findings == want with input as budget(3, "replicas", 3, {"min_available": percent(80)})
}

test_all_percent_is_found_without_a_workload if {
	want := {finding(["spec", "minAvailable"], "minAvailable is 100%", in_place("100%"))}
	rule.findings == want with input as unresolved({"min_available": percent(100)})
}

test_the_only_replica_is_found if {
	reason := "minAvailable 1 is the only replica of StatefulSet broker"
	title := "run 2 replicas, or accept the gap with maxUnavailable: 1"
	want := {finding(["spec", "minAvailable"], reason, title)}
	rule.findings == want with input as budget(1, "default", 1, {"min_available": count_of(1)})
}

test_nothing_unavailable_is_found_without_a_workload if {
	every none in [count_of(0), percent(0)] {
		want := {finding(
			["spec", "maxUnavailable"],
			sprintf("maxUnavailable is %s", [none.text]),
			sprintf("set maxUnavailable: 1 in place of maxUnavailable: %s", [none.text]),
		)}
		rule.findings == want with input as unresolved({"max_unavailable": none})
	}
}

test_neither_field_is_found if {
	want := {finding(["spec"], "neither minAvailable nor maxUnavailable is set", "set maxUnavailable: 1")}
	rule.findings == want with input as unresolved({})
}

test_all_percent_of_an_autoscaler_is_always_all if {
	want := {finding(["spec", "minAvailable"], "minAvailable is 100%", in_place("100%"))}
	rule.findings == want with input as budget(2, "HorizontalPodAutoscaler broker", 2, {"min_available": percent(100)})
}

test_an_autoscaler_may_leave_one if {
	scaled := budget(1, "HorizontalPodAutoscaler broker", 1, {"min_available": count_of(1)})
	some found in rule.findings with input as scaled
	found.fixes[0].title == "set maxUnavailable: 1 in place of minAvailable: 1"
}

test_an_autoscaler_at_its_minimum_is_found if {
	scaled := budget(2, "HorizontalPodAutoscaler broker", 2, {"min_available": count_of(2)})
	some found in rule.findings with input as scaled
	found.message == concat("", [
		"PodDisruptionBudget broker allows no eviction: ",
		"minAvailable 2 is the autoscaler's minimum of 2 for StatefulSet broker",
	])
	startswith(found.effect, "while the autoscaler runs its minimum, node drains")
}

test_room_for_one_eviction_is_none if {
	rule.findings == set() with input as budget(3, "replicas", 2, {"min_available": count_of(2)})
	rule.findings == set() with input as budget(3, "replicas", 2, {"max_unavailable": count_of(1)})
}

test_one_percent_is_one_pod if {
	rule.findings == set() with input as budget(3, "replicas", 2, {"max_unavailable": percent(1)})
}

test_one_replica_that_may_be_evicted_is_none if {
	rule.findings == set() with input as budget(1, "default", 0, {"max_unavailable": count_of(1)})
}

test_no_replicas_cannot_be_evicted if {
	rule.findings == set() with input as budget(0, "replicas", 1, {"min_available": count_of(1)})
}

test_a_number_without_a_workload_is_none if {
	rule.findings == set() with input as unresolved({"min_available": count_of(2)})
}

test_a_templated_number_is_none if {
	rule.findings == set() with input as unresolved({"min_available": {"set": true, "known": false, "text": "${MIN}"}})
}

test_both_fields_are_rejected_by_the_api_server if {
	rule.findings == set() with input as unresolved({"min_available": percent(100), "max_unavailable": count_of(0)})
}
