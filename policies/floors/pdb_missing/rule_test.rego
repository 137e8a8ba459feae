package policies.floors.pdb_missing_test

import data.policies.floors.pdb_missing as rule

workload(facts) := object.union(
	{
		"kind": "Deployment",
		"name": "catalog",
		"namespace": "shop",
		"class": "service",
		"replicas": {"known": true, "value": 3, "from": "replicas"},
		"selector": {},
		"labels": {"app": "catalog", "helm.sh/chart": "catalog-1.2.0"},
		"services": ["catalog"],
		"pdbs": [],
		"missed_by": "",
		"singleton": false,
		"fragment": false,
		"partial": false,
	},
	facts,
)

test_replicas_behind_a_service_without_a_budget_are_found if {
	rule.findings == {{
		"path": [],
		"message": "Deployment catalog runs 3 replicas behind Service catalog, and no PodDisruptionBudget selects them",
		"effect": "draining nodes may evict all 3 at the same time; a budget limits such evictions, not restarts by probes",
		"fixes": [{
			"title": "allow one eviction at a time",
			"safety": "display",
			"suggestion": {
				"apiVersion": "policy/v1",
				"kind": "PodDisruptionBudget",
				"metadata": {"name": "catalog", "namespace": "shop"},
				"spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "catalog"}}},
			},
		}],
	}} with input as workload({})
}

test_the_minimum_of_an_autoscaler_counts if {
	some finding in rule.findings with input as workload({
		"namespace": "",
		"services": ["catalog", "catalog-headless", "catalog"],
		"replicas": {"known": true, "value": 2, "from": "HorizontalPodAutoscaler catalog"},
	})
	finding.message == concat("", [
		"Deployment catalog runs at least 2 replicas (HorizontalPodAutoscaler catalog) behind Services catalog, catalog-headless, ",
		"and no PodDisruptionBudget selects them",
	])
	startswith(finding.effect, "draining nodes may evict all of them at the same time")
	finding.fixes[0].suggestion.metadata == {"name": "catalog"}
}

test_a_budget_that_misses_is_named if {
	some finding in rule.findings with input as workload({"missed_by": "catalogue"})
	endswith(finding.message, "and no PodDisruptionBudget selects them: catalogue misses them")
}

test_many_services_are_counted if {
	some finding in rule.findings with input as workload({"services": ["a", "b", "c", "d"], "replicas": {"value": 2}})
	finding.message == "Deployment catalog runs 2 replicas behind 4 Services, and no PodDisruptionBudget selects them"
	startswith(finding.effect, "draining nodes may evict both at the same time")
}

test_a_part_of_the_input_that_is_unread_may_hold_it if {
	some finding in rule.findings with input as workload({"partial": true})
	finding.severity == "info"
}

test_one_replica_is_none if {
	rule.findings == set() with input as workload({"replicas": {"value": 1}})
}

test_an_unknown_number_is_none if {
	rule.findings == set() with input as workload({"replicas": {"known": false, "value": 0}})
}

test_a_budget_is_enough if {
	rule.findings == set() with input as workload({"pdbs": ["catalog"]})
}

test_workers_daemons_jobs_and_hooks_are_none if {
	every class in ["worker", "daemon", "batch", "hook"] {
		rule.findings == set() with input as workload({"class": class})
	}
}

test_a_leader_and_its_deputies_are_none if {
	rule.findings == set() with input as workload({"singleton": true})
}

test_a_patch_is_none if {
	rule.findings == set() with input as workload({"fragment": true})
}

test_knative_is_none if {
	rule.findings == set() with input as workload({"kind": "Service"})
}
