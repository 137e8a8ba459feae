# METADATA
# title: Restart policy does not match its format
# description: |
#   A key that the format does not know is ignored by whatever reads the policy, so a misspelt limit is no limit; a
#   value of the wrong type or outside its range may be ignored, rounded or refused. The format is the JSON Schema
#   that hclint schema restart-policy prints. Values that remove the cap or the floor are judged by rules of their
#   own and not repeated here.
# related_resources:
# - ref: https://json-schema.org/understanding-json-schema/
#   description: How to read the schema that hclint schema restart-policy prints
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [restart_policy]
#   kinds: [restart policy]
#   aliases: []
#   fix: display
package policies.restarts.restart_policy_invalid

import data.policies.lib

findings contains {
	"path": input.path,
	"message": sprintf("restart policy is %s, not a mapping", [_shape]),
	"effect": "nothing of the policy can be read: no cap, no floor",
	"fixes": [{
		"title": "write a mapping",
		"safety": "display",
		"suggestion": {"restart_policy": {
			"max_restarts_per_window": 3,
			"window_seconds": 300,
			"on_limit_exceeded": "page_oncall",
			"min_healthy_fraction": 0.6,
		}},
	}],
} if {
	not input.shape in {"map", "unknown"}
}

_shape := "empty" if {
	input.shape == "null"
} else := sprintf("a %s", [input.shape])

findings contains {
	"path": violation.path,
	"message": sprintf("%s: %s%s", [_part(violation), violation.message, _meant(violation)]),
	"effect": "a key or value outside the format may be ignored without a word by what reads the policy",
	"fixes": _fixes(violation),
} if {
	input.shape == "map"
	some violation in input.violations
}

_part(violation) := "health_check" if {
	_check_path
	array.slice(violation.path, 0, count(_check_path)) == _check_path
	count(violation.path) > count(_check_path)
} else := "restart policy"

_check_path := input.health_check.path if count(input.health_check.path) > 0

_meant(violation) := sprintf(" (did you mean %q?)", [violation.suggestion]) if violation.suggestion != ""

_meant(violation) := "" if violation.suggestion == ""

_fixes(violation) := [{
	"title": sprintf("write %s", [violation.suggestion]),
	"safety": "display",
	"suggestion": {violation.suggestion: violation.value},
}] if {
	violation.suggestion != ""
} else := [{
	"title": sprintf("give %s a value that the format takes", [name]),
	"safety": "display",
	"suggestion": lib.policy_with(input, {name: _value(name)}),
}] if {
	some name, _ in _defaults
	violation.path == array.concat(input.path, [name])
} else := [{
	"title": "name a workload by kind and name",
	"safety": "display",
	"suggestion": {"applies_to": {"kind": _known("kind", "Deployment"), "name": _known("name", "api")}},
}] if {
	"applies_to" in violation.path
} else := [{
	"title": sprintf("give %s a value that the format takes", [name]),
	"safety": "display",
	"suggestion": {"health_check": {name: value}},
}] if {
	some name, value in _check_defaults
	violation.path == array.concat(input.health_check.path, [name])
} else := [{
	"title": "keep what the format does not know outside of the mapping",
	"safety": "display",
	"suggestion": {_last(violation.path): violation.value},
}]

_last(path) := path[count(path) - 1]

_known(field, fallback) := input.applies_to[field] if {
	input.applies_to[field] != ""
} else := fallback

_defaults := {
	"max_restarts_per_window": 3,
	"window_seconds": 300,
	"on_limit_exceeded": "page_oncall",
	"min_healthy_fraction": 0.6,
}

_check_defaults := {
	"timeout_ms": 500,
	"failure_threshold": 5,
	"reset_after_s": 30,
	"on_unhealthy": "shed_load",
	"depends_on": [],
}

# _value is what was meant, where that can be told: 5m as seconds, "60" and "0.6" as a fraction.
_value(name) := to_number(digits) * _seconds[unit] if {
	name == "window_seconds"
	[[_, digits, unit]] := regex.find_all_string_submatch_n(`^([0-9]{1,5})(s|m|min|h)$`, input[name].text, 1)
} else := to_number(digits) / 100 if {
	name == "min_healthy_fraction"
	[[_, digits]] := regex.find_all_string_submatch_n(`^([1-9][0-9]?)$`, input[name].text, 1)
} else := to_number(input[name].text) if {
	name == "min_healthy_fraction"
	regex.match(`^0?\.[0-9]{1,4}$`, input[name].text)
} else := _defaults[name]

_seconds := {"s": 1, "m": 60, "min": 60, "h": 3600}
