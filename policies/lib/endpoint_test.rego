package policies.lib_endpoint_test

import data.policies.lib

probe := {
	"type": "liveness",
	"field": "livenessProbe",
	"path": ["p"],
	"handler": "httpGet",
	"host": "",
	"http": {"scheme": "HTTP", "path": "/check", "headers": []},
	"command": [],
	"port": {"name": "", "number": 8080, "declared": false, "known": true},
	"written": [],
	"known": true,
	"budget": {"harmless": 20, "fatal": 30, "earliest": 21, "latest": 31, "spread": 10},
	"endpoint": known,
	"targets": [],
}

known := {
	"asked": "/check", "kind": "http", "via": "httpGet", "container": "api", "product": "", "confidence": "certain",
	"outcome": "", "setting": {"name": "", "value": ""},
	"alternative": {"path": "", "command": [], "tcp_socket": false},
}

container := {"name": "api", "type": "app", "ports": [], "probes": [{"type": "readiness"}]}

asking(fields) := object.union(probe, {"endpoint": object.union(known, fields)})

test_what_is_asked_is_named_with_its_owner if {
	lib.endpoint_asked(container, probe) == "/check of the application"
	lib.endpoint_asked(container, asking({"product": "Shop"})) == "/check of Shop"
	lib.endpoint_asked(container, asking({"container": "proxy"})) == `/check of container "proxy"`
	lib.endpoint_asked(container, asking({"kind": "grpc", "asked": "shop"})) == `the gRPC service "shop" of the application`
	lib.endpoint_asked(container, asking({"kind": "command", "asked": "shop ping"})) == "`shop ping` of the application"
}

test_a_long_command_is_cut if {
	text := concat("", [sprintf("%d234567890", [i]) | some i in numbers.range(0, 11)])
	count(lib.endpoint_asked(container, asking({"kind": "command", "asked": text}))) == 121
}

test_a_setting_is_the_first_way_out if {
	lib.endpoint_fixes({}, container, asking({
		"setting": {"name": "CHECK", "value": "self"},
		"alternative": {"path": "/alive", "command": [], "tcp_socket": false},
	})) == [{
		"title": `add CHECK=self to the environment of container "api", so that the endpoint answers for the process alone`,
		"safety": "display",
		"suggestion": {"env": [{"name": "CHECK", "value": "self"}]},
	}]
}

test_another_path_is_named_where_a_command_asks if {
	asked := object.union(asking({"alternative": {"path": "/alive", "command": [], "tcp_socket": false}}), {"handler": "exec"})
	lib.endpoint_fixes({}, container, asked) == [{"title": "ask /alive instead of /check", "safety": "display"}]
}

test_the_port_alone_is_asked_where_readiness_has_a_check if {
	lib.endpoint_fixes({"class": "service"}, container, probe) == [{
		"title": "probe port 8080 for liveness",
		"safety": "display",
		"suggestion": {"livenessProbe": {"tcpSocket": {"port": 8080}}},
	}]
}

test_a_check_without_a_port_is_left_to_the_wording_for_all if {
	asked := object.union(probe, {"handler": "exec"})
	lib.endpoint_fixes({"class": "batch"}, container, asked)[0].safety == "display"
}

test_the_path_of_a_request_is_where_it_stands if {
	lib.endpoint_path(object.union(probe, {"host": "127.0.0.1"})) == ["p", "httpGet", "path"]
	lib.endpoint_path(object.union(probe, {"handler": "exec"})) == ["p", "exec", "command"]
}
