package policies.floors.pdb_no_floor_test

import data.policies.floors.pdb_no_floor as rule

unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

# budget over Deployment vitals with its number of replicas; desired is what must stay.
budget(replicas, from, desired, fields) := object.union(
	{
		"name": "vitals",
		"namespace": "trains",
		"selector": {"matchLabels": {"app": "vitals"}},
		"has_selector": true,
		"unhealthy_pods": {"type": "absent", "text": ""},
		"min_available": unset,
		"max_unavailable": unset,
		"workloads": [{"kind": "Deployment", "name": "vitals", "replicas": {"known": true, "value": replicas, "from": from}}],
		"expected": {"known": true, "value": replicas},
		"desired": desired,
		"allowed": replicas - desired,
		"resolved": true,
	},
	fields,
)

unresolved(fields) := object.union(
	{
		"name": "vitals", "namespace": "trains", "selector": {"matchLabels": {"app": "vitals"}}, "has_selector": true, "unhealthy_pods": {"type": "absent", "text": ""}, "min_available": unset, "max_unavailable": unset, "workloads": [],
		"expected": {"known": false, "value": 0}, "desired": 0, "allowed": 0, "resolved": false,
	},
	fields,
)

finding(field, text, reason, covered) := {
	"path": ["spec", field],
	"message": sprintf("PodDisruptionBudget vitals keeps no pod up: %s", [reason]),
	"effect": sprintf("draining nodes may evict %s at the same time", [covered]),
	"fixes": [{
		"title": sprintf("set maxUnavailable: 1 in place of %s: %s", [field, text]),
		"safety": "display",
		"suggestion": {
			"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "vitals", "namespace": "trains"},
			"spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "vitals"}}},
		},
	}],
}

test_no_pod_required_is_found if {
	want := {finding("minAvailable", "0", "minAvailable is 0", "all 3 replicas of Deployment vitals")}
	rule.findings == want with input as budget(3, "replicas", 0, {"min_available": count_of(0)})
}

test_zero_percent_is_found_without_a_workload if {
	want := {finding("minAvailable", "0%", "minAvailable is 0%", "every pod")}
	rule.findings == want with input as unresolved({"min_available": percent(0)})
}

test_all_percent_is_found_without_a_workload if {
	want := {finding("maxUnavailable", "100%", "maxUnavailable is 100%", "every pod")}
	rule.findings == want with input as unresolved({"max_unavailable": percent(100)})
}

test_a_number_that_covers_all_is_found if {
	all := "all 3 replicas of Deployment vitals"
	want := {finding("maxUnavailable", "4", "maxUnavailable 4 covers all 3 replicas of Deployment vitals", all)}
	rule.findings == want with input as budget(3, "replicas", 0, {"max_unavailable": count_of(4)})
}

test_a_percentage_that_rounds_up_to_all_is_found if {
	all := "all 3 replicas of Deployment vitals"
	want := {finding("maxUnavailable", "90%", "maxUnavailable 90% rounds up to all 3 replicas of Deployment vitals", all)}
	rule.findings == want with input as budget(3, "replicas", 0, {"max_unavailable": percent(90)})
}

test_an_autoscaler_does_not_help_a_budget_of_zero if {
	want := {finding("minAvailable", "0", "minAvailable is 0", "every replica of Deployment vitals")}
	rule.findings == want with input as budget(1, "HorizontalPodAutoscaler vitals", 0, {"min_available": count_of(0)})
}

test_an_autoscaler_may_run_more_than_a_number_covers if {
	rule.findings == set() with input as budget(2, "HorizontalPodAutoscaler vitals", 0, {"max_unavailable": count_of(2)})
}

test_one_replica_that_may_be_evicted_is_none if {
	rule.findings == set() with input as budget(1, "default", 0, {"max_unavailable": count_of(1)})
}

test_a_budget_of_zero_for_one_replica_is_none if {
	rule.findings == set() with input as budget(1, "replicas", 0, {"min_available": count_of(0)})
}

test_a_floor_is_none if {
	rule.findings == set() with input as budget(3, "replicas", 2, {"max_unavailable": count_of(1)})
	rule.findings == set() with input as budget(3, "replicas", 2, {"min_available": percent(50)})
}

test_a_number_without_a_workload_is_none if {
	rule.findings == set() with input as unresolved({"max_unavailable": count_of(3)})
}

test_a_templated_number_is_none if {
	rule.findings == set() with input as unresolved({"min_available": {"set": true, "known": false, "text": "${MIN}"}})
}

test_neither_field_is_the_matter_of_another_rule if {
	rule.findings == set() with input as unresolved({})
}

test_both_fields_are_rejected_by_the_api_server if {
	rule.findings == set() with input as unresolved({"min_available": count_of(0), "max_unavailable": percent(100)})
}

test_what_cannot_be_computed_is_the_matter_of_another_rule if {
	rule.findings == set() with input as unresolved({
		"max_unavailable": percent(100),
		"workloads": [{"kind": "DaemonSet", "name": "vitals", "scale": "none", "replicas": {"known": false, "value": 0, "from": "DaemonSet"}}],
	})
}
