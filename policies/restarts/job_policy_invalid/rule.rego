# METADATA
# title: Restart policy that the API server rejects
# description: |
#   Pods of a Job or CronJob must say restartPolicy: OnFailure or Never, since the default, Always, is rejected there;
#   templates of Deployments, ReplicaSets, StatefulSets and DaemonSets may say Always or nothing. podFailurePolicy
#   needs restartPolicy: Never. backoffLimitPerIndex and maxFailedIndexes need completionMode: Indexed, and the
#   second needs the first. A restartPolicy of a single container overrides that of the pod, and
#   restartPolicyRules need it: both are there by default since Kubernetes 1.35 (ContainerRestartRules, alpha and off
#   in 1.34), and are dropped before.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#   description: restartPolicy of pods and containers
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-template
#   description: What a Job allows
# - ref: https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/5307-container-restart-policy
#   description: Container restart rules
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [workload]
#   needs: [restart]
#   kinds: [any workload]
#   aliases: []
#   fix: display
package policies.restarts.job_policy_invalid

import data.policies.lib

findings contains object.union(_extra(flaw), {
	"path": flaw.path,
	"message": sprintf("%s %s: %s", [input.kind, input.name, flaw.reason]),
	"effect": object.get(flaw, "effect", "the API server rejects the object"),
	"fixes": [{"title": flaw.title, "safety": "display", "suggestion": flaw.suggestion}],
}) if {
	not input.fragment
	some flaw in _flaws
}

_extra(flaw) := {key: value | some key, value in flaw; key in {"container", "severity"}}

_pod_path := array.concat(input.pod_path, ["restartPolicy"])

_written := input.pod_restart

_is_job if input.job.set

_controlled if {
	input.kind in {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"}
	not startswith(input.api_version, "apps.kruise.io/")
}

# _judged: the pod template goes through the validation of Kubernetes' own pods.
_judged if _is_job

_judged if _controlled

_judged if input.kind == "Pod"

_expected := ["OnFailure", "Never"] if {
	_is_job
} else := ["Always"] if {
	_controlled
} else := ["Always", "OnFailure", "Never"]

_flaws contains {
	"path": _pod_path,
	"reason": "the pods set no restartPolicy, and the default Always is not allowed in a Job",
	"title": "restart a failed container in place, up to backoffLimit times",
	"suggestion": _template({"restartPolicy": "OnFailure"}),
} if {
	_is_job
	lib.unset(_written)
}

_flaws contains {
	"path": _pod_path,
	"reason": sprintf("restartPolicy %s is not allowed in a %s, only %s", [
		_quoted(_written),
		input.kind,
		concat(" or ", _expected),
	]),
	"title": sprintf("write %s", [_expected[0]]),
	"suggestion": _template({"restartPolicy": _expected[0]}),
} if {
	_judged
	_written.type in {"string", "bool", "number", "list", "map"}
	not _written.text in _expected
}

_flaws contains {
	"path": _pod_path,
	"reason": "podFailurePolicy needs restartPolicy Never, and restartPolicy is OnFailure",
	"title": "let failed pods be counted by podFailurePolicy",
	"suggestion": _template({"restartPolicy": "Never"}),
} if {
	_is_job
	input.job.pod_failure_policy
	_written.text == "OnFailure"
}

_flaws contains {
	"path": array.concat(input.job.path, [conflict.field]),
	"reason": conflict.reason,
	"title": conflict.title,
	"suggestion": lib.job_spec(input, conflict.fields),
} if {
	_is_job
	some conflict in _conflicts
}

# _conflicts are fields of the JobSpec that do not go together.
_conflicts contains {
	"field": name,
	"reason": sprintf("%s needs completionMode Indexed", [name]),
	"title": "number the pods",
	"fields": {"completionMode": "Indexed", "completions": max([1, input.job.completions.value])},
} if {
	input.job.completion_mode.text in {"", "NonIndexed"}
	input.job.completion_mode.type in {"absent", "null", "string"}
	some name, set in {
		"backoffLimitPerIndex": input.job.backoff_limit_per_index.set,
		"maxFailedIndexes": input.job.max_failed_indexes.set,
		"successPolicy": input.job.success_policy,
	}
	set
}

_conflicts contains {
	"field": "maxFailedIndexes",
	"reason": "maxFailedIndexes needs backoffLimitPerIndex",
	"title": "say how often an index is tried",
	"fields": {"backoffLimitPerIndex": 1},
} if {
	input.job.max_failed_indexes.set
	not input.job.backoff_limit_per_index.set
}

_conflicts contains {
	"field": "maxFailedIndexes",
	"reason": sprintf("maxFailedIndexes %d is more than completions %d", [_max_failed, input.job.completions.value]),
	"title": "fail the Job before all indexes have failed",
	"fields": {"maxFailedIndexes": ceil(input.job.completions.value / 10)},
} if {
	input.job.completion_mode.text == "Indexed"
	input.job.max_failed_indexes.known
	input.job.completions.known
	_max_failed > input.job.completions.value
}

_conflicts contains {
	"field": "completionMode",
	"reason": "completionMode Indexed needs completions",
	"title": "say how many indexes there are",
	"fields": {"completionMode": "Indexed", "completions": input.job.parallelism.value},
} if {
	input.job.completion_mode.text == "Indexed"
	not input.job.completions.set
}

_conflicts contains {
	"field": "podFailurePolicy",
	"reason": "the action FailIndex needs backoffLimitPerIndex",
	"title": "say how often an index is tried",
	"fields": {"backoffLimitPerIndex": 1},
} if {
	input.job.fails_index
	not input.job.backoff_limit_per_index.set
}

_conflicts contains {
	"field": "podReplacementPolicy",
	"reason": "podFailurePolicy needs podReplacementPolicy Failed, and it is TerminatingOrFailed",
	"title": "replace a pod once it has failed",
	"fields": {"podReplacementPolicy": "Failed"},
} if {
	input.job.pod_failure_policy
	input.job.pod_replacement_policy.text == "TerminatingOrFailed"
}

_max_failed := input.job.max_failed_indexes.value

# Containers: restartPolicy overrides that of the pod, restartPolicyRules go with it.
_flaws contains object.union(flaw, {"container": container.name, "suggestion": _container(container, flaw.fields)}) if {
	some container in input.containers
	container.type != "ephemeral"
	some flaw in _container_flaws(container)
}

_container_flaws(container) := array.concat(
	_version_flaws(container),
	array.concat(_policy_flaws(container), _rule_flaws(container)),
)

# _own_policy: the container has a restartPolicy that only newer versions know; a sidecar's Always is older.
_own_policy(container) if {
	container.restart.set
	container.type != "sidecar"
}

_version_flaws(container) := [{
	"path": array.concat(container.path, ["restartPolicy"]),
	"severity": "warning",
	"reason": sprintf("restartPolicy of container %q needs Kubernetes 1.35, and this is for 1.%d", [container.name, input.kube.minor]),
	"effect": _older,
	"title": "leave the restart policy to the pod",
	"fields": {},
}] if {
	input.kube.minor < 35
	_own_policy(container)
} else := []

_older := sprintf("1.34 drops the field by default (ContainerRestartRules is off), so restartPolicy %s of the pod holds", [
	input.restart_policy,
]) if {
	input.kube.minor == 34
} else := "the API server rejects the object"

_policy_flaws(container) := [{
	"path": array.concat(container.path, ["restartPolicy"]),
	"reason": sprintf("restartPolicy %s of container %q is none of Always, OnFailure, Never", [_quoted(container.restart), container.name]),
	"title": "name a policy",
	"fields": {"restartPolicy": "OnFailure"},
}] if {
	container.restart.type in {"string", "bool", "number", "list", "map"}
	not container.restart.text in {"Always", "OnFailure", "Never"}
} else := [{
	"path": array.concat(container.path, ["restartPolicyRules"]),
	"reason": sprintf("restartPolicyRules of container %q need a restartPolicy beside them", [container.name]),
	"title": "say what happens to exit codes that no rule names",
	"fields": {"restartPolicy": "Never"},
}] if {
	count(container.restart_rules) > 0
	lib.unset(container.restart)
} else := [{
	"path": array.concat(container.path, ["restartPolicyRules"]),
	"reason": sprintf("container %q has %d restartPolicyRules, and 20 is the most", [container.name, count(container.restart_rules)]),
	"title": "join rules of one action: a rule takes up to 255 exit codes",
	"fields": {},
}] if {
	count(container.restart_rules) > 20
} else := []

_rule_flaws(container) := [{
	"path": array.concat(rule.path, fault.at),
	"reason": sprintf("a restart rule of container %q %s", [container.name, fault.reason]),
	"title": "write a rule with an action and exit codes",
	"fields": {"restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}]},
} |
	some rule in container.restart_rules
	some fault in _faults(rule)
]

_faults(rule) := [{"at": [], "reason": sprintf("has the key %q, which the API does not know", [key])} |
	some key in rule.unknown
] if {
	count(rule.unknown) > 0
} else := [{"at": [], "reason": "has no exitCodes"}] if {
	not rule.exit_codes
} else := [{"at": ["action"], "reason": sprintf("has the action %s, not Restart or RestartAllContainers", [_quoted(rule.action)])}] if {
	rule.action.type != "unknown"
	not rule.action.text in {"Restart", "RestartAllContainers"}
} else := [{"at": ["exitCodes", "operator"], "reason": sprintf("has the operator %s, not In or NotIn", [_quoted(rule.operator)])}] if {
	rule.operator.type != "unknown"
	not rule.operator.text in {"In", "NotIn"}
} else := [{"at": ["exitCodes", "values"], "reason": sprintf("names %d exit codes, and 255 is the most", [rule.values])}] if {
	rule.values > 255
} else := []

_quoted(field) := sprintf("%q", [field.text]) if {
	field.type in {"string", "absent", "null"}
} else := field.text if {
	field.text != ""
} else := sprintf("(a %s)", [field.type])

# _template puts fields of the pod where this workload has them.
_template(fields) := lib.job_spec(input, {"template": {"spec": fields}}) if {
	_is_job
} else := {"spec": fields} if {
	input.kind == "Pod"
} else := {"spec": {"template": {"spec": fields}}}

_container(container, fields) := {"containers": [object.union({"name": container.name}, fields)]} if {
	container.type == "app"
} else := {"initContainers": [object.union({"name": container.name}, fields)]}
