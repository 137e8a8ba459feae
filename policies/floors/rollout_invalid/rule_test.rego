package policies.floors.rollout_invalid_test

import data.policies.floors.rollout_invalid as rule

unset := {"set": false, "known": false, "value": 0}

default_of(n) := {"set": false, "known": true, "value": n}

whole(n) := {"set": true, "known": true, "value": n}

none := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

templated := {"set": true, "known": false, "text": "${N}", "percent": false, "value": 0}

workload(rollout, fields) := object.union(
	{
		"kind": "Deployment", "name": "carts", "fragment": false,
		"rollout": object.union(
			{
				"set": true, "field": "strategy", "path": ["spec", "strategy"], "style": "rolling", "ignored": false, "stray": "",
				"block": true, "block_path": ["spec", "strategy", "rollingUpdate"], "max_unavailable": none, "max_surge": none,
				"written": {"type": "string", "text": "RollingUpdate"}, "min_ready_seconds": default_of(0),
				"progress_deadline_seconds": default_of(600),
			},
			rollout,
		),
	},
	fields,
)

agent(rollout) := workload(
	object.union(
		{"field": "updateStrategy", "path": ["spec", "updateStrategy"], "block_path": ["spec", "updateStrategy", "rollingUpdate"]},
		rollout,
	),
	{"kind": "DaemonSet"},
)

rejected := "the API server rejects the object, so neither this nor any other change of it is rolled out"

limits(fields) := {"strategy": {"type": "RollingUpdate", "rollingUpdate": fields}}

agent_limits(fields) := {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": fields}}

finding(path, message, title, spec) := {
	"path": path,
	"message": message,
	"effect": rejected,
	"fixes": [{"title": title, "safety": "display", "suggestion": {"spec": spec}}],
}

both_zero(kind) := sprintf("%s carts: maxUnavailable and maxSurge are both 0, so no pod could ever be replaced", [kind])

surge_first := "start a new pod before an old one stops"

test_both_zero_is_found if {
	rule.findings == {finding(
		["spec", "strategy", "rollingUpdate", "maxUnavailable"],
		both_zero("Deployment"),
		surge_first,
		limits({"maxUnavailable": 0, "maxSurge": 1}),
	)} with input as workload({"max_unavailable": count_of(0), "max_surge": percent(0)}, {})
}

test_both_zero_in_other_kinds_is_found if {
	zeros := {"max_unavailable": count_of(0), "max_surge": count_of(0)}
	some canary in rule.findings with input as workload(zeros, {"kind": "Rollout"})
	canary.fixes[0].suggestion == {"spec": {"strategy": {"canary": {"maxUnavailable": 0, "maxSurge": 1}}}}
	canary.effect == "Argo Rollouts marks the object invalid, and rolls nothing out until it is put right"
	some config in rule.findings with input as workload(zeros, {"kind": "DeploymentConfig"})
	config.fixes[0].suggestion == {"spec": {"strategy": {"type": "Rolling", "rollingParams": {"maxUnavailable": 0, "maxSurge": 1}}}}
}

test_a_daemonset_without_surge_is_found if {
	rule.findings == {finding(
		["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"],
		both_zero("DaemonSet"),
		surge_first,
		agent_limits({"maxUnavailable": 0, "maxSurge": 1}),
	)} with input as agent({"max_unavailable": count_of(0)})
}

test_a_daemonset_with_both_is_found if {
	rule.findings == {finding(
		["spec", "updateStrategy", "rollingUpdate", "maxSurge"],
		"DaemonSet carts: maxSurge is 1 while maxUnavailable is 1 by default, and a DaemonSet takes one of the two",
		"set maxUnavailable to 0 beside maxSurge",
		agent_limits({"maxUnavailable": 0, "maxSurge": 1}),
	)} with input as agent({"max_surge": count_of(1)})
	some found in rule.findings with input as agent({"max_surge": percent(20), "max_unavailable": count_of(2)})
	found.message == "DaemonSet carts: maxSurge is 20% while maxUnavailable is 2, and a DaemonSet takes one of the two"
	found.fixes[0].suggestion == {"spec": agent_limits({"maxUnavailable": 0, "maxSurge": "20%"})}
}

test_a_statefulset_at_zero_is_found if {
	stateful := object.union(agent({"max_unavailable": percent(0)}), {"kind": "StatefulSet"})
	rule.findings == {finding(
		["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"],
		"StatefulSet carts: maxUnavailable cannot be 0 in a StatefulSet, which has no maxSurge",
		"replace one pod at a time",
		agent_limits({"maxUnavailable": 1}),
	)} with input as stateful
	rule.findings == set() with input as object.union(stateful, {"rollout": {"ignored": true}})
}

test_recreate_with_limits_is_found if {
	rule.findings == {finding(
		["spec", "strategy", "rollingUpdate"],
		"Deployment carts: rollingUpdate does not go with type Recreate",
		"choose one of the two: replace the pods one by one",
		limits({"maxUnavailable": 0, "maxSurge": 1}),
	)} with input as workload({"style": "recreate", "max_surge": count_of(1)}, {})
	rule.findings == set() with input as workload({"style": "recreate", "block": false}, {})
}

test_an_unknown_type_is_found if {
	every kind, types in {
		"Deployment": ["RollingUpdate", "RollingUpdate, Recreate"],
		"StatefulSet": ["RollingUpdate", "RollingUpdate, OnDelete"],
		"DeploymentConfig": ["Rolling", "Rolling, Recreate, Custom"],
	} {
		rule.findings == {finding(
			["spec", "strategy", "type"],
			sprintf(`%s carts: strategy type "rolling" is none of %s`, [kind, types[1]]),
			sprintf("write %s", [types[0]]),
			{"strategy": {"type": types[0]}},
		)} with input as workload({"style": "", "written": {"type": "string", "text": "rolling"}}, {"kind": kind})
	}
}

test_more_than_all_is_found if {
	rule.findings == {finding(
		["spec", "strategy", "rollingUpdate", "maxUnavailable"],
		"Deployment carts: maxUnavailable is 250%, and 100% is the most",
		"keep a part of the pods up",
		limits({"maxUnavailable": "25%"}),
	)} with input as workload({"max_unavailable": percent(250)}, {})
	some found in rule.findings with input as agent({"max_surge": percent(150), "max_unavailable": count_of(0)})
	found.path == ["spec", "updateStrategy", "rollingUpdate", "maxSurge"]
	rule.findings == set() with input as workload({"max_surge": percent(150)}, {})
}

test_text_that_is_no_number_is_found if {
	rule.findings == {finding(
		["spec", "strategy", "rollingUpdate", "maxSurge"],
		`Deployment carts: maxSurge is "a third", not a number of pods or a percentage such as 25%`,
		"write a number or a percentage",
		limits({"maxSurge": "25%"}),
	)} with input as workload({"max_surge": {"set": true, "known": false, "text": "a third", "percent": false, "value": 0}}, {})
}

test_a_deadline_within_the_wait_is_found if {
	rule.findings == {finding(
		["spec", "progressDeadlineSeconds"],
		"Deployment carts: progressDeadlineSeconds 600 is not above minReadySeconds 600",
		"give a rollout time beyond minReadySeconds",
		{"minReadySeconds": 600, "progressDeadlineSeconds": 1200},
	)} with input as workload({"min_ready_seconds": whole(600)}, {})
}

test_a_block_of_another_kind_is_found if {
	rule.findings == {{
		"path": ["spec", "updateStrategy"],
		"message": "Deployment carts: a Deployment has no updateStrategy, its strategy is called strategy",
		"effect": "the block is rejected or dropped; dropped, strategy has its defaults",
		"fixes": [{"title": "rename it to strategy", "safety": "display", "suggestion": {"spec": {"strategy": {"type": "RollingUpdate"}}}}],
	}} with input as workload({"stray": "updateStrategy"}, {})
}

test_what_is_valid_is_none if {
	every rollout in [
		{}, {"max_unavailable": count_of(0)}, {"max_unavailable": count_of(0), "max_surge": count_of(1)}, {"max_unavailable": percent(100)},
		{"max_surge": count_of(0)}, {"style": "unknown"}, {"max_unavailable": templated, "max_surge": count_of(0)},
	] {
		rule.findings == set() with input as workload(rollout, {})
	}
	rule.findings == set() with input as agent({})
	rule.findings == set() with input as agent({"max_unavailable": count_of(0), "max_surge": count_of(1)})
	rule.findings == set() with input as agent({"max_unavailable": templated, "max_surge": count_of(1)})
}

test_what_is_not_judged_is_none if {
	zeros := {"max_unavailable": count_of(0), "max_surge": count_of(0)}
	rule.findings == set() with input as workload(zeros, {"fragment": true})
	rule.findings == set() with input as workload(zeros, {"kind": "CloneSet"})
	rule.findings == set() with input as workload(object.union(zeros, {"set": false}), {})
	rule.findings == set() with input as workload({"style": "", "written": {"type": "string", "text": ""}}, {"kind": "Rollout"})
}
