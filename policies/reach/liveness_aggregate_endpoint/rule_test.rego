package policies.reach.liveness_aggregate_endpoint_test

import data.policies.reach.liveness_aggregate_endpoint as rule

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
	"depends": "yes", "dependency": "the SQL database", "cluster": false, "readiness": false,
	"confidence": "certain", "outcome": "", "evidence": 0, "setting": {"name": "", "value": ""},
	"alternative": {"path": "", "command": [], "tcp_socket": false},
}

endpoint(fields) := {"endpoint": object.union(known, fields)}

remote := {
	"host": "orders-db", "port": "5432", "place": "service", "remote": true, "decides": true, "dependency": "PostgreSQL",
	"subject": "", "via": "httpGet", "confidence": "certain", "outcome": "", "evidence": 1,
}

test_an_endpoint_that_asks_a_database_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "httpGet", "path"],
		"message": `liveness of container "api" asks /check of Shop, which fails when the SQL database is down`,
		"effect": concat("", [
			"an outage under 20 s restarts nobody; one of 30 s or more restarts all 6 replicas within 10 s of each other, ",
			"and no PDB or maxUnavailable limits that",
		]),
		"evidence": [0],
		"confidence": "certain",
		"container": "api",
		"fixes": [{
			"title": "probe port http for liveness, and keep this check as readinessProbe",
			"safety": "display",
			"suggestion": {
				"livenessProbe": {"tcpSocket": {"port": "http"}, "periodSeconds": 10, "timeoutSeconds": 5},
				"readinessProbe": {
					"httpGet": {"path": "/check", "port": "http"},
					"periodSeconds": 10,
					"timeoutSeconds": 5,
				},
			},
		}],
	}} with input as workload({}, {})
}

test_a_safe_endpoint_of_the_product_is_the_fix if {
	safe := {"path": "/alive", "command": [], "tcp_socket": false}
	some finding in rule.findings with input as workload(endpoint({"alternative": safe}), {})
	finding.fixes == [{
		"title": "ask /alive instead of /check",
		"safety": "display",
		"suggestion": {"livenessProbe": {
			"httpGet": {"path": "/alive", "port": "http"},
			"periodSeconds": 10,
			"timeoutSeconds": 5,
		}},
	}]
}

test_a_likely_dependency_is_a_likely_finding if {
	some finding in rule.findings with input as workload(endpoint({"confidence": "likely"}), {})
	finding.confidence == "likely"
	finding.message == `liveness of container "api" asks /check of Shop, which may fail when the SQL database is down`
}

test_a_proven_remote_target_is_another_story if {
	rule.findings == set() with input as workload({"targets": [remote]}, {})
}

test_a_tolerated_remote_target_does_not_hide_the_endpoint if {
	count(rule.findings) == 1 with input as workload({"targets": [object.union(remote, {"decides": false})]}, {})
}

test_a_question_about_a_cluster_is_another_story if {
	rule.findings == set() with input as workload(endpoint({"cluster": true}), {})
}

test_what_configuration_decides_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": ""}), {})
}

test_a_cleared_endpoint_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": "no"}), {})
}

test_readiness_may_ask_it if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false}, {})
}

test_startup_is_the_matter_of_another_rule if {
	rule.findings == set() with input as workload({"type": "startup"}, {})
}

test_an_init_container_cannot_have_liveness if {
	rule.findings == set() with input as workload({"restarts": false}, {"type": "init"})
}

test_a_request_that_is_handed_on_is_a_remote_dependency if {
	rule.findings == set() with input as workload(endpoint({"proxied": true}), {})
}
