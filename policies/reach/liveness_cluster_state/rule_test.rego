package policies.reach.liveness_cluster_state_test

import data.policies.reach.liveness_cluster_state as rule

# api asks its own endpoint over HTTP, six times replicated.
workload(probe, container) := {
	"kind": "Deployment",
	"name": "api",
	"class": "service",
	"restart_policy": "Always",
	"services": ["api"],
	"replicas": {"known": true, "value": 6, "from": "replicas"},
	"containers": [object.union(
		{
			"name": "api",
			"type": "app",
			"ports": [{"name": "http", "number": 8080, "protocol": "TCP"}],
			"probes": [object.union(http_probe, probe)],
		},
		container,
	)],
}

http_probe := {
	"type": "liveness",
	"field": "livenessProbe",
	"path": ["spec", "livenessProbe"],
	"handler": "httpGet",
	"restarts": true,
	"host": "",
	"http": {"scheme": "HTTP", "path": "/check", "headers": []},
	"port": {"name": "http", "number": 8080, "declared": true, "known": true},
	"command": [],
	"period": 10,
	"failure_threshold": 3,
	"initial_delay": 0,
	"timeout": 5,
	"written": ["periodSeconds", "timeoutSeconds"],
	"known": true,
	"budget": {"harmless": 20, "fatal": 30, "earliest": 25, "latest": 35, "spread": 10},
	"targets": [],
	"endpoint": known,
}

known := {
	"asked": "/check", "kind": "http", "via": "httpGet", "container": "api", "id": "shop", "product": "Shop",
	"depends": "yes", "dependency": "the SQL database", "cluster": true, "readiness": false,
	"confidence": "certain", "outcome": "", "evidence": 0, "setting": {"name": "", "value": ""},
	"alternative": {"path": "", "command": [], "tcp_socket": false},
}

endpoint(fields) := {"endpoint": object.union(known, fields)}

remote := {
	"host": "orders-db", "port": "5432", "place": "service", "remote": true, "decides": true, "dependency": "PostgreSQL",
	"subject": "", "via": "httpGet", "confidence": "certain", "outcome": "", "evidence": 1,
}

test_a_question_about_the_cluster_is_found if {
	safe := {"path": "", "command": ["shopctl", "ping"], "tcp_socket": false}
	some finding in rule.findings with input as workload(
		object.union(
			{"handler": "exec", "command": ["shopctl", "quorum"]},
			endpoint({
				"asked": "shopctl quorum", "kind": "command", "via": "shopctl", "dependency": "the quorum",
				"outcome": "the probe exits 1", "alternative": safe,
			}),
		),
		{},
	)
	finding == {
		"path": ["spec", "livenessProbe", "exec", "command"],
		"message": concat("", [
			"liveness of container \"api\" asks `shopctl quorum` of Shop, which fails without the quorum, ",
			"however sound this process is",
		]),
		"effect": concat("", [
			"in that outage the probe exits 1; an outage under 20 s restarts nobody; ",
			"one of 30 s or more restarts all 6 replicas within 10 s of each other, and no PDB or maxUnavailable limits that",
		]),
		"evidence": [0],
		"confidence": "certain",
		"container": "api",
		"fixes": [{
			"title": "run `shopctl ping` instead",
			"safety": "display",
			"suggestion": {"livenessProbe": {
				"exec": {"command": ["shopctl", "ping"]},
				"periodSeconds": 10,
				"timeoutSeconds": 5,
			}},
		}],
	}
}

test_a_likely_one_may_fail if {
	some finding in rule.findings with input as workload(endpoint({"confidence": "likely"}), {})
	contains(finding.message, "which may fail without the SQL database")
}

test_a_dependency_that_is_no_cluster_is_another_story if {
	rule.findings == set() with input as workload(endpoint({"cluster": false}), {})
}

test_a_local_answer_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": "no"}), {})
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": ""}), {})
}

test_a_proven_remote_target_is_another_story if {
	rule.findings == set() with input as workload({"targets": [remote]}, {})
}

test_readiness_may_ask_it if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false}, {})
}

test_startup_is_the_matter_of_another_rule if {
	rule.findings == set() with input as workload({"type": "startup"}, {})
}

test_a_single_replica_is_a_quorum_of_its_own if {
	stateful := {"kind": "StatefulSet", "replicas": {"known": true, "value": 1, "from": "default"}}
	quorum := endpoint({"dependency": "the ZooKeeper quorum"})
	rule.findings == set() with input as object.union(workload(quorum, {}), stateful)
	count(rule.findings) == 1 with input as object.union(workload(endpoint({}), {}), stateful)
}
