package policies.reach.startup_remote_dependency_test

import data.policies.reach.startup_remote_dependency as rule

# wait-for-db of container worker asks MySQL before anything else runs.
workload(probe) := {
	"kind": "StatefulSet",
	"name": "worker",
	"class": "service",
	"restart_policy": "Always",
	"replicas": {"known": true, "value": 4, "from": "replicas"},
	"containers": [{
		"name": "worker",
		"type": "app",
		"ports": [],
		"probes": [object.union(
			{
				"type": "startup",
				"field": "startupProbe",
				"path": ["spec", "startupProbe"],
				"handler": "tcpSocket",
				"restarts": true,
				"host": "billing-db",
				"port": {"name": "", "number": 3306, "declared": false, "known": true},
				"initial_delay": 0,
				"period": 5,
				"failure_threshold": 12,
				"written": ["failureThreshold", "periodSeconds"],
				"known": true,
				"budget": {"harmless": 55, "fatal": 60, "earliest": 56, "latest": 61, "spread": 5},
				"targets": [database],
			},
			probe,
		)],
	}],
}

database := {
	"host": "billing-db", "port": "3306", "place": "cluster", "remote": true, "decides": true,
	"dependency": "MySQL", "subject": "", "via": "tcpSocket", "confidence": "certain", "outcome": "", "evidence": 0,
}

test_a_database_that_decides_startup_is_found if {
	rule.findings == {{
		"path": ["spec", "startupProbe", "tcpSocket", "host"],
		"message": `startup of container "worker" fails when MySQL at billing-db:3306 is down`,
		"effect": concat("", [
			"replicas that have started go on, but one that starts during the outage (after a crash, in a rollout, ",
			"on a new node) is killed 55 to 61 s after its start, again and again",
		]),
		"evidence": [0],
		"confidence": "certain",
		"container": "worker",
		"fixes": [{
			"title": "let startupProbe ask this process alone, and keep this check as readinessProbe",
			"safety": "display",
			"suggestion": {"readinessProbe": {
				"tcpSocket": {"host": "billing-db", "port": 3306},
				"periodSeconds": 5,
				"failureThreshold": 12,
			}},
		}],
	}} with input as workload({})
}

test_without_a_service_readiness_has_nothing_to_hold_back if {
	some finding in rule.findings with input as object.union(workload({}), {"class": "worker"})
	finding.fixes == [{"title": "let startupProbe ask this process alone", "safety": "display"}]
}

test_liveness_is_the_matter_of_another_rule if {
	rule.findings == set() with input as workload({"type": "liveness"})
}

test_readiness_may_wait_for_a_database if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false})
}

test_a_tolerated_failure_is_none if {
	rule.findings == set() with input as workload({"targets": [object.union(database, {"decides": false})]})
}

test_loopback_is_none if {
	own := object.union(database, {"host": "127.0.0.1", "place": "self", "remote": false})
	rule.findings == set() with input as workload({"targets": [own]})
}

asking(fields) := {
	"handler": "httpGet",
	"host": "",
	"http": {"scheme": "HTTP", "path": "/check", "headers": []},
	"port": {"name": "", "number": 8080, "declared": true, "known": true},
	"targets": [],
	"endpoint": object.union(
		{
			"asked": "/check", "kind": "http", "via": "httpGet", "container": "worker", "product": "Shop",
			"depends": "yes", "dependency": "the SQL database", "cluster": false, "confidence": "certain",
			"outcome": "", "evidence": 0, "setting": {"name": "", "value": ""},
			"alternative": {"path": "", "command": [], "tcp_socket": false},
		},
		fields,
	),
}

test_an_endpoint_that_asks_a_database_is_found if {
	some finding in rule.findings with input as workload(asking({}))
	finding.message == `startup of container "worker" asks /check of Shop, which fails when the SQL database is down`
	finding.evidence == [0]
}

test_an_endpoint_of_its_own_process_is_none if {
	rule.findings == set() with input as workload(asking({"depends": "no"}))
}
