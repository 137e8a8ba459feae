# METADATA
# title: Restart policy has no cap
# description: |
#   A cap is a number of restarts and a window to count them in. Without one of the two, or with zero, a negative
#   number, null or a word such as unlimited in its place, nothing ever stops the restarts. While a check fails for
#   a reason outside the process, every restart leads to the next one, each with a cold cache and new connections,
#   and the supervisor itself becomes the load that keeps the dependency down.
# related_resources:
# - ref: https://sre.google/sre-book/addressing-cascading-failures/
#   description: How restarts and retries keep an overloaded system down
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#   description: Kubernetes delays restarts (10 s to 300 s) but has no cap either, except for Jobs
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [restart_policy]
#   kinds: [restart policy]
#   aliases: []
#   fix: display
package policies.restarts.restart_cap_missing

import data.policies.lib

findings contains {
	"path": gap.path,
	"message": sprintf("restart policy has no cap: %s", [gap.reason]),
	"effect": sprintf(
		"a check that fails for a reason outside the process restarts %s again and again, for as long as the reason lasts",
		[lib.governed(input)],
	),
	"fixes": [{
		"title": "cap the restarts per window",
		"safety": "display",
		"suggestion": lib.policy_with(input, _cap),
	}],
} if {
	input.shape == "map"
	some gap in _gaps
}

_gaps := [{"path": input.path, "reason": "max_restarts_per_window and window_seconds are missing"}] if {
	not input.max_restarts_per_window.set
	not input.window_seconds.set
} else := [{"path": array.concat(input.path, [name]), "reason": sprintf("%s is %s", [name, lib.field_state(field)])} |
	some name in ["max_restarts_per_window", "window_seconds"]
	field := input[name]
	field.unbounded
]

# _cap is what replaces the fields that cap nothing.
_cap := {name: value |
	some name, value in {"max_restarts_per_window": 3, "window_seconds": 300}
	input[name].unbounded
}
