package policies.reach.liveness_readiness_endpoint_test

import data.policies.reach.liveness_readiness_endpoint as rule

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
	"depends": "yes", "dependency": "the SQL database", "cluster": false, "readiness": true,
	"confidence": "certain", "outcome": "", "evidence": 0, "setting": {"name": "", "value": ""},
	"alternative": {"path": "", "command": [], "tcp_socket": false},
}

endpoint(fields) := {"endpoint": object.union(known, fields)}

remote := {
	"host": "orders-db", "port": "5432", "place": "service", "remote": true, "decides": true, "dependency": "PostgreSQL",
	"subject": "", "via": "httpGet", "confidence": "certain", "outcome": "", "evidence": 1,
}

unready := endpoint({"depends": "", "dependency": "", "product": "", "confidence": ""})

test_a_readiness_endpoint_is_found if {
	some finding in rule.findings with input as workload(unready, {})
	finding.message == `liveness of container "api" asks /check of the application, a readiness endpoint`
	finding.path == ["spec", "livenessProbe", "httpGet", "path"]
	finding.evidence == [0]
	startswith(finding.effect, "not being ready under 20 s restarts nobody; one of 30 s or more restarts all 6 replicas")
}

test_what_it_is_known_to_wait_for_is_named if {
	some finding in rule.findings with input as workload(endpoint({"depends": "", "dependency": "the ring store"}), {})
	finding.message == concat("", [
		`liveness of container "api" asks /check of Shop, a readiness endpoint, `,
		"which may fail without the ring store",
	])
}

test_one_failed_probe_is_told_as_it_is if {
	strict := {"budget": {"harmless": 0, "fatal": 10, "earliest": 5, "latest": 15, "spread": 10}}
	some finding in rule.findings with input as workload(object.union(unready, strict), {})
	startswith(finding.effect, "one failed probe is enough")
}

test_a_known_dependency_is_another_story if {
	rule.findings == set() with input as workload({}, {})
}

test_a_cleared_endpoint_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": "no"}), {})
}

test_another_endpoint_is_none if {
	rule.findings == set() with input as workload(endpoint({"depends": "", "readiness": false}), {})
}

test_a_proven_remote_target_is_another_story if {
	rule.findings == set() with input as workload(object.union(unready, {"targets": [remote]}), {})
}

test_readiness_asks_it_of_course if {
	rule.findings == set() with input as workload(object.union(unready, {"type": "readiness", "restarts": false}), {})
}

test_startup_may_wait_for_it if {
	rule.findings == set() with input as workload(object.union(unready, {"type": "startup"}), {})
}
