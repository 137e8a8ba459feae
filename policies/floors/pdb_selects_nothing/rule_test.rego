package policies.floors.pdb_selects_nothing_test

import data.policies.floors.pdb_selects_nothing as rule

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

near(fields) := {"near": object.union(
	{
		"set": true, "kind": "Deployment", "name": "web", "key": "app", "want": "api", "have": "web", "lack": false,
		"selector": {"matchLabels": {"app": "web"}}, "labels": {"app": "web"},
	},
	fields,
)}

finding(path, reason, fix) := {
	"path": path,
	"message": sprintf("PodDisruptionBudget api selects no pod: %s", [reason]),
	"effect": "the budget limits nothing: drains may evict every replica of Deployment web at the same time",
	"fixes": [fix],
}

selecting_web := {
	"title": "select the pods of Deployment web",
	"safety": "display",
	"suggestion": {
		"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "api"},
		"spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}},
	},
}

test_another_value_is_found if {
	reason := "it asks for app: api, and the pods of Deployment web have app: web"
	want := {finding(["spec", "selector", "matchLabels", "app"], reason, selecting_web)}
	rule.findings == want with input as budget(near({}))
}

test_a_label_that_lacks_is_found if {
	reason := "the pods of Deployment web have no label app"
	want := {finding(["spec", "selector", "matchLabels", "app"], reason, selecting_web)}
	rule.findings == want with input as budget(near({"lack": true, "have": ""}))
}

test_expressions_are_found if {
	expressions := {"selector": {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}}
	excluded := "it excludes the label app: web of the pods of Deployment web"
	bad := object.union(object.remove(budget(near({"want": "web"})), ["selector"]), expressions)
	rule.findings == {finding(["spec", "selector", "matchExpressions"], excluded, selecting_web)} with input as bad
	absent_only := object.union(object.remove(budget(near({"want": ""})), ["selector"]), expressions)
	rule.findings == {finding(["spec", "selector", "matchExpressions"], excluded, selecting_web)} with input as absent_only
}

test_another_namespace_is_found if {
	moved := object.union(object_with({"maxUnavailable": 1}), {"metadata": {"namespace": "shop"}})
	fix := {"title": "put the budget into namespace shop", "safety": "display", "suggestion": moved}
	reason := "it is in namespace shops, and the pods of Deployment web are in shop"
	want := {finding(["metadata", "namespace"], reason, fix)}
	rule.findings == want with input as budget(object.union(
		{"namespace": "shops"},
		near({"key": "namespace", "want": "shops", "have": "shop"}),
	))
}

none_at_all(reason) := {
	"path": ["spec", "selector"],
	"message": sprintf("PodDisruptionBudget api selects no pod: %s", [reason]),
	"effect": "the budget limits nothing: drains may evict every replica at the same time",
	"fixes": [{"title": "name the labels of the pods", "safety": "display", "suggestion": object_with({"maxUnavailable": 1})}],
}

test_no_selector_is_found if {
	bad := object.union(budget(near({})), {"selects_none": true, "has_selector": false, "selector": {}})
	rule.findings == {none_at_all("it has no selector")} with input as bad
	beta := object.union(budget({}), {"selects_none": true, "selector": {}})
	rule.findings == {none_at_all("an empty selector selects none in policy/v1beta1")} with input as beta
}

test_nothing_near_is_none if {
	rule.findings == set() with input as budget({})
	rule.findings == set() with input as budget({"workloads": [{"kind": "Deployment", "name": "api"}]})
}

test_a_partial_bundle_is_none if {
	rule.findings == set() with input as budget(object.union(near({}), {"partial": true}))
}
