package policies.timing.liveness_outpaces_readiness_test

import data.policies.timing.liveness_outpaces_readiness as rule

budget := {"harmless": 20, "fatal": 30, "earliest": 21, "latest": 31, "spread": 10}

probe(kind, targets) := {
	"type": kind,
	"field": sprintf("%sProbe", [kind]),
	"path": ["spec", sprintf("%sProbe", [kind])],
	"restarts": kind == "liveness",
	"never_fails": false,
	"period": 10,
	"timeout": 1,
	"budget": budget,
	"targets": targets,
}

workload(shared, targets) := {"fragment": false, "containers": [{
	"name": "quotes",
	"image": "",
	"type": "app",
	"shared": object.union(
		{
			"same": true,
			"local": false,
			"outpaces": "hang",
			"liveness": {"earliest": 21, "latest": 31},
			"readiness": {"earliest": 21, "latest": 31},
		},
		shared,
	),
	"probes": [probe("liveness", targets), probe("readiness", targets)],
}]}

database := {
	"host": "quotes-db", "port": "5432", "place": "service", "remote": true, "decides": true,
	"dependency": "PostgreSQL", "evidence": 0,
}

test_identical_probes_are_worth_knowing if {
	rule.findings == {{
		"path": ["spec", "livenessProbe"],
		"message": concat("", [
			`liveness of container "quotes" asks the same as readiness and gives up 21–31 s after the check starts to fail, `,
			"readiness after 21–31 s",
		]),
		"effect": concat("", [
			"a slow instance is restarted before readiness has taken it out of rotation, or at the same time, ",
			"so it cannot recover or drain",
		]),
		"evidence": [],
		"severity": "info",
		"container": "quotes",
		"fixes": [{
			"title": "let liveness wait until readiness has taken the pod out of its Services",
			"safety": "display",
			"suggestion": {"livenessProbe": {"failureThreshold": 5}},
		}],
	}} with input as workload({}, [])
}

test_a_shared_dependency_makes_it_a_warning if {
	some finding in rule.findings with input as workload({}, [database])
	finding.severity == "warning"
	finding.evidence == [0]
	finding.effect == concat("", [
		"the check fails when PostgreSQL is down, so such an outage restarts instances ",
		"that readiness alone would have kept waiting",
	])
}

test_an_address_stands_for_an_unknown_product if {
	some finding in rule.findings with input as workload({}, [object.union(database, {"dependency": ""})])
	startswith(finding.effect, "the check fails when quotes-db:5432 is down, so")
}

test_an_endpoint_that_is_known_to_fail_with_a_dependency_makes_it_a_warning if {
	endpoint := {"depends": "yes", "dependency": "the metadata database", "evidence": 3}
	facts := json.patch(workload({}, []), [{"op": "add", "path": "/containers/0/probes/0/endpoint", "value": endpoint}])
	some finding in rule.findings with input as facts
	finding.severity == "warning"
	finding.evidence == [3]
	startswith(finding.effect, "the check fails when the metadata database is down, so")
}

test_a_cleared_endpoint_is_no_warning if {
	endpoint := {"depends": "no", "dependency": "", "evidence": 3}
	facts := json.patch(workload({}, []), [{"op": "add", "path": "/containers/0/probes/0/endpoint", "value": endpoint}])
	some finding in rule.findings with input as facts
	finding.severity == "info"
	finding.evidence == []
}

test_errors_are_told_from_hangs if {
	shared := {"outpaces": "error", "liveness": {"earliest": 20, "latest": 30}, "readiness": {"earliest": 20, "latest": 30}}
	some finding in rule.findings with input as workload(shared, [])
	endswith(finding.message, "gives up 20–30 s after the check starts to answer with errors, readiness after 20–30 s")
}

test_a_dependency_that_does_not_decide_is_no_warning if {
	some finding in rule.findings with input as workload({}, [object.union(database, {"decides": false})])
	finding.severity == "info"
}

test_the_own_server_is_no_warning if {
	some finding in rule.findings with input as workload({}, [object.union(database, {"remote": false})])
	finding.severity == "info"
}

test_other_checks_are_none if {
	rule.findings == set() with input as workload({"same": false}, [])
}

test_liveness_that_is_clearly_slower_is_none if {
	rule.findings == set() with input as workload({"outpaces": ""}, [])
}

test_a_check_inside_the_pod_is_none if {
	rule.findings == set() with input as workload({"local": true}, [])
}

test_a_check_that_cannot_fail_is_none if {
	facts := workload({}, [])
	rule.findings == set() with input as json.patch(facts, [{
		"op": "replace", "path": "/containers/0/probes/0/never_fails", "value": true,
	}])
}

test_an_init_container_is_none if {
	facts := workload({}, [])
	rule.findings == set() with input as json.patch(facts, [{
		"op": "replace", "path": "/containers/0/probes/0/restarts", "value": false,
	}])
}

test_a_patch_does_not_say_everything if {
	rule.findings == set() with input as object.union(workload({}, []), {"fragment": true})
}
