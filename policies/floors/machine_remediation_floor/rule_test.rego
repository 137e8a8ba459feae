package policies.floors.machine_remediation_floor_test

import data.policies.floors.machine_remediation_floor as rule

unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

no_range := {"set": false, "known": false, "text": "", "min": 0, "max": 0, "path": []}

range(min, max) := {"set": true, "known": true, "text": sprintf("[%d-%d]", [min, max]), "min": min, "max": max, "path": ["range"]}

# sized is what a check knows about machines of one MachineDeployment.
sized(n) := {
	"machines": {"known": true, "value": n, "from": ""},
	"pools": [{"kind": "MachineDeployment", "name": "workers", "replicas": {"known": true, "value": n, "from": "replicas"}, "max_in_flight": unset}],
}

# checks of a MachineHealthCheck with one, of v1beta1, without a limit, of machines that the bundle does not show.
checks(fields) := {"api_version": "cluster.x-k8s.io/v1beta1", "kind": "MachineHealthCheck", "name": "workers", "checks": [object.union(
	{
		"path": ["spec"],
		"scope": "",
		"control_plane": false,
		"limit": unset,
		"limit_path": ["limit"],
		"limit_field": "maxUnhealthy",
		"range": no_range,
		"machines": {"known": false, "value": 0, "from": ""},
		"pools": [],
		"allowed": 0,
		"allowed_known": false,
		"paced": false,
		"announced": false,
	},
	fields,
)]}

open(path, where, reason, effect, more, suggestion) := {
	"path": path,
	"message": sprintf("%s has no floor: %s", [where, reason]),
	"effect": sprintf("a network fault that makes %s", [effect]),
	"fixes": [{
		"title": sprintf("replace nothing while more than %s unhealthy", [more]),
		"safety": "display",
		"suggestion": suggestion,
	}],
}

mhc := "MachineHealthCheck workers"

hidden := "the machines that it selects look unhealthy has all of them deleted and replaced at the same time"

nine := "the 9 machines of MachineDeployment workers look unhealthy has all 9 deleted and replaced at the same time"

test_an_unset_limit_is_found if {
	want := {open(
		["limit"], mhc, "maxUnhealthy is not set, which means 100%", hidden, "40% of the machines are",
		{"spec": {"maxUnhealthy": "40%"}},
	)}
	rule.findings == want with input as checks({})
}

test_all_percent_of_known_machines_is_found if {
	want := {open(
		["limit"], mhc, "unhealthyLessThanOrEqualTo is 100%", nine, "40% of the machines are",
		{"spec": {"remediation": {"triggerIf": {"unhealthyLessThanOrEqualTo": "40%"}}}},
	)}
	rule.findings == want with input as checks(object.union(sized(9), {
		"limit": percent(100), "limit_field": "unhealthyLessThanOrEqualTo", "allowed": 9, "allowed_known": true,
	}))
}

test_a_number_that_reaches_to_all_machines_is_found if {
	effect := "the 2 machines of MachineDeployment workers look unhealthy has all 2 deleted and replaced at the same time"
	want := {open(
		["limit"], mhc, "maxUnhealthy 3 reaches to all 2 machines", effect, "one machine is",
		{"spec": {"maxUnhealthy": 1}},
	)}
	rule.findings == want with input as checks(object.union(sized(2), {
		"limit": count_of(3), "allowed": 3, "allowed_known": true,
	}))
}

test_a_range_that_reaches_to_all_machines_is_found if {
	want := {open(
		["range"], mhc, "the range [2-20] reaches to all 9 machines", nine, "3 machines are",
		{"spec": {"unhealthyRange": "[2-3]"}},
	)}
	rule.findings == want with input as checks(object.union(sized(9), {"range": range(2, 20)}))
}

test_a_range_of_v1beta2_keeps_its_name if {
	want := {open(
		["range"], mhc, "the range [5-9] reaches to all 9 machines", nine, "3 machines are",
		{"spec": {"remediation": {"triggerIf": {"unhealthyInRange": "[3-3]"}}}},
	)}
	rule.findings == want with input as checks(object.union(sized(9), {
		"range": range(5, 9), "limit_field": "unhealthyLessThanOrEqualTo",
	}))
}

test_a_class_of_machines_is_named if {
	want := {open(
		["limit"], "the health check for class worker of MachineHealthCheck workers", "maxUnhealthy is not set, which means 100%",
		"the machines of class worker look unhealthy has all of them deleted and replaced at the same time",
		"40% of the machines are",
		{"machineHealthCheck": {"maxUnhealthy": "40%"}},
	)}
	rule.findings == want with input as checks({
		"scope": "class worker",
		"pools": [{"kind": "class", "name": "worker", "replicas": {"known": false, "value": 0, "from": ""}, "max_in_flight": unset}],
	})
}

test_a_class_of_v1beta2_is_named if {
	want := {open(
		["limit"], "the health check for class worker of MachineHealthCheck workers",
		"unhealthyLessThanOrEqualTo is not set, which means 100%", hidden, "40% of the machines are",
		{"healthCheck": {"remediation": {"triggerIf": {"unhealthyLessThanOrEqualTo": "40%"}}}},
	)}
	rule.findings == want with input as checks({"scope": "class worker", "limit_field": "unhealthyLessThanOrEqualTo"})
}

test_a_paced_replacement_is_a_warning if {
	effect := "the 9 machines of MachineDeployment workers look unhealthy has all 9 deleted and replaced, 20% at a time"
	want := {object.union({"severity": "warning"}, open(
		["limit"], mhc, "maxUnhealthy is not set, which means 100%", effect, "40% of the machines are",
		{"spec": {"maxUnhealthy": "40%"}},
	))}
	pool := object.union(sized(9).pools[0], {"max_in_flight": percent(20)})
	rule.findings == want with input as checks(object.union(sized(9), {"paced": true, "pools": [pool]}))
}

masters(limit) := object.union(checks({"control_plane": true, "limit": limit}), {"api_version": "machine.openshift.io/v1beta1"})

degraded(reason) := {
	"path": ["limit"],
	"severity": "warning",
	"message": sprintf("MachineHealthCheck workers has no floor: %s, for a control plane", [reason]),
	"effect": "several unhealthy machines of a control plane may mean that etcd is degraded, and they are replaced all the same",
	"fixes": [{
		"title": "replace nothing while more than one machine is unhealthy",
		"safety": "display",
		"suggestion": {"spec": {"maxUnhealthy": 1}},
	}],
}

test_a_control_plane_of_openshift_without_a_limit_is_found if {
	rule.findings == {degraded("maxUnhealthy is not set, which means 100%")} with input as masters(unset)
}

test_two_of_three_masters_are_found if {
	rule.findings == {degraded("maxUnhealthy is 67%")} with input as masters(percent(67))
}

test_two_masters_are_found if {
	rule.findings == {degraded("maxUnhealthy is 2")} with input as masters(count_of(2))
}

test_one_master_is_not if {
	count(rule.findings) == 0 with input as masters(count_of(1))
}

test_one_of_three_masters_is_not if {
	count(rule.findings) == 0 with input as masters(percent(40))
}

test_a_templated_limit_of_masters_is_not if {
	count(rule.findings) == 0 with input as masters(object.union(unset, {"set": true, "text": "${MAX}"}))
}

never(n, plural) := {
	"path": ["limit"],
	"message": sprintf("MachineHealthCheck workers replaces nothing: maxUnhealthy 40%% of %d %s rounds down to 0", [n, plural]),
	"effect": "one unhealthy machine is already more than that, so it stays as it is",
	"fixes": [{"title": "allow one as a number", "safety": "display", "suggestion": {"spec": {"maxUnhealthy": 1}}}],
}

test_a_percentage_that_rounds_down_to_nothing_is_found if {
	rule.findings == {never(2, "machines")} with input as checks(object.union(sized(2), {
		"limit": percent(40), "allowed": 0, "allowed_known": true,
	}))
}

test_rounding_down_counts_for_control_planes_and_single_machines if {
	rule.findings == {never(1, "machine")} with input as checks(object.union(sized(1), {
		"limit": percent(40), "allowed": 0, "allowed_known": true, "control_plane": true,
	}))
}

test_a_floor_is_not if {
	count(rule.findings) == 0 with input as checks({"limit": percent(40)})
}

test_a_number_below_the_machines_is_not if {
	count(rule.findings) == 0 with input as checks(object.union(sized(9), {
		"limit": count_of(3), "allowed": 3, "allowed_known": true,
	}))
}

test_a_number_of_unknown_machines_is_not if {
	count(rule.findings) == 0 with input as checks({"limit": count_of(50)})
}

test_a_control_plane_is_not if {
	count(rule.findings) == 0 with input as checks({"control_plane": true})
}

test_a_single_machine_is_not if {
	count(rule.findings) == 0 with input as checks(sized(1))
}

test_zero_is_a_pause if {
	count(rule.findings) == 0 with input as checks(object.union(sized(2), {
		"limit": percent(0), "allowed": 0, "allowed_known": true,
	}))
}

test_no_machines_are_not if {
	count(rule.findings) == 0 with input as checks(object.union(sized(0), {
		"limit": percent(40), "allowed": 0, "allowed_known": true,
	}))
}

test_a_range_below_the_machines_wins_over_the_limit if {
	count(rule.findings) == 0 with input as checks(object.union(sized(9), {"limit": percent(100), "range": range(1, 3)}))
}

test_a_range_of_unknown_machines_is_not if {
	count(rule.findings) == 0 with input as checks({"range": range(1, 99)})
}

test_a_templated_limit_is_not if {
	count(rule.findings) == 0 with input as checks({"limit": object.union(unset, {"set": true, "text": "${MAX}"})})
}

test_what_a_node_announces_itself_needs_no_limit if {
	rule.findings == set() with input as checks({"announced": true, "limit": percent(100)})
}
