package policies.reach.liveness_remote_dependency_test

import data.policies.reach.liveness_remote_dependency as rule

# orders-db answers pg_isready of container api, six times replicated.
workload(probe, container) := {
	"kind": "Deployment",
	"name": "api",
	"class": "service",
	"restart_policy": "Always",
	"replicas": {"known": true, "value": 6, "from": "replicas"},
	"containers": [object.union(
		{
			"name": "api",
			"type": "app",
			"ports": [{"name": "http", "number": 8080, "protocol": "TCP"}],
			"probes": [object.union(exec_probe, probe)],
		},
		container,
	)],
}

exec_probe := {
	"type": "liveness",
	"field": "livenessProbe",
	"path": ["spec", "livenessProbe"],
	"handler": "exec",
	"restarts": true,
	"host": "",
	"port": {"name": "", "number": 0, "declared": false, "known": false},
	"command": ["pg_isready", "-h", "orders-db"],
	"period": 10,
	"failure_threshold": 3,
	"initial_delay": 0,
	"timeout": 5,
	"written": ["periodSeconds", "timeoutSeconds"],
	"known": true,
	"budget": {"harmless": 20, "fatal": 30, "earliest": 25, "latest": 35, "spread": 10},
	"targets": [database],
}

database := {
	"host": "orders-db", "port": "5432", "place": "service", "remote": true, "decides": true,
	"dependency": "PostgreSQL", "subject": "StatefulSet orders-db", "via": "pg_isready",
	"confidence": "certain", "outcome": "the probe exits 2", "evidence": 0,
}

test_a_database_that_decides_liveness_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "exec", "command"],
		"message": `liveness of container "api" fails when PostgreSQL at orders-db:5432 is down`,
		"effect": concat("", [
			"in that outage the probe exits 2; an outage under 20 s restarts nobody; ",
			"one of 30 s or more restarts all 6 replicas within 10 s of each other, and no PDB or maxUnavailable limits that",
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
					"exec": {"command": ["pg_isready", "-h", "orders-db"]},
					"periodSeconds": 10,
					"timeoutSeconds": 5,
				},
			},
		}],
	}} with input as workload({}, {})
}

test_two_ports_of_one_host_are_one_finding if {
	replica := object.union(database, {"port": "5433", "evidence": 1, "confidence": "likely"})
	some finding in rule.findings with input as workload({"targets": [database, replica]}, {})
	finding.message == `liveness of container "api" fails when PostgreSQL at orders-db:5432 or orders-db:5433 is down`
	finding.evidence == [0, 1]
	finding.confidence == "certain"
}

test_two_hosts_are_two_findings if {
	cache := object.union(database, {"host": "cache", "port": "6379", "dependency": "Redis"})
	count(rule.findings) == 2 with input as workload({"targets": [database, cache]}, {})
}

test_a_likely_target_makes_a_likely_finding if {
	broker := object.union(database, {
		"host": "", "port": "", "place": "external", "dependency": "the message broker", "subject": "",
		"via": "celery inspect ping", "confidence": "likely", "outcome": "",
	})
	some finding in rule.findings with input as workload({"targets": [broker]}, {"ports": []})
	finding.message == `liveness of container "api" may fail when the message broker is down (celery inspect ping)`
	finding.confidence == "likely"
}

test_the_own_service_is_found_and_not_moved if {
	own := object.union(database, {
		"host": "api.shop.svc", "port": "8080", "place": "own-service", "dependency": "", "subject": "Deployment api",
		"via": "httpGet", "outcome": "",
	})
	some finding in rule.findings with input as workload(
		{
			"handler": "httpGet",
			"host": "api.shop.svc",
			"http": {"scheme": "HTTP", "path": "/livez"},
			"port": {"name": "", "number": 8080, "declared": true, "known": true},
			"targets": [own],
		},
		{},
	)
	finding.path == ["spec", "livenessProbe", "httpGet", "host"]
	finding.message == `liveness of container "api" asks its own Service at api.shop.svc:8080, which any replica may answer`
	finding.fixes == [{
		"title": "drop host, so that the kubelet asks this pod",
		"safety": "display",
		"suggestion": {"livenessProbe": {
			"httpGet": {"path": "/livez", "port": 8080, "httpHeaders": [{"name": "Host", "value": "api.shop.svc"}]},
			"periodSeconds": 10,
			"timeoutSeconds": 5,
		}},
	}]
}

test_a_sidecar_is_judged if {
	count(rule.findings) == 1 with input as workload({}, {"type": "sidecar"})
}

test_a_target_that_cannot_fail_the_probe_is_none if {
	rule.findings == set() with input as workload({"targets": [object.union(database, {"decides": false})]}, {})
}

test_an_unresolved_name_is_none if {
	unknown := object.union(database, {"place": "unknown", "remote": false})
	rule.findings == set() with input as workload({"targets": [unknown]}, {})
}

test_loopback_is_none if {
	own := object.union(database, {"host": "127.0.0.1", "place": "self", "remote": false})
	rule.findings == set() with input as workload({"targets": [own]}, {})
}

test_the_node_is_the_matter_of_another_rule if {
	node := object.union(database, {"host": "localhost", "place": "node", "remote": false})
	rule.findings == set() with input as workload({"targets": [node]}, {})
}

test_no_target_is_none if {
	rule.findings == set() with input as workload({"targets": []}, {})
}

test_readiness_may_ask_a_database if {
	rule.findings == set() with input as workload({"type": "readiness", "restarts": false}, {})
}

test_startup_is_the_matter_of_another_rule if {
	rule.findings == set() with input as workload({"type": "startup"}, {})
}

test_an_init_container_cannot_have_liveness if {
	rule.findings == set() with input as workload({"restarts": false}, {"type": "init"})
}

# proxy is a Compose service whose healthcheck asks another one, with autoheal acting on it.
compose(service, target) := {
	"subject": "compose",
	"services": [object.union(
		{
			"name": "proxy",
			"health": {
				"own": true, "known": true, "harmless": 60, "fatal": 150, "test_path": ["services", "proxy", "healthcheck", "test"],
				"targets": [object.union(app, target)],
			},
			"actor": {"name": "autoheal", "confidence": "certain", "why": "label autoheal", "label": "autoheal", "own": true},
		},
		service,
	)],
}

app := {
	"host": "app", "port": "3000", "place": "service", "remote": true, "decides": true, "dependency": "", "subject": "service app",
	"via": "curl", "confidence": "certain", "outcome": "the probe exits 7", "evidence": 0,
}

test_a_healthcheck_that_autoheal_acts_on_is_found if {
	rule.findings == {{
		"path": ["services", "proxy", "healthcheck", "test"],
		"message": `healthcheck of container "proxy" fails when app:3000 (service app) is down`,
		"effect": concat("", [
			"in that outage the check exits 7; an outage under 60 s restarts nothing, one of 150 s or more ",
			"makes autoheal (label autoheal) restart the container, again and again",
		]),
		"evidence": [0],
		"confidence": "certain",
		"container": "proxy",
		"fixes": [{
			"title": "ask this container alone in the healthcheck, or keep autoheal away from it",
			"safety": "display",
			"suggestion": {"services": {"proxy": {"labels": {"autoheal": "false"}}}},
		}],
	}} with input as compose({}, {})
}

test_a_healthcheck_that_swarm_acts_on_is_found if {
	some finding in rule.findings with input as compose(
		{
			"health": {"harmless": 0, "fatal": 30},
			"actor": {"name": "Swarm", "confidence": "likely", "why": "the overlay network mesh", "own": false},
		},
		{"outcome": ""},
	)
	finding.confidence == "likely"
	finding.effect == concat("", [
		"one failed check is enough, and an outage of 30 s or more makes Swarm (the overlay network mesh) ",
		"replace every task of the service, again and again",
	])
	finding.fixes == [{
		"title": "ask this container alone in the healthcheck, or let Swarm act on exits only",
		"safety": "display",
		"suggestion": {"services": {"proxy": {"healthcheck": {"disable": true}}}},
	}]
}

test_a_healthcheck_with_unknown_timings_is_found if {
	some finding in rule.findings with input as compose(
		{"health": {"known": false, "own": false}, "actor": {"name": "deunhealth", "why": "label heal", "label": "heal"}},
		{"place": "own-service"},
	)
	finding.effect == concat("", [
		"an outage that lasts too long makes deunhealth (label heal) ",
		"restart the container, again and again",
	])
	finding.fixes[0].suggestion == {"services": {"proxy": {"labels": {"heal": "false"}}}}
}

test_a_healthcheck_that_nothing_acts_on_is_none if {
	rule.findings == set() with input as compose({"actor": {"name": ""}}, {})
}

test_a_healthcheck_of_another_file_is_judged_there if {
	rule.findings == set() with input as compose({"health": {"own": false}, "actor": {"own": false}}, {})
}

test_a_healthcheck_of_itself_is_none if {
	rule.findings == set() with input as compose({}, {"place": "self", "remote": false})
}

test_a_healthcheck_that_tolerates_the_outage_is_none if {
	rule.findings == set() with input as compose({}, {"decides": false})
}

proxied := {
	"handler": "httpGet",
	"http": {"scheme": "HTTP", "path": "/", "headers": []},
	"port": {"name": "http", "number": 8080, "declared": true, "known": true},
	"targets": [],
	"endpoint": {
		"asked": "/", "kind": "http", "product": "nginx", "depends": "yes", "proxied": true, "cluster": false,
		"dependency": "orders:8000", "confidence": "certain", "outcome": "", "evidence": 2,
		"alternative": {"path": "", "command": [], "tcp_socket": false}, "setting": {"name": "", "value": ""},
	},
}

test_a_request_that_the_web_server_hands_on_is_found if {
	some finding in rule.findings with input as workload(proxied, {})
	finding.path == ["spec", "livenessProbe", "httpGet", "path"]
	finding.message == `liveness of container "api" asks / of nginx, which fails when orders:8000 is down`
	finding.evidence == [2]
	finding.confidence == "certain"
}

test_an_endpoint_of_its_own_is_the_matter_of_another_rule if {
	own := object.union(proxied, {"endpoint": object.union(proxied.endpoint, {"proxied": false})})
	rule.findings == set() with input as workload(own, {})
}
