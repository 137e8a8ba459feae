# METADATA
# title: Restart policy with a floor that cannot work
# description: |
#   min_healthy_fraction is a number above 0 and at most 1. 60 and "60%" are neither: what reads the policy refuses
#   them, takes them for "all", or for no floor. With 1 every instance must stay healthy, so none is ever restarted.
#   Where applies_to names a workload of the bundle, the fraction is counted: the fraction times the replicas,
#   rounded up, must stay healthy. 0.6 of 2 replicas is 2 of 2, so not even one may be restarted; 0.6 of 3 is 2, so
#   one may; 0.1 of 6 is 1, so 5 may be restarted at the same time (reported as info, from 4 replicas on).
# related_resources:
# - ref: https://sre.google/sre-book/addressing-cascading-failures/
#   description: How a fleet that restarts at once stays down
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/
#   description: PodDisruptionBudgets are a floor for evictions only
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [restart_policy]
#   kinds: [restart policy]
#   aliases: []
#   fix: display
package policies.floors.restart_floor_unusable

import data.policies.lib

findings contains object.union(flaw, {"path": array.concat(input.path, ["min_healthy_fraction"])}) if {
	input.shape == "map"
	some flaw in _flaws
}

_floor := input.min_healthy_fraction

_flaws contains {
	"message": sprintf("min_healthy_fraction is %v: a fraction lies above 0 and at most at 1", [_floor.number]),
	"effect": "what reads the policy refuses the value, or takes it for all or for none",
	"fixes": [_fix("write a fraction", _meant)],
} if {
	_floor.type == "number"
	_out_of_range(_floor.number)
}

_flaws contains {
	"message": sprintf("min_healthy_fraction is %q: a fraction is a number such as %v", [_floor.text, _percent / 100]),
	"effect": "what reads the policy refuses the text, or takes it for no floor",
	"fixes": [_fix("write a fraction", _meant)],
} if {
	_floor.type == "string"
	_percent
}

_flaws contains {
	"message": sprintf("min_healthy_fraction is 1: %s must stay healthy, so none may be restarted", [lib.governed(input)]),
	"effect": "the policy restarts nothing: an instance that hangs stays as it is until a person comes",
	"fixes": [_fix(_usable.title, _usable.fraction)],
} if {
	_floor.type == "number"
	_floor.number == 1
}

_flaws contains {
	"message": sprintf("restart policy never restarts %s: %s", [_target, _sum("so not even one may be restarted")]),
	"effect": "a replica that hangs stays as it is until a person comes",
	"fixes": [_fix(_usable.title, _usable.fraction)],
} if {
	_floor.number < 1
	input.floor.resolved
	input.floor.allowed == 0
}

_flaws contains {
	"severity": "info",
	"message": sprintf("restart policy keeps one of the %d replicas of %s: %s", [_replicas, _target, _sum(rest)]),
	"effect": "a check that fails everywhere leaves one replica with the load of all",
	"fixes": [_fix("keep more than half up", 0.6)],
} if {
	input.floor.resolved
	input.floor.healthy == 1
	_replicas >= 4
	not lib.scaled({"workloads": [input.applies_to]})
	rest := sprintf("so %d may be restarted at the same time", [input.floor.allowed])
}

_out_of_range(n) if n < 0

_out_of_range(n) if n > 1

_replicas := input.applies_to.replicas.value

_target := sprintf("%s %s", [input.applies_to.kind, input.applies_to.name])

# _sum speaks the arithmetic.
_sum(rest) := sprintf("%v of %d replica%s%s, rounded up, is %d of %d, %s", [
	_floor.number,
	_replicas,
	{true: "", false: "s"}[_replicas == 1],
	_scaler,
	input.floor.healthy,
	_replicas,
	rest,
])

_scaler := sprintf(" (the minimum of %s)", [input.applies_to.replicas.from]) if {
	lib.scaled({"workloads": [input.applies_to]})
} else := ""

# _usable is the largest fraction of two digits that lets one replica be restarted.
_usable := {"title": "run 2 replicas and keep half of them up", "fraction": 0.5} if {
	input.floor.resolved
	_replicas == 1
} else := {
	"title": sprintf("let one of %d replicas be restarted", [_replicas]),
	"fraction": floor((100 * (_replicas - 1)) / _replicas) / 100,
} if {
	input.floor.resolved
	_replicas < 4
} else := {"title": "keep a part of the fleet up", "fraction": 0.6}

_fix(title, fraction) := {
	"title": title,
	"safety": "display",
	"suggestion": lib.policy_with(input, {"min_healthy_fraction": fraction}),
}

_percent := to_number(digits) if {
	[[_, digits]] := regex.find_all_string_submatch_n(`^\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*%\s*$`, _floor.text, 1)
}

# _meant is the percentage as a fraction, where it makes one.
_meant := _percent / 100 if {
	_percent > 0
	_percent < 100
} else := _floor.number / 100 if {
	_floor.type == "number"
	_floor.number >= 10
	_floor.number < 100
} else := 0.6
