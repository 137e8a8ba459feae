# METADATA
# title: Health check that takes slow for dead
# description: |
#   A health check beside a restart policy says when an instance counts as unhealthy. With failure_threshold 1 one
#   slow answer is enough. Without timeout_ms a check that hangs never fails, or fails when something else gives up;
#   without reset_after_s a failure of last week counts with one of today. And a check that contacts dependencies
#   (depends_on) and restarts the instance when it fails (on_unhealthy: restart) restarts the whole fleet in the
#   outage of one of them: no restart of an instance brings a database back, while shedding load helps.
# related_resources:
# - ref: https://sre.google/sre-book/addressing-cascading-failures/
#   description: Process health and service health are distinct, and confusing them amplifies an outage
# - ref: https://aws.amazon.com/builders-library/implementing-health-checks/
#   description: Health checks on dependencies, and what they may do when all instances fail
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [restart_policy]
#   kinds: [restart policy]
#   aliases: []
#   fix: display
package policies.restarts.health_check_slow_is_dead

import data.policies.lib

findings contains {
	"path": array.concat(_check.path, ["failure_threshold"]),
	"message": sprintf("health_check acts on the first failed check: failure_threshold is %v", [_check.failure_threshold.number]),
	"effect": sprintf("one slow answer makes %s unhealthy", [_one]),
	"fixes": [{
		"title": "act after several failures in a row",
		"safety": "display",
		"suggestion": {"health_check": object.union(_written, {"failure_threshold": 5})},
	}],
} if {
	_check.set
	_check.failure_threshold.type == "number"
	_check.failure_threshold.number < 2
}

findings contains {
	"path": _check.path,
	"message": sprintf("health_check sets no %s", [concat(" and no ", _gaps)]),
	"effect": concat("; ", [_consequences[gap] | some gap in _gaps]),
	"fixes": [{
		"title": sprintf("set %s", [concat(" and ", _gaps)]),
		"safety": "display",
		"suggestion": {"health_check": object.union(_written, {gap: _defaults[gap] | some gap in _gaps})},
	}],
} if {
	_check.set
	count(_gaps) > 0
}

findings contains {
	"path": array.concat(_check.path, ["on_unhealthy"]),
	"severity": "error",
	"message": sprintf("health_check restarts an instance when %s fails: on_unhealthy is %q, and depends_on names %s", [
		_either,
		_check.on_unhealthy.text,
		_either,
	]),
	"effect": sprintf("an outage of %s restarts %s, which brings none of them back and adds load", [_either, lib.governed(input)]),
	"fixes": [{
		"title": "shed load instead of restarting",
		"safety": "display",
		"suggestion": {"health_check": object.union(_written, {"on_unhealthy": "shed_load"})},
	}],
} if {
	_check.set
	count(_check.depends_on) > 0
	_check.on_unhealthy.type == "string"
	lib.word(_check.on_unhealthy.text) in {
		"kill", "reboot", "recreate", "replace", "restart", "restart_always", "restart_container", "restart_instance", "restart_now",
		"restart_pod", "restart_process", "terminate",
	}
}

_check := input.health_check

_gaps := [field |
	some field in ["failure_threshold", "timeout_ms", "reset_after_s"]
	lib.unset(_check[field])
]

_defaults := {"failure_threshold": 5, "timeout_ms": 500, "reset_after_s": 30}

_consequences := {
	"failure_threshold": "how many failures make an instance unhealthy is left to what reads the check",
	"timeout_ms": "a check that hangs never fails, or fails when something else gives up",
	"reset_after_s": "failures add up over days, however long ago the last one was",
}

_either := concat(" or ", _check.depends_on)

_one := sprintf("a replica of %s %s", [input.applies_to.kind, input.applies_to.name]) if {
	input.applies_to.set
} else := "an instance"

_written := object.union(
	{field: value |
		some field in ["timeout_ms", "failure_threshold", "reset_after_s", "on_unhealthy"]
		value := _value(_check[field])
	},
	{"depends_on": _check.depends_on | count(_check.depends_on) > 0},
)

_value(field) := field.number if field.type == "number"

_value(field) := field.text if field.type in {"string", "unknown"}
