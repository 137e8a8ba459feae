# METADATA
# title: Compose service that is restarted without a cap
# description: |
#   The engine restarts a container with restart always or unless-stopped, or on-failure without a number, every time it exits, for
#   ever: 100 ms after a run of 10 s or more, else after a delay that doubles from 100 ms to a minute. It acts on exits alone. A
#   failing healthcheck marks the container unhealthy and restarts nothing, unless Swarm, which replaces an unhealthy task, or a
#   helper such as autoheal acts on it; then every outage that the check can see becomes a restart, and without a cap a restart
#   loop.
#
#   Swarm without max_attempts is a warning, and so is a helper where the check is known to fail with something outside the
#   container. The rest is information, one finding for each setting in a file: helpers whose check may be about the container alone, and
#   restarts after an exit. on-failure:N would cap those, but the engine does not start such a container again when the host comes
#   back. deploy.restart_policy.max_attempts caps what Swarm does; with a window only the restarts within it count, so the window
#   has to be longer than that many failures take.
# related_resources:
# - ref: https://docs.docker.com/engine/containers/start-containers-automatically/
#   description: What the restart policies of the engine do
# - ref: https://docs.docker.com/reference/compose-file/deploy/#restart_policy
#   description: deploy.restart_policy
# - ref: https://github.com/moby/moby/issues/28400
#   description: The engine does not restart unhealthy containers
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [compose]
#   kinds: [Compose file]
#   aliases: []
#   fix: display
package policies.restarts.compose_restart_uncapped

import data.policies.lib

# Swarm replaces a task whose healthcheck fails.
findings contains {
	"path": _policy_path(service),
	"container": service.name,
	"message": sprintf("service %q is replaced without a cap whenever its healthcheck fails: %s", [service.name, _lack(service)]),
	"effect": sprintf("%s; Swarm (%s) starts the next task %s later, for as long as the check fails", [
		_verdict(service.health),
		service.actor.why,
		_seconds(_delay(service)),
	]),
	"confidence": service.actor.confidence,
	"fixes": [_attempts(service)],
} if {
	some service in input.services
	service.actor.name == "Swarm"
	_judged(service)
	service.exit.policy in {"always", "on-failure", "unless-stopped"}
	service.exit.cap == 0
}

# A cap that counts within a window too short for the healthcheck to fail so often.
findings contains {
	"path": array.concat(service.restart_policy.path, ["window"]),
	"container": service.name,
	"message": sprintf("cap of service %q can never trip on a failing healthcheck: %d restarts take %s or more, and only those within %s count", [
		service.name,
		service.exit.cap,
		_seconds(_rounds(service)),
		service.restart_policy.window,
	]),
	"effect": sprintf("Swarm (%s) goes on replacing the task for as long as the check fails", [service.actor.why]),
	"confidence": service.actor.confidence,
	"fixes": [_attempts(service)],
} if {
	some service in input.services
	service.actor.name == "Swarm"
	service.health.known
	service.restart_policy.own
	service.exit.policy in {"always", "on-failure", "unless-stopped"}
	service.exit.cap > 0
	service.restart_policy.window_seconds > 0
	service.restart_policy.window_seconds <= _rounds(service)
}

# A helper restarts what is unhealthy, whatever restart says, and the check is known to fail for a reason outside the container.
findings contains {
	"path": service.actor.path,
	"container": service.name,
	"message": _healed([service]),
	"effect": _healing(service),
	"confidence": "certain",
	"fixes": [_engine(service)],
} if {
	some service in input.services
	_healed_here(service)
	_amplifies(service)
}

# The same for checks that may well be about the container alone: people ask for that, so it is information.
findings contains {
	"path": healed[0].actor.path,
	"container": healed[0].name,
	"message": _healed(healed),
	"effect": _healing(healed[0]),
	"severity": "info",
	"fixes": [_engine(healed[0])],
} if {
	healed := [service |
		some service in input.services
		_healed_here(service)
		not _amplifies(service)
	]
	count(healed) > 0
}

# Restarts after an exit, those of one file with the same setting together.
findings contains {
	"path": uncapped[0].exit.path,
	"container": uncapped[0].name,
	"message": _message(uncapped),
	"effect": _loop,
	"severity": "info",
	"fixes": [_count(uncapped[0])],
} if {
	some setting in {_setting(service) | some service in input.services; _exits_uncapped(service)}
	uncapped := [service |
		some service in input.services
		_exits_uncapped(service)
		_setting(service) == setting
	]
}

_exits_uncapped(service) if {
	service.actor.name == ""
	service.exit.own
	service.exit.policy in {"always", "unless-stopped", "on-failure"}
	service.exit.cap == 0
}

_healed_here(service) if {
	service.actor.name in {"autoheal", "deunhealth"}
	service.actor.own
}

_amplifies(service) if {
	some target in service.health.targets
	target.remote
	target.decides
}

_healed(services) := sprintf("service %q is restarted by %s without a cap whenever its healthcheck fails (%s)", [
	services[0].name,
	services[0].actor.name,
	services[0].actor.why,
]) if {
	count(services) == 1
} else := sprintf("%d of %d services are restarted by %s without a cap whenever their healthchecks fail: %s", [
	count(services),
	count(input.services),
	services[0].actor.name,
	_list([service.name | some service in services]),
])

_healing(service) := sprintf("%s; %s restarts it each time, whatever else is down at that moment%s", [
	_verdict(service.health),
	service.actor.name,
	_aside(service),
])

_judged(service) if service.restart_policy.own

_judged(service) if {
	not service.restart_policy.set
	service.health.own
}

_policy_path(service) := service.restart_policy.path if {
	service.restart_policy.own
} else := service.health.path

_lack(service) := "deploy.restart_policy has no max_attempts" if {
	service.restart_policy.set
	not service.restart_policy.has_attempts
} else := "max_attempts 0 is no cap" if {
	service.restart_policy.set
} else := sprintf("restart: %s has no cap", [service.restart.text]) if {
	service.restart.set
} else := "there is no deploy.restart_policy"

# _verdict says how long an outage of what the check sees must last.
_verdict(health) := sprintf("an outage under %s makes no container unhealthy, one of %s or more makes every one so", [
	_seconds(health.harmless),
	_seconds(health.fatal),
]) if {
	health.known
	health.harmless > 0
} else := sprintf("one failed check makes a container unhealthy, an outage of %s or more every one", [_seconds(health.fatal)]) if {
	health.known
} else := "a failing check makes the container unhealthy"

_seconds(s) := sprintf("%v s", [s])

_delay(service) := service.restart_policy.delay_seconds if {
	service.restart_policy.set
} else := 5

# _rounds is the least time that cap restarts for a failing healthcheck take.
_rounds(service) := service.exit.cap * ((service.health.start_period + service.health.harmless) + _delay(service))

_aside(service) := sprintf("; restart: %s counts exits, not these restarts", [service.restart.text]) if {
	service.exit.from == "restart"
	service.exit.cap > 0
} else := ""

_attempts(service) := {
	"title": "cap the replacements, within a window that they fit in",
	"safety": "display",
	"suggestion": {"services": {service.name: {"deploy": {"restart_policy": object.union(
		{
			"condition": "on-failure",
			"max_attempts": attempts,
			"window": sprintf("%ds", [window]),
		},
		{"delay": service.restart_policy.delay | service.restart_policy.delay != ""},
	)}}}},
} if {
	attempts := max([service.exit.cap, 3])
	window := 60 * ceil(((2 * attempts) * (service.health.fatal + _delay(service))) / 60)
}

_engine(service) := {
	"title": "let the process exit when it cannot go on, and the engine count the restarts",
	"safety": "display",
	"suggestion": {"services": object.union({service.name: {"restart": "on-failure:5"}}, lib.spared(service))},
}

_message(uncapped) := sprintf("service %q is restarted without a cap %s: %s", [
	uncapped[0].name,
	_when(uncapped[0]),
	_setting(uncapped[0]),
]) if {
	count(uncapped) + count(_also(uncapped)) == 1
} else := sprintf("%d of %d services are restarted without a cap %s (%s): %s", [
	count(names),
	count(input.services),
	_when(uncapped[0]),
	_setting(uncapped[0]),
	_list(names),
]) if {
	names := array.concat([service.name | some service in uncapped], _also(uncapped))
}

# _also are the services that share the text of an anchor with one that is listed.
_also(uncapped) := [name |
	some service in uncapped
	some name in array.concat(service.restart.also, service.restart_policy.also)
]

_list(names) := concat(", ", names) if {
	count(names) <= 4
} else := sprintf("%s and %d more", [concat(", ", array.slice(names, 0, 3)), count(names) - 3])

_when(service) := "after every failure" if service.exit.policy == "on-failure"

_when(service) := "after every exit" if service.exit.policy != "on-failure"

_setting(service) := sprintf("restart: %s", [service.restart.text]) if {
	service.exit.from == "restart"
} else := sprintf("deploy.restart_policy with %s and without max_attempts", [_condition(service.restart_policy)]) if {
	service.exit.from == "restart_policy"
} else := "Swarm's default"

_condition(policy) := sprintf("condition %s", [policy.condition]) if {
	policy.has_condition
} else := "no condition"

_loop := "Swarm starts the next task 5 s after one ends unless delay says otherwise, for ever" if {
	input.swarm.confidence != ""
} else := concat("", [
	"a process that ran for 10 s or more is started again 100 ms after it exits, for ever; one that exits sooner waits up to a minute; ",
	"a container that is only unhealthy is not restarted",
])

_count(service) := {
	"title": "cap the replacements",
	"safety": "display",
	"suggestion": {"services": {service.name: {"deploy": {"restart_policy": {"condition": "on-failure", "max_attempts": 5, "window": "120s"}}}}},
} if {
	input.swarm.confidence != ""
} else := {
	"title": "cap the restarts where the container need not come back with the host, which on-failure leaves out",
	"safety": "display",
	"suggestion": {"services": {service.name: {"restart": "on-failure:5"}}},
}
