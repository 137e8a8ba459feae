package policies.floors.pdb_overlap_test

import data.policies.floors.pdb_overlap as rule

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

test_two_budgets_are_found if {
	rule.findings == {{
		"path": ["spec", "selector"],
		"message": "PodDisruptionBudgets api and backend both select the pods of Deployment api and Job import",
		"effect": "every eviction of these pods is answered with HTTP 500, so drains of their nodes hang",
		"fixes": [{
			"title": "keep one budget for these pods: this one, and narrow or delete backend",
			"safety": "display",
			"suggestion": object_with({"minAvailable": "50%"}),
		}],
	}} with input as budget({
		"min_available": percent(50), "max_unavailable": none,
		"overlaps": [{"name": "backend", "workloads": ["Deployment api", "Job import"]}],
	})
}

test_each_other_budget_is_found if {
	count(rule.findings) == 2 with input as budget({"overlaps": [
		{"name": "a", "workloads": ["Deployment api"]},
		{"name": "b", "workloads": ["Deployment api"]},
	]})
}

test_one_budget_is_none if {
	rule.findings == set() with input as budget({})
	rule.findings == set() with input as budget({"workloads": [{"kind": "Deployment", "name": "api"}]})
}
