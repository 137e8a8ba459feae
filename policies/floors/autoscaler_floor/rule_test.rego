package policies.floors.autoscaler_floor_test

import data.policies.floors.autoscaler_floor as rule

unset := {"set": false, "known": false, "value": 0}

default_of(n) := {"set": false, "known": true, "value": n}

whole(n) := {"set": true, "known": true, "value": n}

templated := {"set": true, "known": false, "value": 0}

limit(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

scaler(minimum, replicas, fields) := object.union(
	{
		"kind": "HorizontalPodAutoscaler", "name": "quotes", "field": "minReplicas", "minimum": minimum, "maximum": unset, "zero_metric": false,
		"target": {"kind": "Deployment", "name": "quotes", "found": true, "replicas": replicas, "class": "service"},
		"budgets": [], "kube": {"minor": 37, "assumed": true}, "partial": false,
	},
	fields,
)

keda := {"kind": "ScaledObject", "field": "minReplicaCount"}

finding(message, effect, title, spec) := {
	"path": ["spec", [field | some field, _ in spec][0]],
	"message": message,
	"effect": effect,
	"fixes": [{"title": title, "safety": "display", "suggestion": {"spec": spec}}],
}

test_a_minimum_below_replicas_is_found if {
	rule.findings == {finding(
		"HorizontalPodAutoscaler quotes may leave Deployment quotes 1 replica: minReplicas is 1, and the manifest says replicas: 4",
		"replicas: 4 holds until the autoscaler has looked; in a quiet hour one is left, without a second to take over",
		"keep the 4 replicas of the manifest",
		{"minReplicas": 4},
	)} with input as scaler(whole(1), whole(4), {})
}

test_a_maximum_below_replicas_is_raised if {
	some found in rule.findings with input as scaler(default_of(1), whole(4), {"maximum": whole(1)})
	found.fixes[0].suggestion == {"spec": {"minReplicas": 4, "maxReplicas": 4}}
}

test_no_replica_by_default_is_found if {
	rule.findings == {finding(
		concat("", [
			"ScaledObject quotes may leave Deployment quotes no replica: minReplicaCount is 0 by default, ",
			"and the manifest says replicas: 2",
		]),
		"replicas: 2 holds until the autoscaler has looked; in a quiet hour none is left, and the first request waits for a start",
		"keep the 2 replicas of the manifest",
		{"minReplicaCount": 2},
	)} with input as scaler(default_of(0), whole(2), keda)
}

test_a_minimum_below_the_budget_is_found if {
	rule.findings == {finding(
		concat("", [
			"HorizontalPodAutoscaler quotes may scale Deployment quotes down to 2, fewer than the 3 pods that ",
			"PodDisruptionBudget quotes keeps",
		]),
		"at the minimum no pod may be evicted, ready or not: node drains and upgrades hang until load grows",
		"keep one more than the budget does",
		{"minReplicas": 4},
	)} with input as scaler(whole(2), default_of(1), {"budgets": [{"name": "quotes", "min_available": limit(3)}]})
}

rejected(why) := finding(
	sprintf("HorizontalPodAutoscaler quotes is rejected: minReplicas 0 %s", [why]),
	"the object cannot be created, so nothing scales the workload",
	"keep a replica",
	{"minReplicas": 1},
)

test_zero_is_rejected_without_its_metric_or_version if {
	rule.findings == {rejected("needs a metric of type Object or External")} with input as scaler(whole(0), whole(3), {})
	older := {"zero_metric": true, "kube": {"minor": 36, "assumed": false}}
	rule.findings == {rejected("needs Kubernetes 1.37 (HPAScaleToZero), and this is for 1.36")} with input as scaler(whole(0), default_of(1), older)
}

test_zero_with_its_metric_is_none if {
	rule.findings == set() with input as scaler(whole(0), default_of(1), {"zero_metric": true})
}

test_equal_or_unsaid_is_none if {
	rule.findings == set() with input as scaler(whole(1), default_of(1), {})
	rule.findings == set() with input as scaler(whole(1), whole(1), {})
	rule.findings == set() with input as scaler(whole(2), whole(4), {})
	rule.findings == set() with input as scaler(default_of(0), default_of(1), keda)
}

test_a_budget_that_fits_is_none if {
	percent := {"set": true, "known": true, "text": "90%", "percent": true, "value": 90}
	none := {"set": false, "known": false, "text": "", "percent": false, "value": 0}
	every quantity in [limit(1), limit(2), percent, none] {
		rule.findings == set() with input as scaler(whole(2), default_of(1), {"budgets": [{"name": "quotes", "min_available": quantity}]})
	}
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as scaler(templated, whole(4), {})
	rule.findings == set() with input as scaler(whole(1), templated, {})
	rule.findings == set() with input as scaler(whole(1), whole(4), {"target": {"found": false}})
	rule.findings == set() with input as scaler(whole(1), whole(4), {"target": {"class": "batch"}})
}
