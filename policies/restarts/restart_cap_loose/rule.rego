# METADATA
# title: Restart policy with a cap that is hardly one
# description: |
#   More than one restart a minute for as long as a check fails is no cap: an instance that takes half a minute to
#   start spends its time starting, with a cold cache and new connections each time. That is the load that keeps a
#   slow dependency down. A window under 60 s is always that loose, since even one restart per window is more than
#   60 an hour. 3 restarts in 300 s are 36 an hour; Kubernetes' own back-off comes to 12 an hour after some minutes.
# related_resources:
# - ref: https://sre.google/sre-book/addressing-cascading-failures/
#   description: How restarts and retries keep an overloaded system down
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
#   description: The back-off of Kubernetes, 10 s doubled up to 300 s
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [restart_policy]
#   kinds: [restart policy]
#   aliases: []
#   fix: display
package policies.restarts.restart_cap_loose

import data.policies.lib

findings contains {
	"path": array.concat(input.path, [_field]),
	"message": sprintf("restart policy allows %v restart%s in %v s: %d an hour for as long as a check fails", [
		input.max_restarts_per_window.number,
		{true: "", false: "s"}[input.max_restarts_per_window.number == 1],
		input.window_seconds.number,
		_hourly,
	]),
	"effect": sprintf(
		"a check that fails for a reason outside the process restarts %s about every %d s, and each restart adds load",
		[lib.governed(input), _interval],
	),
	"fixes": [{
		"title": "allow 3 restarts in 300 s",
		"safety": "display",
		"suggestion": lib.policy_with(input, {"max_restarts_per_window": 3, "window_seconds": 300}),
	}],
} if {
	input.shape == "map"
	input.max_restarts_per_window.number > 0
	input.window_seconds.number > 0
	input.max_restarts_per_window.number * 60 > input.window_seconds.number
}

_field := "window_seconds" if {
	input.window_seconds.number < 60
} else := "max_restarts_per_window"

_hourly := round((3600 * input.max_restarts_per_window.number) / input.window_seconds.number)

_interval := max([1, round(input.window_seconds.number / input.max_restarts_per_window.number)])
