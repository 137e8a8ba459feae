package policies.floors.pdb_not_computable_test

import data.policies.floors.pdb_not_computable as rule

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

workload(kind, scale) := {"kind": kind, "name": "api", "scale": scale}

finding(limit, reason, effect) := {
	"path": ["spec", limit[0]],
	"message": sprintf("PodDisruptionBudget api cannot be computed: %s %s needs a number of replicas, and %s", [limit[0], limit[1], reason]),
	"effect": effect,
	"fixes": [{
		"title": "count the pods that must stay, which works without replicas",
		"safety": "display",
		"suggestion": object_with({"minAvailable": 1}),
	}],
}

for_ever := "no pod that the budget selects may ever be evicted: drains of their nodes hang"

test_a_daemonset_is_found if {
	want := {finding(["maxUnavailable", "1"], "DaemonSet api has none", for_ever)}
	rule.findings == want with input as budget({"workloads": [workload("DaemonSet", "none")]})
}

test_a_percentage_of_a_job_is_found if {
	want := {finding(["minAvailable", "80%"], "Job api has none", for_ever)}
	rule.findings == want with input as budget({
		"min_available": percent(80), "max_unavailable": none, "workloads": [workload("Job", "none")],
	})
}

test_bare_pods_are_found if {
	want := {finding(["maxUnavailable", "1"], "Pod api and Pod api have no controller", for_ever)}
	rule.findings == want with input as budget({"workloads": [workload("Pod", "bare"), workload("Pod", "bare")]})
}

test_a_daemonset_beside_others_is_found if {
	want := {finding(["maxUnavailable", "1"], "DaemonSet api has none", for_ever)}
	rule.findings == want with input as budget({"workloads": [workload("Deployment", "scale"), workload("DaemonSet", "none")]})
}

test_a_job_beside_others_passes if {
	while_it_runs := "while pods of the Job run, no pod that the budget selects may be evicted: drains of their nodes hang"
	want := {object.union({"severity": "warning"}, finding(["maxUnavailable", "1"], "CronJob api has none", while_it_runs))}
	rule.findings == want with input as budget({"workloads": [workload("Deployment", "scale"), workload("CronJob", "none")]})
}

test_an_integer_counts_pods if {
	every kind, scale in {"DaemonSet": "none", "Job": "none", "Pod": "bare"} {
		rule.findings == set() with input as budget({
			"min_available": count_of(2), "max_unavailable": none, "workloads": [workload(kind, scale)],
		})
	}
}

test_what_has_a_scale_is_none if {
	rule.findings == set() with input as budget({"workloads": [workload("Deployment", "scale")]})
	rule.findings == set() with input as budget({"workloads": [workload("Deployment", "scale"), workload("Pod", "bare")]})
	rule.findings == set() with input as budget({"workloads": [workload("Widget", "unknown")]})
	rule.findings == set() with input as budget({})
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as budget({"max_unavailable": templated, "workloads": [workload("Job", "none")]})
	rule.findings == set() with input as budget({"selector_known": false, "workloads": [workload("Job", "none")]})
	rule.findings == set() with input as budget({"max_unavailable": none, "workloads": [workload("Job", "none")]})
}
