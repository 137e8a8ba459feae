package policies.timing.liveness_without_readiness_test

import data.policies.timing.liveness_without_readiness as rule

live := {
	"type": "liveness",
	"path": ["spec", "livenessProbe"],
	"handler": "httpGet",
	"restarts": true,
	"known": true,
	"never_fails": false,
	"host": "",
	"http": {"scheme": "HTTP", "path": "/livez", "headers": []},
	"port": {"name": "http", "known": true},
	"budget": {"earliest": 21, "latest": 31},
}

workload(facts, container) := object.union(
	{"kind": "Deployment", "class": "service", "fragment": false, "containers": [object.union(
		{"name": "booking", "image": "", "type": "app", "served_by": ["booking"], "probes": [live]},
		container,
	)]},
	facts,
)

test_traffic_without_readiness_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe"],
		"message": `container "booking" has a liveness but no readiness probe, and Service booking sends it traffic`,
		"effect": concat("", [
			"it gets traffic from its start, ",
			"and when it hangs it keeps its traffic until liveness restarts it, 21–31 s later",
		]),
		"container": "booking",
		"fixes": [{
			"title": "take it out of the Service before it is restarted",
			"safety": "display",
			"suggestion": {"readinessProbe": {
				"httpGet": {"path": "/livez", "port": "http"},
				"periodSeconds": 5,
				"failureThreshold": 2,
			}},
		}],
	}} with input as workload({}, {})
}

test_all_services_are_named if {
	some finding in rule.findings with input as workload({}, {"served_by": ["booking", "booking-internal"]})
	endswith(finding.message, "Services booking and booking-internal send it traffic")
}

test_templated_values_leave_the_numbers_out if {
	probe := object.union(live, {"known": false, "port": {"name": "", "known": false}})
	some finding in rule.findings with input as workload({}, {"probes": [probe]})
	endswith(finding.effect, "until liveness restarts it")
	finding.fixes == [{"title": "add a readinessProbe that gives up before liveness does", "safety": "display"}]
}

test_readiness_is_enough if {
	rule.findings == set() with input as workload({}, {"probes": [live, {"type": "readiness"}]})
}

test_no_liveness_is_none if {
	rule.findings == set() with input as workload({}, {"probes": []})
}

test_a_container_that_gets_no_traffic_is_none if {
	rule.findings == set() with input as workload({}, {"served_by": []})
}

test_a_worker_is_none if {
	rule.findings == set() with input as workload({"class": "worker"}, {})
}

test_knative_is_none if {
	rule.findings == set() with input as workload({"kind": "Service"}, {})
}

test_a_patch_is_none if {
	rule.findings == set() with input as workload({"fragment": true}, {})
}

test_a_probe_without_a_handler_is_none if {
	rule.findings == set() with input as workload({}, {"probes": [object.union(live, {"handler": ""})]})
}

test_liveness_that_cannot_fail_is_none if {
	rule.findings == set() with input as workload({}, {"probes": [object.union(live, {"never_fails": true})]})
}
