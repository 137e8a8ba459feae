# METADATA
# title: Restart policy does not stop at its limit
# description: |
#   on_limit_exceeded says what happens when max_restarts_per_window is used up. Missing, it leaves that to the
#   supervisor; with restart, continue, ignore, none and their like the restarts go on and the cap counts only for
#   the record. At the limit the likely cause is outside the process, and a person has to look: page_oncall, stop
#   and hold keep the instance as it is.
# related_resources:
# - ref: https://sre.google/sre-book/addressing-cascading-failures/
#   description: How restarts and retries keep an overloaded system down
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy
#   description: The one Kubernetes controller that stops at a limit
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [restart_policy]
#   kinds: [restart policy]
#   aliases: []
#   fix: display
package policies.restarts.restart_limit_action

import data.policies.lib

findings contains {
	"path": array.concat(input.path, ["on_limit_exceeded"]),
	"message": sprintf("restart policy %s: on_limit_exceeded is %s", [
		lib.limit_verdict(input.on_limit_exceeded),
		lib.field_state(input.on_limit_exceeded),
	]),
	"effect": sprintf("%s stops nothing: %s can go on being restarted", [_limit, lib.governed(input)]),
	"fixes": [{
		"title": "stop at the limit and tell a person",
		"safety": "display",
		"suggestion": lib.policy_with(input, {"on_limit_exceeded": "page_oncall"}),
	}],
} if {
	input.shape == "map"
	lib.limit_verdict(input.on_limit_exceeded)
}

_limit := sprintf("the limit of %v restarts in %v s", [input.max_restarts_per_window.number, input.window_seconds.number]) if {
	input.max_restarts_per_window.number > 0
	input.window_seconds.number > 0
} else := "the limit"
