package policies.floors.pdb_unhealthy_eviction_test

import data.policies.floors.pdb_unhealthy_eviction as rule

none := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

templated := {"set": true, "known": false, "text": "${N}", "percent": false, "value": 0}

absent := {"set": false, "type": "absent", "number": 0, "text": ""}

budget(fields) := object.union(
	{
		"api_version": "policy/v1", "name": "api", "namespace": "", "min_available": none, "max_unavailable": count_of(1),
		"has_selector": true, "selector": {"matchLabels": {"app": "api"}}, "selector_known": true, "selects_none": false, "unhealthy_pods": absent,
		"workloads": [], "overlaps": [], "kube": {"minor": 37, "assumed": true}, "partial": false,
		"near": {"set": false, "kind": "", "name": "", "key": "", "want": "", "have": "", "lack": false, "selector": {}, "labels": {}},
	},
	fields,
)

object_with(spec) := {
	"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "api"},
	"spec": object.union({"selector": {"matchLabels": {"app": "api"}}}, spec),
}

depends(fields) := {"workloads": [{"kind": "Deployment", "name": "api", "dependencies": [object.union(
	{"container": "main", "probe": "readiness", "product": "PostgreSQL", "address": "orders-db:5432", "certain": true},
	fields,
)]}]}

finding(confidence, what) := {
	"path": ["spec"],
	"confidence": confidence,
	"message": concat("", [
		"PodDisruptionBudget api keeps unready pods from being evicted, and readiness of container \"main\" in Deployment api ",
		what,
	]),
	"effect": "in that outage the pods are unready together and the budget is not met: drains of their nodes hang until it ends",
	"fixes": [{
		"title": "let unready pods be evicted",
		"safety": "display",
		"suggestion": object_with({"maxUnavailable": 1, "unhealthyPodEvictionPolicy": "AlwaysAllow"}),
	}],
}

test_a_shared_dependency_is_found if {
	want := {finding("certain", "fails when PostgreSQL at orders-db:5432 is down")}
	rule.findings == want with input as budget(depends({}))
}

test_what_is_known_of_it_is_named if {
	rule.findings == {finding("certain", "fails when PostgreSQL is down")} with input as budget(depends({"address": ""}))
	rule.findings == {finding("likely", "may fail when orders-db:5432 is down")} with input as budget(depends({"product": "", "certain": false}))
	rule.findings == {finding("certain", "fails when what it asks is down")} with input as budget(depends({"product": "", "address": ""}))
}

test_a_decision_is_none if {
	every policy in ["AlwaysAllow", "IfHealthyBudget"] {
		rule.findings == set() with input as budget(object.union(
			depends({}),
			{"unhealthy_pods": {"set": true, "type": "string", "number": 0, "text": policy}},
		))
	}
}

test_no_dependency_is_none if {
	rule.findings == set() with input as budget({})
	rule.findings == set() with input as budget({"workloads": [{"kind": "Deployment", "name": "api", "dependencies": []}]})
}

test_older_versions_have_no_such_field if {
	rule.findings == set() with input as budget(object.union(depends({}), {"api_version": "policy/v1beta1"}))
	rule.findings == set() with input as budget(object.union(depends({}), {"kube": {"minor": 26}}))
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as budget(object.union(depends({}), {"selector_known": false}))
	rule.findings == set() with input as budget(object.union(depends({}), {"selects_none": true}))
}
