package policies.restarts.machine_remediation_uncapped_test

import data.policies.restarts.machine_remediation_uncapped as rule

unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

replicas(n) := {"known": true, "value": n, "from": "replicas"}

# machines of a kind with one remediation, which is written and lacks the cap.
machines(kind, fields) := {"kind": kind, "name": "prod", "remediations": [object.union(
	{
		"path": ["block"],
		"scope": "",
		"keys": ["remediation"],
		"field": "maxInFlight",
		"written": true,
		"cap": unset,
		"bound": 0,
		"bound_known": false,
		"replicas": replicas(5),
		"immediate": true,
		"checks": [],
	},
	fields,
)]}

control_plane(kind, fields) := machines(kind, object.union({"field": "maxRetry"}, fields))

endless(where, field, pause, suggestion) := {
	"path": ["block"],
	"message": sprintf("%s repeats a failed replacement without end: %s.maxRetry is not set", [where, field]),
	"effect": sprintf("while replacements fail for a reason outside the machine, each is deleted and made anew%s", [pause]),
	"fixes": [{"title": "stop after 5 failed replacements", "safety": "display", "suggestion": suggestion}],
}

at_once(where, cap, who, suggestion) := {
	"path": ["block"],
	"message": sprintf("%s replaces unhealthy machines all at once: %s", [where, cap]),
	"effect": sprintf("%s may be deleted at the same time, and as many made anew", [who]),
	"fixes": [{"title": "replace one machine at a time", "safety": "display", "suggestion": suggestion}],
}

test_a_control_plane_without_a_cap_is_found if {
	want := {endless(
		"KubeadmControlPlane prod", "remediation", ", at once each time",
		{"spec": {"remediation": {"maxRetry": 5, "retryPeriodSeconds": 120}}},
	)}
	rule.findings == want with input as control_plane("KubeadmControlPlane", {})
}

test_a_pause_between_retries_is_kept if {
	want := {endless(
		"KubeadmControlPlane prod", "remediationStrategy", "",
		{"spec": {"remediationStrategy": {"maxRetry": 5}}},
	)}
	rule.findings == want with input as control_plane("KubeadmControlPlane", {
		"keys": ["remediationStrategy"], "immediate": false,
	})
}

test_a_template_of_v1beta1_is_found if {
	want := {endless(
		"KubeadmControlPlaneTemplate prod", "remediationStrategy", ", at once each time",
		{"spec": {"template": {"spec": {"remediationStrategy": {"maxRetry": 5, "retryPeriod": "2m"}}}}},
	)}
	rule.findings == want with input as control_plane("KubeadmControlPlaneTemplate", {
		"keys": ["remediationStrategy"], "replicas": {"known": false, "value": 0, "from": ""},
	})
}

test_a_health_check_makes_the_block_matter if {
	want := {endless(
		"KubeadmControlPlane prod", "remediation", ", at once each time",
		{"spec": {"remediation": {"maxRetry": 5, "retryPeriodSeconds": 120}}},
	)}
	rule.findings == want with input as control_plane("KubeadmControlPlane", {"written": false, "checks": ["prod"]})
}

test_a_deployment_without_a_cap_is_found if {
	want := {at_once(
		"MachineDeployment prod", "strategy.remediation.maxInFlight is not set", "all 5 machines",
		{"spec": {"strategy": {"remediation": {"maxInFlight": 1}}}},
	)}
	rule.findings == want with input as machines("MachineDeployment", {
		"keys": ["strategy", "remediation"], "written": false, "checks": ["prod"],
	})
}

test_all_percent_is_no_cap if {
	want := {at_once(
		"class worker of ClusterClass prod", "remediation.maxInFlight is 100%", "any number of machines",
		{"remediation": {"maxInFlight": 1}},
	)}
	rule.findings == want with input as machines("ClusterClass", {
		"scope": "class worker", "cap": percent(100), "replicas": {"known": false, "value": 0, "from": ""},
	})
}

test_a_cap_that_rounds_up_to_all_is_none if {
	want := {at_once(
		"MachineDeployment prod", "remediation.maxInFlight is 90% of 5", "all 5 machines",
		{"spec": {"remediation": {"maxInFlight": 1}}},
	)}
	rule.findings == want with input as machines("MachineDeployment", {"cap": percent(90), "bound": 5, "bound_known": true})
}

test_a_cap_on_retries_is_not if {
	count(rule.findings) == 0 with input as control_plane("KubeadmControlPlane", {"cap": count_of(3)})
}

test_a_cap_on_machines_is_not if {
	count(rule.findings) == 0 with input as machines("MachineDeployment", {"cap": count_of(1), "bound": 1, "bound_known": true})
}

test_a_templated_cap_is_not if {
	templated := object.union(unset, {"set": true, "text": "${N}"})
	count(rule.findings) == 0 with input as machines("MachineDeployment", {"cap": templated})
}

test_what_nothing_has_replaced_is_not if {
	count(rule.findings) == 0 with input as machines("MachineDeployment", {"written": false})
}

test_a_control_plane_that_nothing_has_replaced_is_not if {
	count(rule.findings) == 0 with input as control_plane("KubeadmControlPlane", {"written": false})
}

test_a_single_machine_is_not if {
	count(rule.findings) == 0 with input as machines("MachineDeployment", {"replicas": replicas(1)})
}

test_a_single_control_plane_machine_is_not if {
	count(rule.findings) == 0 with input as control_plane("KubeadmControlPlane", {
		"replicas": replicas(1), "written": false, "checks": ["prod"],
	})
}
