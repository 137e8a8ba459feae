package policies.restarts.job_policy_invalid_test

import data.policies.restarts.job_policy_invalid as rule

unset := {"set": false, "known": false, "value": 0}

default_of(n) := {"set": false, "known": true, "value": n}

whole(n) := {"set": true, "known": true, "value": n}

absent := {"set": false, "type": "absent", "number": 0, "text": ""}

text(word) := {"set": true, "type": "string", "number": 0, "text": word}

unknown := {"set": true, "type": "unknown", "number": 0, "text": "${X}"}

container(fields) := object.union(
	{"name": "main", "type": "app", "path": ["spec", "template", "spec", "containers", 0], "restart": absent, "restart_rules": []},
	fields,
)

workload(kind, restart, fields) := object.union(
	{
		"kind": kind, "api_version": "apps/v1", "name": "tiles", "fragment": false, "restart_policy": "Always",
		"pod_path": ["spec", "template", "spec"], "pod_restart": restart, "containers": [container({})], "kube": {"minor": 37, "assumed": true},
		"job": {
			"set": kind in {"Job", "CronJob"}, "path": ["spec"], "completion_mode": absent, "completions": unset,
			"parallelism": default_of(1), "backoff_limit_per_index": unset, "max_failed_indexes": unset, "pod_failure_policy": false,
			"fails_index": false, "success_policy": false, "pod_replacement_policy": absent,
		},
	},
	fields,
)

rejected := "the API server rejects the object"

pod_path := ["spec", "template", "spec", "restartPolicy"]

finding(path, message, title, suggestion) := {
	"path": path,
	"message": message,
	"effect": rejected,
	"fixes": [{"title": title, "safety": "display", "suggestion": suggestion}],
}

of_pod(value) := {"spec": {"template": {"spec": {"restartPolicy": value}}}}

test_a_job_without_a_policy_is_found if {
	rule.findings == {finding(
		pod_path,
		"Job tiles: the pods set no restartPolicy, and the default Always is not allowed in a Job",
		"restart a failed container in place, up to backoffLimit times",
		of_pod("OnFailure"),
	)} with input as workload("Job", absent, {})
}

test_always_in_a_cronjob_is_found if {
	rule.findings == {finding(
		pod_path,
		`CronJob tiles: restartPolicy "Always" is not allowed in a CronJob, only OnFailure or Never`,
		"write OnFailure",
		{"spec": {"jobTemplate": of_pod("OnFailure")}},
	)} with input as workload("CronJob", text("Always"), {})
}

test_anything_but_always_is_found_in_a_deployment if {
	rule.findings == {finding(
		pod_path,
		`Deployment tiles: restartPolicy "Never" is not allowed in a Deployment, only Always`,
		"write Always",
		of_pod("Always"),
	)} with input as workload("Deployment", text("Never"), {})
}

test_other_words_and_types_are_found if {
	rule.findings == {finding(
		["spec", "restartPolicy"],
		"Pod tiles: restartPolicy false is not allowed in a Pod, only Always or OnFailure or Never",
		"write Always",
		{"spec": {"restartPolicy": "Always"}},
	)} with input as workload("Pod", {"set": true, "type": "bool", "number": 0, "text": "false"}, {"pod_path": ["spec"]})
	some found in rule.findings with input as workload("DaemonSet", {"set": true, "type": "list", "number": 0, "text": ""}, {})
	found.message == "DaemonSet tiles: restartPolicy (a list) is not allowed in a DaemonSet, only Always"
}

test_a_failure_policy_needs_never if {
	rule.findings == {finding(
		pod_path,
		"Job tiles: podFailurePolicy needs restartPolicy Never, and restartPolicy is OnFailure",
		"let failed pods be counted by podFailurePolicy",
		of_pod("Never"),
	)} with input as workload("Job", text("OnFailure"), {"job": {"pod_failure_policy": true}})
}

of_job(path, message, title, fields) := finding(["spec", path], sprintf("Job tiles: %s", [message]), title, {"spec": fields})

test_indexes_need_the_mode if {
	rule.findings == {
		of_job(
			"backoffLimitPerIndex", "backoffLimitPerIndex needs completionMode Indexed", "number the pods",
			{"completionMode": "Indexed", "completions": 40},
		),
		of_job("maxFailedIndexes", "maxFailedIndexes needs completionMode Indexed", "number the pods", {"completionMode": "Indexed", "completions": 40}),
		of_job("successPolicy", "successPolicy needs completionMode Indexed", "number the pods", {"completionMode": "Indexed", "completions": 40}),
	} with input as workload("Job", text("Never"), {"job": {
		"backoff_limit_per_index": whole(2), "max_failed_indexes": whole(4), "success_policy": true, "completions": whole(40),
	}})
}

indexed(fields) := workload("Job", text("Never"), {"job": object.union(
	{"completion_mode": text("Indexed"), "completions": whole(40), "backoff_limit_per_index": whole(2)},
	fields,
)})

test_failed_indexes_need_a_limit_per_index if {
	want := {of_job(
		"maxFailedIndexes", "maxFailedIndexes needs backoffLimitPerIndex", "say how often an index is tried",
		{"backoffLimitPerIndex": 1},
	)}
	rule.findings == want with input as indexed({"max_failed_indexes": whole(4), "backoff_limit_per_index": unset})
}

test_more_failed_indexes_than_there_are_is_found if {
	want := {of_job(
		"maxFailedIndexes", "maxFailedIndexes 50 is more than completions 40", "fail the Job before all indexes have failed",
		{"maxFailedIndexes": 4},
	)}
	rule.findings == want with input as indexed({"max_failed_indexes": whole(50)})
}

test_indexes_need_a_number if {
	want := {of_job(
		"completionMode", "completionMode Indexed needs completions", "say how many indexes there are",
		{"completionMode": "Indexed", "completions": 8},
	)}
	rule.findings == want with input as indexed({"completions": unset, "parallelism": whole(8)})
}

test_failing_an_index_needs_a_limit_per_index if {
	want := {of_job(
		"podFailurePolicy", "the action FailIndex needs backoffLimitPerIndex", "say how often an index is tried",
		{"backoffLimitPerIndex": 1},
	)}
	rule.findings == want with input as indexed({"fails_index": true, "backoff_limit_per_index": unset})
}

test_replacing_early_does_not_go_with_a_failure_policy if {
	want := {of_job(
		"podReplacementPolicy", "podFailurePolicy needs podReplacementPolicy Failed, and it is TerminatingOrFailed",
		"replace a pod once it has failed", {"podReplacementPolicy": "Failed"},
	)}
	rule.findings == want with input as indexed({"pod_failure_policy": true, "pod_replacement_policy": text("TerminatingOrFailed")})
}

own(fields) := workload("Deployment", absent, {"containers": [container(fields)]})

at(steps) := array.concat(["spec", "template", "spec", "containers", 0], steps)

of_container(steps, message, title, fields) := object.union(
	{"container": "main"},
	finding(at(steps), sprintf("Deployment tiles: %s", [message]), title, {"containers": [object.union({"name": "main"}, fields)]}),
)

test_a_container_needs_a_word_of_the_api if {
	want := {of_container(
		["restartPolicy"], `restartPolicy "Sometimes" of container "main" is none of Always, OnFailure, Never`, "name a policy",
		{"restartPolicy": "OnFailure"},
	)}
	rule.findings == want with input as own({"restart": text("Sometimes")})
}

whole_rule := {
	"path": at(["restartPolicyRules", 0]), "action": text("Restart"), "exit_codes": true, "operator": text("In"), "values": 1, "unknown": [],
}

test_rules_need_a_policy if {
	want := {of_container(
		["restartPolicyRules"], `restartPolicyRules of container "main" need a restartPolicy beside them`,
		"say what happens to exit codes that no rule names", {"restartPolicy": "Never"},
	)}
	rule.findings == want with input as own({"restart_rules": [whole_rule]})
}

test_too_many_rules_are_found if {
	want := {of_container(
		["restartPolicyRules"], `container "main" has 21 restartPolicyRules, and 20 is the most`,
		"join rules of one action: a rule takes up to 255 exit codes", {},
	)}
	rule.findings == want with input as own({"restart": text("Never"), "restart_rules": [whole_rule | some _ in numbers.range(1, 21)]})
}

of_rule(steps, message) := of_container(
	array.concat(["restartPolicyRules", 0], steps), sprintf(`a restart rule of container "main" %s`, [message]),
	"write a rule with an action and exit codes",
	{"restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}]},
)

test_the_form_of_a_rule_is_judged if {
	every pair in [
		[{"unknown": ["when"], "exit_codes": false}, of_rule([], `has the key "when", which the API does not know`)],
		[{"exit_codes": false}, of_rule([], "has no exitCodes")],
		[{"action": text("Reboot")}, of_rule(["action"], `has the action "Reboot", not Restart or RestartAllContainers`)],
		[{"operator": text("Is")}, of_rule(["exitCodes", "operator"], `has the operator "Is", not In or NotIn`)],
		[{"values": 300}, of_rule(["exitCodes", "values"], "names 300 exit codes, and 255 is the most")],
	] {
		rule.findings == {pair[1]} with input as own({"restart": text("Never"), "restart_rules": [object.union(whole_rule, pair[0])]})
	}
}

test_an_init_container_is_shown_as_one if {
	some found in rule.findings with input as own({"type": "init", "restart": text("Sometimes")})
	found.fixes[0].suggestion == {"initContainers": [{"name": "main", "restartPolicy": "OnFailure"}]}
}

version_finding(minor, effect) := object.union(
	of_container(
		["restartPolicy"], sprintf(`restartPolicy of container "main" needs Kubernetes 1.35, and this is for 1.%d`, [minor]),
		"leave the restart policy to the pod", {},
	),
	{"severity": "warning", "effect": effect},
)

test_older_versions_do_not_know_it if {
	dropped := "1.34 drops the field by default (ContainerRestartRules is off), so restartPolicy Always of the pod holds"
	rule.findings == {version_finding(34, dropped)} with input as object.union(own({"restart": text("Never")}), {"kube": {"minor": 34}})
	rule.findings == {version_finding(33, rejected)} with input as object.union(own({"restart": text("Never")}), {"kube": {"minor": 33}})
	rule.findings == set() with input as object.union(own({"restart": text("Always"), "type": "sidecar"}), {"kube": {"minor": 33}})
}

test_what_is_allowed_is_none if {
	rule.findings == set() with input as workload("Job", text("Never"), {})
	rule.findings == set() with input as workload("CronJob", text("OnFailure"), {})
	rule.findings == set() with input as workload("Deployment", text("Always"), {})
	rule.findings == set() with input as workload("StatefulSet", absent, {})
	rule.findings == set() with input as workload("Pod", text("Never"), {})
	rule.findings == set() with input as indexed({"max_failed_indexes": whole(40), "fails_index": true, "pod_failure_policy": true})
	rule.findings == set() with input as own({"restart": text("OnFailure"), "restart_rules": [whole_rule]})
	rule.findings == set() with input as own({"restart": text("Never"), "restart_rules": [object.union(whole_rule, {
		"action": text("RestartAllContainers"), "operator": text("NotIn"), "values": 255,
	})]})
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as workload("Job", unknown, {})
	rule.findings == set() with input as workload("Deployment", unknown, {})
	rule.findings == set() with input as workload("Job", absent, {"fragment": true})
	rule.findings == set() with input as own({"restart": unknown})
	rule.findings == set() with input as own({"restart": text("Never"), "restart_rules": [object.union(whole_rule, {"action": unknown, "operator": unknown})]})
	rule.findings == set() with input as workload("Widget", text("Sometimes"), {})
	rule.findings == set() with input as workload("DaemonSet", text("Never"), {"api_version": "apps.kruise.io/v1alpha1"})
	rule.findings == set() with input as own({"type": "ephemeral", "restart": text("Sometimes")})
}
