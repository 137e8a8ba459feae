package policies.reach.readiness_shared_dependency_test

import data.policies.reach.readiness_shared_dependency as rule

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
	"type": "readiness",
	"field": "readinessProbe",
	"path": ["spec", "readinessProbe"],
	"handler": "httpGet",
	"restarts": false,
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

test_an_endpoint_that_asks_a_database_is_told if {
	rule.findings == {{
		"path": ["spec", "readinessProbe", "httpGet", "path"],
		"message": `readiness of container "api" asks /check of Shop, which fails when the SQL database is down`,
		"effect": "an outage of 30 s or more leaves Service api without endpoints, and nothing fails open",
		"evidence": [0],
		"confidence": "certain",
		"container": "api",
		"fixes": [{
			"title": "ask port http alone, where the application can answer in part without it",
			"safety": "display",
			"suggestion": {"readinessProbe": {"tcpSocket": {"port": "http"}, "periodSeconds": 10, "timeoutSeconds": 5}},
		}],
	}} with input as workload({}, {})
}

test_without_a_port_the_way_out_is_said_in_words if {
	some finding in rule.findings with input as workload({}, {"ports": []})
	finding.fixes == [{"title": "ask this process alone, where the application can answer in part without it", "safety": "display"}]
}

test_a_remote_target_is_told_once if {
	some finding in rule.findings with input as object.union(
		workload({"targets": [remote], "known": false}, {}),
		{"services": ["api", "admin"]},
	)
	finding.message == `readiness of container "api" fails when PostgreSQL at orders-db:5432 is down`
	finding.effect == "an outage of some length leaves Services admin and api without endpoints, and nothing fails open"
	count(rule.findings) == 1 with input as workload({"targets": [remote]}, {})
}

test_no_service_loses_endpoints if {
	rule.findings == set() with input as object.union(workload({}, {}), {"services": []})
}

test_the_own_service_is_not_shared if {
	own := object.union(remote, {"place": "own-service"})
	rule.findings == set() with input as workload({"targets": [own]}, {})
}

test_a_member_may_ask_its_cluster if {
	rule.findings == set() with input as workload(endpoint({"cluster": true}), {})
}

test_a_local_endpoint_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": "no"}), {})
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": ""}), {})
}

test_liveness_is_the_matter_of_other_rules if {
	rule.findings == set() with input as workload({"type": "liveness"}, {})
}

test_an_init_container_has_no_readiness if {
	rule.findings == set() with input as workload({}, {"type": "init"})
}
