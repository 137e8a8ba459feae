package policies.floors.rollout_no_floor_test

import data.policies.floors.rollout_no_floor as rule

none := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

templated := {"set": true, "known": false, "text": "${N}", "percent": false, "value": 0}

workload(rollout, fields) := object.union(
	{
		"kind": "Deployment", "name": "boarding", "fragment": false, "kube": {"minor": 37, "assumed": false},
		"containers": [{"type": "app", "image": "boarding:1", "idle": false}],
		"replicas": {"known": true, "value": 3, "from": "replicas"},
		"rollout": object.union(
			{
				"set": true, "field": "strategy", "path": ["spec", "strategy"], "style": "rolling",
				"block_path": ["spec", "strategy", "rollingUpdate"], "max_unavailable": none,
				"unavailable": {"known": true, "value": 0},
			},
			rollout,
		),
	},
	fields,
)

all_of(quantity, n) := {"max_unavailable": quantity, "unavailable": {"known": true, "value": n}}

one_by_one := {"maxUnavailable": 0, "maxSurge": 1}

nothing_left := "nothing is left up until new pods are ready, and nothing at all if the new version does not start"

stops(path, message, spec) := {
	"path": path,
	"message": message,
	"effect": nothing_left,
	"fixes": [{"title": "replace the replicas one by one", "safety": "display", "suggestion": {"spec": spec}}],
}

recreates(kind, who, spec) := {
	"path": ["spec", "strategy", "type"],
	"message": sprintf("%s boarding stops %s before it starts a new one: strategy is Recreate", [kind, who]),
	"effect": "every rollout is an outage until new pods are ready, and lasts if the new version does not start",
	"fixes": [{"title": "replace the replicas one by one", "safety": "display", "suggestion": {"spec": spec}}],
}

test_recreate_is_found if {
	strategy := {"strategy": {"type": "RollingUpdate", "rollingUpdate": one_by_one}}
	rule.findings == {recreates("Deployment", "all 3 replicas", strategy)} with input as workload({"style": "recreate"}, {})
	scaled := {"replicas": {"value": 2, "from": "HorizontalPodAutoscaler boarding"}}
	rule.findings == {recreates("Deployment", "every replica (at least 2)", strategy)} with input as workload({"style": "recreate"}, scaled)
}

test_recreate_of_openshift_is_found if {
	strategy := {"strategy": {"type": "Rolling", "rollingParams": one_by_one}}
	want := {recreates("DeploymentConfig", "both replicas", strategy)}
	rule.findings == want with input as workload({"style": "recreate"}, {"kind": "DeploymentConfig", "replicas": {"value": 2}})
}

test_all_replicas_are_found if {
	rule.findings == {stops(
		["spec", "strategy", "rollingUpdate", "maxUnavailable"],
		"a rollout of Deployment boarding may stop all 3 replicas: maxUnavailable is 3",
		{"strategy": {"type": "RollingUpdate", "rollingUpdate": one_by_one}},
	)} with input as workload(all_of(count_of(3), 3), {})
}

test_all_percent_is_found_whatever_the_number if {
	rule.findings == {stops(
		["spec", "strategy", "canary", "maxUnavailable"],
		"a rollout of Rollout boarding may stop every replica (at least 2): maxUnavailable is 100%",
		{"strategy": {"canary": one_by_one}},
	)} with input as workload(
		object.union(all_of(percent(100), 2), {"block_path": ["spec", "strategy", "canary"]}),
		{"kind": "Rollout", "replicas": {"value": 2, "from": "ScaledObject boarding"}},
	)
}

test_a_cloneset_is_found if {
	some found in rule.findings with input as workload(all_of(percent(100), 3), {"kind": "CloneSet"})
	found.fixes[0].suggestion == {"spec": {"strategy": one_by_one}}
}

test_a_statefulset_says_since_when if {
	every assumed, note in {true: " (assumed; see --kube-version)", false: ""} {
		rule.findings == {stops(
			["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"],
			sprintf("a rollout of StatefulSet boarding may stop all 3 replicas: maxUnavailable is 3, which counts since Kubernetes 1.37%s", [note]),
			{"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1}}},
		)} with input as workload(
			object.union(all_of(count_of(3), 3), {"field": "updateStrategy", "block_path": ["spec", "updateStrategy", "rollingUpdate"]}),
			{"kind": "StatefulSet", "kube": {"assumed": assumed}},
		)
	}
}

daemonset(quantity, fields) := object.union(
	workload(
		{
			"field": "updateStrategy", "block_path": ["spec", "updateStrategy", "rollingUpdate"], "max_unavailable": quantity,
			"unavailable": {"known": false, "value": 0},
		},
		{"kind": "DaemonSet", "replicas": {"known": false, "value": 0, "from": "DaemonSet"}},
	),
	fields,
)

test_a_daemonset_on_all_nodes_is_found if {
	rule.findings == {{
		"path": ["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"],
		"message": "a rollout of DaemonSet boarding stops the pods of all nodes at once: maxUnavailable is 100%",
		"effect": "what the agent does stops everywhere until the new pods are ready, and for good if they do not start",
		"fixes": [{
			"title": "go through a tenth of the nodes at a time",
			"safety": "display",
			"suggestion": {"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "10%"}}}},
		}],
	}} with input as daemonset(percent(100), {})
}

test_other_daemonsets_are_none if {
	every quantity in [percent(50), count_of(100), none, templated] {
		rule.findings == set() with input as daemonset(quantity, {})
	}
	rule.findings == set() with input as daemonset(percent(100), {"fragment": true})
	rule.findings == set() with input as daemonset(percent(100), {"containers": [
		{"type": "init", "image": "big/image:1"}, {"type": "app", "image": "registry.k8s.io/pause:3.10", "idle": true},
	]})
}

test_a_part_is_none if {
	rule.findings == set() with input as workload(all_of(count_of(2), 2), {})
	rule.findings == set() with input as workload(all_of(none, 3), {})
}

test_all_at_the_minimum_of_an_autoscaler_is_none if {
	scaled := {"replicas": {"value": 2, "from": "HorizontalPodAutoscaler boarding"}}
	rule.findings == set() with input as workload(all_of(count_of(2), 2), scaled)
}

test_one_replica_or_an_unknown_number_is_none if {
	every replicas in [{"value": 1}, {"value": 0}, {"known": false}] {
		rule.findings == set() with input as workload({"style": "recreate"}, {"replicas": replicas})
		rule.findings == set() with input as workload(all_of(percent(100), 3), {"replicas": replicas})
	}
}

test_other_styles_are_none if {
	every style in ["on-delete", "blue-green", "other", "unknown", ""] {
		rule.findings == set() with input as workload(object.union(all_of(percent(100), 3), {"style": style}), {})
	}
	rule.findings == set() with input as workload({"style": "recreate"}, {"fragment": true})
	rule.findings == set() with input as workload({"style": "recreate", "set": false}, {})
}
