package policies.probes.probe_invalid_test

import data.policies.probes.probe_invalid as rule

workload(defect) := {"kind": "Deployment", "name": "shop", "containers": [shop], "defects": [object.union(
	{
		"path": ["spec", "livenessProbe"],
		"container": "shop",
		"probe": "livenessProbe",
		"in": "",
		"key": "",
		"value": "",
		"meant": "",
		"want": "",
		"whole": null,
	},
	defect,
)]}

shop := {
	"name": "shop",
	"ports": [{"name": "web", "number": 8080, "protocol": "TCP"}],
	"probes": [],
}

only(defect) := finding if some finding in rule.findings with input as workload(defect)

refused := "kubectl refuses the manifest; a client without strict validation drops the key"

test_a_misspelt_timing_is_found if {
	rule.findings == {{
		"path": ["spec", "livenessProbe"],
		"message": `livenessProbe of container "shop": unknown key "failureTreshold" (did you mean failureThreshold?)`,
		"effect": concat("", [refused, ", and the default of 3 applies"]),
		"container": "shop",
		"fixes": [{
			"title": "rename it to failureThreshold",
			"safety": "display",
			"suggestion": {"livenessProbe": {"failureThreshold": 5}},
		}],
	}} with input as workload({
		"kind": "misspelt", "in": "probe", "key": "failureTreshold", "meant": "failureThreshold", "whole": 5,
	})
}

test_a_misspelt_key_of_a_handler_names_the_handler if {
	finding := only({"kind": "misspelt", "in": "httpGet", "key": "headers", "meant": "httpHeaders"})
	finding.message == `httpGet of livenessProbe of container "shop": unknown key "headers" (did you mean httpHeaders?)`
	finding.effect == refused
}

test_a_misspelt_probe_is_no_probe if {
	finding := only({"kind": "misspelt", "in": "container", "probe": "", "key": "livenesProbe", "meant": "livenessProbe"})
	finding.message == `container "shop": unknown key "livenesProbe" (did you mean livenessProbe?)`
	finding.effect == concat("", [refused, ", and there is no such probe"])
}

test_a_misspelt_restart_policy_is_always if {
	finding := only({
		"kind": "misspelt", "in": "pod", "probe": "", "container": "", "key": "restartpolicy", "meant": "restartPolicy",
	})
	finding.message == `Deployment shop: unknown key "restartpolicy" (did you mean restartPolicy?)`
	finding.effect == concat("", [refused, ", and the pod's default of Always applies"])
}

test_misplaced_keys_are_sent_home if {
	cases := [
		[
			"httpGet", "periodSeconds", "livenessProbe", "shop", "probe", "httpGet", "the probe",
			{"suggestion": {"livenessProbe": {"periodSeconds": 7}}},
		],
		["container", "periodSeconds", "", "shop", "probe", "the container itself", "a probe", {}],
		[
			"probe", "readinessProbe", "livenessProbe", "shop", "container", "the probe itself", "the container",
			{"suggestion": {"readinessProbe": 7}},
		],
		["probe", "port", "livenessProbe", "shop", "handler", "the probe itself", "the handler", {}],
		[
			"probe", "path", "livenessProbe", "shop", "httpGet", "the probe itself", "httpGet",
			{"suggestion": {"livenessProbe": {"httpGet": {"path": 7}}}},
		],
		[
			"template", "livenessProbe", "", "", "container", "the pod template", "the container",
			{"suggestion": {"livenessProbe": 7}},
		],
		[
			"workload", "restartPolicy", "", "", "pod", "the spec of the Deployment", "the pod's spec",
			{"suggestion": {"restartPolicy": 7}},
		],
	]
	every row in cases {
		finding := only({
			"kind": "misplaced", "in": row[0], "key": row[1], "probe": row[2], "container": row[3], "meant": row[4], "whole": 7,
		})
		endswith(finding.message, sprintf(": %s stands in %s, where it has no meaning", [row[1], row[5]]))
		finding.fixes == [object.union({"title": sprintf("move %s to %s", [row[1], row[6]]), "safety": "display"}, row[7])]
	}
}

test_a_probe_without_a_name_of_its_container_is_named_alone if {
	finding := only({"kind": "command", "container": ""})
	finding.message == "livenessProbe: exec has no command"
}

test_every_other_kind_has_its_words if {
	cases := [
		[
			{"kind": "handlers"},
			"has no handler: one of exec, httpGet, tcpSocket and grpc is required",
			{"title": "add the handler, or remove the probe", "safety": "display"},
		],
		[
			{"kind": "handlers", "value": "exec and grpc"},
			"has exec and grpc: exactly one handler is allowed",
			{"title": "keep the handler that is meant, and remove the other", "safety": "display"},
		],
		[
			{"kind": "type", "key": "periodSeconds", "value": `"10s"`, "want": "a whole number"},
			`: periodSeconds is "10s", not a whole number`,
			{"title": "write a value of that type", "safety": "display"},
		],
		[
			{"kind": "type", "key": "periodSeconds", "value": `"10s"`, "meant": "10", "want": "a whole number"},
			`: periodSeconds is "10s", not a whole number`,
			{"title": "write a value of that type", "safety": "display", "suggestion": {"livenessProbe": {"periodSeconds": 10}}},
		],
		[
			{"kind": "type", "key": "command", "value": `"cat /a"`, "whole": "cat /a", "want": "a list of words"},
			`: command is "cat /a", not a list of words`,
			{
				"title": "let a shell split the text (the image must have one)",
				"safety": "display",
				"suggestion": {"livenessProbe": {"exec": {"command": ["sh", "-c", "cat /a"]}}},
			},
		],
		[
			{"kind": "range", "key": "failureThreshold", "value": "-1", "want": "at least 0"},
			": failureThreshold is -1, allowed is at least 0",
			{"title": "write a number in that range", "safety": "display"},
		],
		[
			{"kind": "threshold", "key": "successThreshold", "value": "2"},
			": successThreshold is 2, allowed is only 1",
			{"title": "leave it out", "safety": "display", "suggestion": {"livenessProbe": {"successThreshold": 1}}},
		],
		[
			{"kind": "grace"},
			": terminationGracePeriodSeconds is not allowed, since readiness ends nothing",
			{"title": "remove it", "safety": "display"},
		],
		[
			{"kind": "place", "in": "init"},
			" stands on an init container without restartPolicy: Always, which cannot have probes",
			{"title": "remove it, or run a native sidecar with restartPolicy: Always", "safety": "display"},
		],
		[
			{"kind": "place", "in": "ephemeral"},
			" stands on an ephemeral container, which cannot have probes",
			{"title": "remove it", "safety": "display"},
		],
		[
			{"kind": "scheme", "value": `"https"`, "meant": "HTTPS"},
			`: scheme is "https", allowed are HTTP and HTTPS`,
			{"title": "write it in capitals", "safety": "display", "suggestion": {"livenessProbe": {"httpGet": {"scheme": "HTTPS"}}}},
		],
		[
			{"kind": "port", "in": "httpGet"},
			": httpGet has no port",
			{
				"title": "write the port of the container",
				"safety": "display",
				"suggestion": {"livenessProbe": {"httpGet": {"port": "web"}}},
			},
		],
		[
			{"kind": "port", "in": "httpGet", "value": "0", "want": "1 to 65535"},
			": port is 0, allowed is 1 to 65535",
			{
				"title": "write the port of the container",
				"safety": "display",
				"suggestion": {"livenessProbe": {"httpGet": {"port": "web"}}},
			},
		],
		[
			{"kind": "port-name", "in": "tcpSocket", "value": `"80"`, "meant": "80", "want": "a number without quotes"},
			`: port is "80", allowed is a number without quotes`,
			{
				"title": "write the port as the container declares it",
				"safety": "display",
				"suggestion": {"livenessProbe": {"tcpSocket": {"port": 80}}},
			},
		],
		[
			{"kind": "port-name", "in": "tcpSocket", "value": `"WEB"`, "meant": "web", "want": "lower case"},
			`: port is "WEB", allowed is lower case`,
			{
				"title": "write the port as the container declares it",
				"safety": "display",
				"suggestion": {"livenessProbe": {"tcpSocket": {"port": "web"}}},
			},
		],
		[
			{"kind": "command"},
			": exec has no command",
			{"title": "add the command, or remove the probe", "safety": "display"},
		],
	]
	every row in cases {
		finding := only(row[0])
		startswith(finding.message, `livenessProbe of container "shop"`)
		endswith(finding.message, row[1])
		finding.fixes == [row[2]]
		finding.effect == "the API server rejects the object"
	}
}

test_a_sound_workload_is_none if {
	rule.findings == set() with input as {"kind": "Deployment", "name": "shop", "defects": []}
}
