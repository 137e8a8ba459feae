package policies.reach.probe_host_is_node_test

import data.policies.reach.probe_host_is_node as rule

workload(probe) := {"containers": [{"name": "sensor", "type": "app", "probes": [object.union(
	{
		"type": "liveness",
		"field": "livenessProbe",
		"path": ["spec", "livenessProbe"],
		"handler": "httpGet",
		"host": "127.0.0.1",
		"http": {"scheme": "HTTP", "path": "/live"},
		"port": {"name": "", "number": 8080, "declared": true, "known": true},
		"period": 20,
		"written": ["periodSeconds"],
		"known": true,
		"targets": [{"host": "127.0.0.1", "place": "node", "evidence": 0}],
	},
	probe,
)]}]}

title := "drop host, so that the kubelet dials the pod's own IP (the process has to listen there, not on loopback alone)"

test_a_loopback_host_of_liveness_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "httpGet", "host"],
		"message": concat("", [
			`liveness of container "sensor" asks the node, not the pod: `,
			"host 127.0.0.1 makes the kubelet dial its own node at port 8080",
		]),
		"effect": concat("", [
			"if nothing on the node listens there, every probe fails and the container is restarted again and again; ",
			"if something does, that process is judged instead: a hung container passes, and the other's failure restarts this one",
		]),
		"evidence": [0],
		"container": "sensor",
		"fixes": [{
			"title": title,
			"safety": "display",
			"suggestion": {"livenessProbe": {"httpGet": {"path": "/live", "port": 8080}, "periodSeconds": 20}},
		}],
	}} with input as workload({})
}

test_readiness_and_tcp_are_found_too if {
	some finding in rule.findings with input as workload({
		"type": "readiness", "field": "readinessProbe", "path": ["spec", "readinessProbe"], "handler": "tcpSocket",
	})
	finding.path == ["spec", "readinessProbe", "tcpSocket", "host"]
	finding.effect == concat("", [
		"if nothing on the node listens there, every probe fails and the pod never gets traffic; ",
		"if something does, that process decides whether this pod gets traffic",
	])
	finding.fixes[0].suggestion == {"readinessProbe": {"tcpSocket": {"port": 8080}, "periodSeconds": 20}}
}

test_an_unknown_port_is_not_invented if {
	some finding in rule.findings with input as workload({"type": "startup", "port": {"known": false, "number": 0}})
	endswith(finding.message, "dial its own node")
	finding.fixes == [{"title": title, "safety": "display"}]
}

test_a_pod_on_the_network_of_its_node_is_none if {
	rule.findings == set() with input as workload({"targets": [{"host": "127.0.0.1", "place": "self", "evidence": 0}]})
}

test_no_host_is_none if {
	own := [{"host": "", "place": "self", "evidence": 0}]
	rule.findings == set() with input as workload({"host": "", "targets": own})
}

test_another_host_is_the_matter_of_another_rule if {
	other := [{"host": "api", "place": "service", "evidence": 0}]
	rule.findings == set() with input as workload({"host": "api", "targets": other})
}

test_a_command_runs_in_the_container if {
	rule.findings == set() with input as workload({"handler": "exec", "host": "", "targets": []})
}
