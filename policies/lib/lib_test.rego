package policies.lib_test

import data.policies.lib

target := {
	"host": "orders-db", "port": "5432", "place": "service", "dependency": "", "subject": "", "via": "nc",
	"confidence": "certain", "outcome": "", "evidence": 0,
}

probe := {
	"type": "liveness",
	"field": "livenessProbe",
	"path": ["p"],
	"handler": "exec",
	"host": "",
	"command": ["nc", "-z", "orders-db", "5432"],
	"port": {"name": "", "number": 0, "declared": false, "known": false},
	"initial_delay": 5,
	"period": 10,
	"timeout": 1,
	"failure_threshold": 3,
	"success_threshold": 1,
	"written": [],
	"known": true,
	"budget": {"harmless": 20, "fatal": 30, "earliest": 21, "latest": 31, "spread": 10},
}

container := {"name": "api", "type": "app", "ports": [], "probes": []}

deployment := {
	"kind": "Deployment", "class": "service", "restart_policy": "Always",
	"replicas": {"known": true, "value": 3, "from": "replicas"},
}

http := {
	"handler": "httpGet",
	"host": "example.org",
	"http": {"scheme": "HTTPS", "path": "/up"},
	"port": {"name": "", "number": 443, "declared": false, "known": true},
}

# What a probe asks.

test_the_path_leads_to_what_the_probe_asks if {
	lib.check_path(probe) == ["p", "exec", "command"]
	lib.check_path(object.union(probe, http)) == ["p", "httpGet", "host"]
	lib.check_path(object.union(probe, {"handler": "httpGet"})) == ["p", "httpGet", "path"]
	lib.check_path(object.union(probe, {"handler": "tcpSocket", "host": "db"})) == ["p", "tcpSocket", "host"]
	lib.check_path(object.union(probe, {"handler": "tcpSocket"})) == ["p", "tcpSocket"]
	lib.check_path(object.union(probe, {"handler": "grpc"})) == ["p", "grpc"]
}

# What a message calls it.

test_an_address_alone if {
	lib.dependency_message(container, probe, [target]) == `liveness of container "api" fails when orders-db:5432 is down`
}

test_an_address_with_what_stands_behind_it if {
	group := [object.union(target, {"subject": "StatefulSet orders-db"})]
	message := `liveness of container "api" fails when orders-db:5432 (StatefulSet orders-db) is down`
	lib.dependency_message(container, probe, group) == message
}

test_a_product_without_an_address if {
	group := [object.union(target, {"host": "", "port": "", "dependency": "the metadata database", "via": "airflow jobs check"})]
	message := `liveness of container "api" fails when the metadata database is down (airflow jobs check)`
	lib.dependency_message(container, probe, group) == message
}

test_nothing_but_the_program_is_known if {
	group := [object.union(target, {"host": "", "port": ""})]
	lib.dependency_message(container, probe, group) == `liveness of container "api" fails when what nc asks is down`
}

test_addresses_are_written_as_urls_have_them if {
	lib.address("db", "") == "db"
	lib.address("db", "5432") == "db:5432"
	lib.address("fd00::7", "5432") == "[fd00::7]:5432"
	lib.address("[fd00::7]", "5432") == "[fd00::7]:5432"
}

# Whom an outage restarts.

spared := "an outage under 20 s restarts nobody; one of 30 s or more "

test_replicas_that_nothing_scales_are_counted if {
	lib.outage_effect(deployment, container, probe, [target]) == concat("", [
		spared,
		"restarts all 3 replicas within 10 s of each other, and no PDB or maxUnavailable limits that",
	])
}

test_an_autoscaled_workload_has_at_least_its_minimum if {
	workload := object.union(deployment, {"replicas": {"from": "HorizontalPodAutoscaler api"}})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [
		spared,
		"restarts every replica (3 or more) within 10 s of each other, and no PDB or maxUnavailable limits that",
	])
}

test_an_unknown_number_is_not_guessed if {
	workload := object.union(deployment, {"replicas": {"known": false, "value": 0}})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [
		spared,
		"restarts every replica within 10 s of each other, and no PDB or maxUnavailable limits that",
	])
}

test_knative_scales_by_itself if {
	workload := object.union(deployment, {"kind": "Service", "replicas": {"value": 1, "from": "default"}})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [
		spared,
		"restarts every replica within 10 s of each other, and no PDB or maxUnavailable limits that",
	])
}

test_a_daemon_restarts_on_every_node if {
	workload := object.union(deployment, {
		"kind": "DaemonSet", "class": "daemon", "replicas": {"known": false, "value": 0, "from": "DaemonSet"},
	})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [
		spared,
		"restarts the pod of every node within 10 s of each other, and no PDB or maxUnavailable limits that",
	])
}

test_one_replica_has_no_fleet if {
	workload := object.union(deployment, {"replicas": {"value": 1, "from": "default"}})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [spared, "restarts the only replica"])
}

test_a_pod_is_alone if {
	workload := object.union(deployment, {"kind": "Pod"})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [spared, "restarts the container"])
}

test_restart_policy_never_leaves_a_container_down if {
	workload := object.union(deployment, {"kind": "Pod", "restart_policy": "Never"})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [
		spared,
		"ends the container, and restartPolicy Never leaves it down",
	])
}

test_a_sidecar_is_restarted_whatever_the_policy_says if {
	workload := object.union(deployment, {"kind": "Pod", "restart_policy": "Never"})
	sidecar := object.union(container, {"type": "sidecar"})
	lib.outage_effect(workload, sidecar, probe, [target]) == concat("", [spared, "restarts the container"])
}

test_jobs_count_what_a_probe_does if {
	workload := object.union(deployment, {"kind": "Job", "class": "batch", "restart_policy": "OnFailure"})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [
		spared,
		"restarts the container in every pod of the Job, and each restart counts against backoffLimit",
	])
}

test_jobs_do_not_count_a_sidecar_of_pods_that_never_restart if {
	workload := object.union(deployment, {"kind": "Job", "class": "batch", "restart_policy": "Never"})
	sidecar := object.union(container, {"type": "sidecar"})
	lib.outage_effect(workload, sidecar, probe, [target]) == concat("", [
		spared,
		"restarts the container in every pod of the Job",
	])
}

test_that_a_host_is_out_of_reach_goes_without_saying if {
	group := [object.union(target, {"outcome": "the kubelet cannot reach orders-db"})]
	asks := object.union(probe, http)
	startswith(lib.outage_effect(deployment, container, asks, group), spared)
}

test_jobs_that_never_restart_lose_the_pod if {
	workload := object.union(deployment, {"kind": "Job", "class": "batch", "restart_policy": "Never"})
	lib.outage_effect(workload, container, probe, [target]) == concat("", [
		spared,
		"ends the container in every pod of the Job, and each counts as a failure against backoffLimit",
	])
}

test_one_strike_spares_nobody if {
	strict := object.union(probe, {"budget": {"harmless": 0, "fatal": 10}})
	lib.outage_effect(deployment, container, strict, [target]) == concat("", [
		"one failed probe is enough, so even a short outage restarts some; one of 10 s or more restarts all 3 replicas ",
		"within 10 s of each other, and no PDB or maxUnavailable limits that",
	])
}

test_templated_timings_give_no_numbers if {
	templated := object.union(probe, {"known": false})
	lib.outage_effect(deployment, container, templated, [target]) == concat("", [
		"how long an outage may last is unknown, since a timing of the probe is; one that lasts too long ",
		"restarts all 3 replicas, and no PDB or maxUnavailable limits that",
	])
}

# Whom an outage keeps from starting.

starters := concat("", [
	"replicas that have started go on, but one that starts during the outage ",
	"(after a crash, in a rollout, on a new node) ",
])

test_startup_counts_from_the_start if {
	lib.start_effect(deployment, container, probe, [target]) == concat("", [
		starters,
		"is killed 25 to 36 s after its start, again and again",
	])
}

test_startup_with_templated_timings if {
	lib.start_effect(deployment, container, object.union(probe, {"known": false}), [target]) == concat("", [
		starters,
		"is killed after its startup probe has failed too often, again and again",
	])
}

test_startup_that_nothing_repeats if {
	workload := object.union(deployment, {"restart_policy": "Never"})
	lib.start_effect(workload, container, probe, [target]) == concat("", [starters, "is killed 25 to 36 s after its start"])
}

# What is suggested.

declared(list) := object.union(container, {"ports": list, "probes": [probe]})

test_the_check_moves_to_readiness if {
	lib.local_fix(deployment, declared([{"name": "", "number": 8080, "protocol": "TCP"}]), probe, [target]) == {
		"title": "probe port 8080 for liveness, and keep this check as readinessProbe",
		"safety": "display",
		"suggestion": {
			"livenessProbe": {"tcpSocket": {"port": 8080}},
			"readinessProbe": {"exec": {"command": ["nc", "-z", "orders-db", "5432"]}},
		},
	}
}

test_a_request_moves_with_its_host_and_scheme if {
	asks := object.union(probe, http)
	lib.local_fix(deployment, declared([{"name": "web", "number": 80, "protocol": "TCP"}]), asks, [target]).suggestion == {
		"livenessProbe": {"tcpSocket": {"port": "web"}},
		"readinessProbe": {"httpGet": {"scheme": "HTTPS", "host": "example.org", "path": "/up", "port": 443}},
	}
}

test_a_request_without_host_moves_as_it_is if {
	asks := object.union(probe, {
		"handler": "httpGet",
		"http": {"scheme": "HTTP", "path": "/"},
		"port": {"name": "web", "number": 80, "declared": true, "known": true},
	})
	lib.local_fix(deployment, declared([{"name": "web", "number": 80, "protocol": "TCP"}]), asks, [target]).suggestion == {
		"livenessProbe": {"tcpSocket": {"port": "web"}},
		"readinessProbe": {"httpGet": {"path": "/", "port": "web"}},
	}
}

test_a_connection_moves_with_its_host if {
	asks := object.union(probe, {"handler": "tcpSocket", "host": "db", "port": {"number": 5432, "known": true}})
	lib.local_fix(deployment, container, asks, [target]) == {
		"title": concat("", [
			"remove livenessProbe, which a process that exits on its own when it breaks does not need, ",
			"and keep this check as readinessProbe",
		]),
		"safety": "display",
		"suggestion": {"readinessProbe": {"tcpSocket": {"host": "db", "port": 5432}}},
	}
}

test_a_readiness_probe_that_is_there_stays if {
	ready := {"type": "readiness", "host": "", "port": {"number": 9000}}
	ports := [
		{"name": "debug", "number": 6060, "protocol": "TCP"},
		{"name": "dns", "number": 9000, "protocol": "UDP"},
		{"name": "web", "number": 9000, "protocol": "TCP"},
	]
	lib.local_fix(deployment, object.union(container, {"ports": ports, "probes": [ready]}), probe, [target]) == {
		"title": "probe port web for liveness",
		"safety": "display",
		"suggestion": {"livenessProbe": {"tcpSocket": {"port": "web"}}},
	}
}

test_a_job_holds_no_traffic_back if {
	workload := object.union(deployment, {"kind": "Job", "class": "batch"})
	lib.local_fix(workload, container, probe, [target]) == {
		"title": "remove livenessProbe, which a process that exits on its own when it breaks does not need",
		"safety": "display",
	}
}

test_a_startup_probe_is_not_removed if {
	workload := object.union(deployment, {"kind": "Job", "class": "batch"})
	lib.local_fix(workload, container, object.union(probe, {"type": "startup"}), [target]) == {
		"title": "let startupProbe ask this process alone",
		"safety": "display",
	}
}

test_a_port_that_is_unknown_moves_nowhere if {
	asks := object.union(probe, {"handler": "tcpSocket", "host": "db"})
	lib.local_fix(deployment, container, asks, [target]) == {
		"title": "remove livenessProbe, which a process that exits on its own when it breaks does not need",
		"safety": "display",
	}
}

test_the_host_of_the_own_service_is_dropped if {
	asks := object.union(probe, {
		"handler": "tcpSocket", "host": "api", "port": {"number": 8080, "known": true, "declared": true},
		"written": ["failureThreshold", "initialDelaySeconds", "periodSeconds", "successThreshold", "timeoutSeconds"],
	})
	lib.local_fix(deployment, container, asks, [object.union(target, {"place": "own-service"})]) == {
		"title": "drop host, so that the kubelet asks this pod",
		"safety": "display",
		"suggestion": {"livenessProbe": {
			"tcpSocket": {"port": 8080},
			"initialDelaySeconds": 5,
			"periodSeconds": 10,
			"timeoutSeconds": 1,
			"failureThreshold": 3,
			"successThreshold": 1,
		}},
	}
}

test_a_host_header_names_no_loopback if {
	asks := object.union(probe, object.union(http, {"host": "localhost"}))
	lib.without_host(asks) == {"httpGet": {"scheme": "HTTPS", "path": "/up", "port": 443}}
}

test_a_host_header_that_is_there_stays if {
	headers := [{"name": "X-Probe", "value": "1"}, {"name": "host", "value": "shop"}]
	asks := object.union(probe, object.union(http, {"http": {"headers": headers}}))
	lib.without_host(asks).httpGet.httpHeaders == headers
}

test_a_host_header_joins_the_others if {
	other := {"name": "X-Probe", "value": "1"}
	asks := object.union(probe, object.union(http, {"http": {"headers": [other]}}))
	lib.without_host(asks).httpGet.httpHeaders == [other, {"name": "Host", "value": "example.org"}]
}

test_one_strike_is_not_suggested if {
	strict := object.union(probe, {"failure_threshold": 1, "written": ["failureThreshold", "periodSeconds"]})
	lib.timings(strict) == {"periodSeconds": 10}
	lib.timings(object.union(strict, {"known": false})) == {}
}

# Restart policies.

absent := {"set": false, "type": "absent", "number": 0, "text": ""}

number(n) := {"set": true, "type": "number", "number": n, "text": sprintf("%v", [n])}

text(s) := {"set": true, "type": "string", "number": 0, "text": s}

null_field := {"set": true, "type": "null", "number": 0, "text": ""}

test_the_state_of_a_field_is_what_was_written if {
	lib.field_state(absent) == "missing"
	lib.field_state(null_field) == "null"
	lib.field_state(number(-1)) == "-1"
	lib.field_state(text("Unlimited")) == `"Unlimited"`
}

test_what_keeps_no_floor if {
	every field in [absent, null_field, number(0)] {
		lib.no_floor(field)
	}
	not lib.no_floor(number(0.6))
	not lib.no_floor(text("60%"))
}

guard := {"name": "api", "namespace": "", "has_selector": true, "selector": {"matchLabels": {"app": "api"}}, "unhealthy_pods": absent}

test_a_budget_keeps_its_selector if {
	lib.budget_with(guard, {"maxUnavailable": 1}) == {
		"apiVersion": "policy/v1",
		"kind": "PodDisruptionBudget",
		"metadata": {"name": "api"},
		"spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "api"}}},
	}
}

test_a_budget_keeps_its_namespace_and_what_it_says_of_unhealthy_pods if {
	bare := {"name": "api", "namespace": "shop", "has_selector": false, "selector": {}, "unhealthy_pods": text("AlwaysAllow")}
	lib.budget_with(bare, {"maxUnavailable": 1}) == {
		"apiVersion": "policy/v1",
		"kind": "PodDisruptionBudget",
		"metadata": {"name": "api", "namespace": "shop"},
		"spec": {"maxUnavailable": 1, "unhealthyPodEvictionPolicy": "AlwaysAllow"},
	}
}

test_a_budget_keeps_its_limits if {
	unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}
	two := {"set": true, "known": true, "text": "2", "percent": false, "value": 2}
	half := {"set": true, "known": true, "text": "50%", "percent": true, "value": 50}
	lib.budget_limits({"min_available": two, "max_unavailable": unset}) == {"minAvailable": 2}
	lib.budget_limits({"min_available": unset, "max_unavailable": half}) == {"maxUnavailable": "50%"}
}

test_a_workload_selects_its_pods_by_its_selector_else_by_lasting_labels if {
	lib.own_selector({"selector": {"matchLabels": {"app": "api"}}, "labels": {}}) == {"matchLabels": {"app": "api"}}
	lib.own_selector({"selector": {}, "labels": {"app": "api", "helm.sh/chart": "api-1.0"}}) == {"matchLabels": {"app": "api"}}
}

policy := {
	"path": ["restart_policy"],
	"max_restarts_per_window": number(3),
	"window_seconds": {"set": true, "type": "unknown", "number": 0, "text": "${WINDOW}"},
	"on_limit_exceeded": text("page_oncall"),
	"min_healthy_fraction": absent,
	"applies_to": {"set": false, "kind": "", "name": "", "found": false, "replicas": {"known": false, "value": 0}},
}

test_a_policy_keeps_what_it_says if {
	lib.policy_with(policy, {"min_healthy_fraction": 0.6}) == {"restart_policy": {
		"max_restarts_per_window": 3,
		"window_seconds": "${WINDOW}",
		"on_limit_exceeded": "page_oncall",
		"min_healthy_fraction": 0.6,
	}}
}

test_a_policy_of_a_list_keeps_its_target if {
	item := object.union(policy, {
		"path": ["restart_policies", 0],
		"window_seconds": absent,
		"name": "ours",
		"applies_to": {"set": true, "kind": "Deployment", "name": "api", "namespace": ""},
	})
	lib.policy_with(item, {}) == {
		"name": "ours",
		"max_restarts_per_window": 3,
		"on_limit_exceeded": "page_oncall",
		"min_healthy_fraction": 0.6,
		"applies_to": {"kind": "Deployment", "name": "api"},
	}
}

test_a_policy_governs_what_it_names if {
	named := object.union(policy, {"applies_to": {"set": true, "kind": "Deployment", "name": "api"}})
	found := object.union(named, {"applies_to": {"found": true, "replicas": {"known": true, "value": 6, "from": "replicas"}}})
	scaled := object.union(found, {"applies_to": {"replicas": {"from": "HorizontalPodAutoscaler api"}}})
	lib.governed(policy) == "every instance"
	lib.governed(named) == "Deployment api"
	lib.governed(scaled) == "Deployment api"
	lib.governed(found) == "all 6 replicas of Deployment api"
}

# PodDisruptionBudgets.

budget(value, from) := {
	"expected": {"known": true, "value": value},
	"workloads": [{"kind": "Deployment", "name": "api", "replicas": {"known": true, "value": value, "from": from}}],
}

test_a_budget_covers_what_it_selects if {
	lib.covered({"expected": {"known": false, "value": 0}, "workloads": []}) == "every pod"
	lib.covered(budget(1, "default")) == "the only replica of Deployment api"
	lib.covered(budget(2, "replicas")) == "both replicas of Deployment api"
	lib.covered(budget(2, "ScaledObject api")) == "the autoscaler's minimum of 2 for Deployment api"
	lib.covered(object.union(budget(9, "replicas"), {"workloads": [workload | some i in numbers.range(1, 4); workload := {
		"kind": "Deployment", "name": sprintf("api-%d", [i]), "replicas": {"from": "replicas"},
	}]})) == "all 9 replicas of 4 workloads"
	lib.covered(budget(3, "replicas")) == "all 3 replicas of Deployment api"
}

test_an_autoscaler_scales if {
	lib.scaled(budget(3, "HorizontalPodAutoscaler api"))
	not lib.scaled(budget(3, "replicas"))
	not lib.scaled(budget(1, "default"))
}

test_a_handler_is_copied_whole if {
	lib.handler(object.union(probe, http)) == {"httpGet": {
		"scheme": "HTTPS", "host": "example.org", "path": "/up", "port": 443,
	}}
	lib.handler(object.union(probe, object.union(http, {"http": {"headers": [{"name": "Host", "value": "a"}]}}))) == {"httpGet": {
		"scheme": "HTTPS", "host": "example.org", "path": "/up", "port": 443,
		"httpHeaders": [{"name": "Host", "value": "a"}],
	}}
	lib.handler(object.union(probe, {"handler": "grpc", "service": "", "port": {"number": 9000}})) == {"grpc": {"port": 9000}}
	lib.handler(object.union(probe, {"handler": "grpc", "service": "live", "port": {"number": 9000}})) == {"grpc": {
		"port": 9000, "service": "live",
	}}
}

test_a_container_without_a_name_is_the_container if {
	lib.probe_name({"name": ""}, {"type": "liveness"}) == "liveness of the container"
}

test_a_container_of_a_patch_is_whole_with_an_image if {
	lib.whole({"fragment": false}, {"image": ""})
	lib.whole({"fragment": true}, {"image": "api:1"})
	not lib.whole({"fragment": true}, {"image": ""})
}

test_a_cronjob_has_its_job_below if {
	lib.job_spec({"kind": "CronJob"}, {"backoffLimit": 6}) == {"spec": {"jobTemplate": {"spec": {"backoffLimit": 6}}}}
	lib.job_spec({"kind": "Job"}, {"backoffLimit": 6}) == {"spec": {"backoffLimit": 6}}
}

test_many_names_are_counted if {
	lib.few(["a", "b", "c"]) == "a and b and c"
	lib.few(["a", "b", "c", "d", "e"]) == "a, b and 3 more"
}
