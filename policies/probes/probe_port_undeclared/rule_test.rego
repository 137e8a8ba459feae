package policies.probes.probe_port_undeclared_test

import data.policies.probes.probe_port_undeclared as rule

workload(container, probe) := {
	"fragment": false,
	"containers": [
		object.union(
			{
				"name": "gateway",
				"image": "gateway:3",
				"type": "app",
				"ports": [{"name": "web", "number": 8080}],
				"probes": [object.union(
					{
						"type": "liveness",
						"field": "livenessProbe",
						"path": ["spec", "livenessProbe"],
						"handler": "httpGet",
						"port": {"name": "http", "number": 0, "declared": false, "declared_by": "", "known": true},
					},
					probe,
				)],
			},
			container,
		),
		{
			"name": "proxy", "image": "proxy:1", "type": "app", "probes": [],
			"ports": [{"name": "metrics", "number": 9090}, {"name": "admin", "number": 0}],
		},
	],
}

test_a_name_that_nothing_declares_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe", "httpGet", "port"],
		"message": `liveness of container "gateway" names port "http", which the container does not declare (it declares web)`,
		"effect": concat("", [
			"every probe is an error, and errors are not failures: ",
			"this check never restarts the container, however broken it is",
		]),
		"container": "gateway",
		"fixes": [{
			"title": "probe port web of the same container",
			"safety": "display",
			"suggestion": {"livenessProbe": {"httpGet": {"port": "web"}}},
		}],
	}} with input as workload({}, {})
}

test_a_container_without_ports_is_found if {
	some finding in rule.findings with input as workload({"ports": []}, {"type": "readiness"})
	finding.message == `readiness of container "gateway" names port "http", which the container does not declare`
	finding.effect == concat("", [
		"every probe is an error, and errors are not failures: ",
		"the container never becomes ready, so its pods get no traffic and the rollout does not end",
	])
	finding.fixes == [{
		"title": `declare port "http" in the container's ports, or give the probe the number of the port`,
		"safety": "display",
	}]
}

test_a_port_without_a_name_can_get_it if {
	some finding in rule.findings with input as workload({"ports": [{"name": "", "number": 8080}]}, {"type": "startup"})
	finding.fixes == [{
		"title": "name the container's port 8080",
		"safety": "display",
		"suggestion": {"ports": [{"containerPort": 8080, "name": "http"}]},
	}]
}

test_the_container_that_declares_it_is_named if {
	port := {"name": "metrics", "declared_by": "proxy"}
	some finding in rule.findings with input as workload({"type": "sidecar"}, {"port": port})
	finding.message == concat("", [
		`liveness of container "gateway" names port "metrics", which the container does not declare (container "proxy" does)`,
	])
	finding.fixes == [{
		"title": `probe the port by number, as container "proxy" declares it: containers of a pod share its IP`,
		"safety": "display",
		"suggestion": {"livenessProbe": {"httpGet": {"port": 9090}}},
	}]
}

test_a_number_that_is_unknown_is_not_suggested if {
	port := {"name": "admin", "declared_by": "proxy"}
	some finding in rule.findings with input as workload({}, {"port": port})
	not finding.fixes[0].suggestion
}

test_several_names_leave_the_choice_to_the_reader if {
	ports := [{"name": "web", "number": 8080}, {"name": "grpc", "number": 9000}]
	some finding in rule.findings with input as workload({"ports": ports}, {})
	endswith(finding.message, "(it declares web, grpc)")
	not finding.fixes[0].suggestion
}

test_a_patch_that_lists_ports_is_found if {
	count(rule.findings) == 1 with input as object.union(workload({}, {}), {"fragment": true})
}

test_a_patch_without_ports_is_none if {
	rule.findings == set() with input as object.union(workload({"ports": []}, {}), {"fragment": true})
}

test_a_container_without_image_is_none if {
	rule.findings == set() with input as workload({"image": ""}, {})
}

test_a_declared_name_is_none if {
	rule.findings == set() with input as workload({}, {"port": {"name": "web", "declared": true, "number": 8080}})
}

test_a_number_needs_no_declaration if {
	rule.findings == set() with input as workload({}, {"port": {"name": "", "number": 9999}})
}

test_a_templated_port_is_none if {
	rule.findings == set() with input as workload({}, {"port": {"known": false}})
}

test_an_init_container_has_no_probes if {
	rule.findings == set() with input as workload({"type": "init"}, {})
}

test_a_command_has_no_port if {
	rule.findings == set() with input as workload({}, {"handler": "exec", "port": {"name": "", "known": false}})
}
