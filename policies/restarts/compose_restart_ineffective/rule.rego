# METADATA
# title: Compose restart setting that does not do what it says
# description: |
#   Docker Compose takes condition and max_attempts of deploy.restart_policy, which replaces restart whole. Without a condition it
#   asks the engine for no policy, so nothing restarts the container, although the specification names any as the default and
#   docker stack deploy goes by that. A condition other than on-failure with max_attempts is refused by the engine ("maximum retry
#   count can only be used with 'on-failure'"), as are a policy that it does not know and a number after always or unless-stopped:
#   the container is not created. true and false are no policies. no without quotes is a boolean for YAML 1.1: Docker Compose reads
#   the word, podman-compose, docker-compose 1 and most other programs that read the file see false.
# related_resources:
# - ref: https://docs.docker.com/reference/compose-file/services/#restart
#   description: restart
# - ref: https://docs.docker.com/reference/compose-file/deploy/#restart_policy
#   description: deploy.restart_policy
# - ref: https://yaml.org/type/bool.html
#   description: The booleans of YAML 1.1
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [compose]
#   kinds: [Compose file]
#   aliases: []
#   fix: display
package policies.restarts.compose_restart_ineffective

# A restart_policy without a condition.
findings contains {
	"path": policy.path,
	"container": service.name,
	"message": sprintf("%s not restarted: deploy.restart_policy has no condition%s", [_subject(service, policy.also), _overridden(service)]),
	"effect": "Docker Compose hands the engine no restart policy then, and a container that exits stays down",
	"confidence": _confidence,
	"fixes": [_with(service, {"condition": "on-failure"})],
} if {
	some service in input.services
	policy := service.restart_policy
	policy.own
	policy.known
	not policy.has_condition
	input.swarm.confidence != "certain"
}

# A number of attempts that the engine takes with on-failure alone.
findings contains {
	"path": array.concat(policy.path, ["max_attempts"]),
	"container": service.name,
	"message": sprintf("the engine refuses service %q: max_attempts %d needs condition on-failure, and it is %s", [
		service.name,
		policy.max_attempts,
		policy.condition,
	]),
	"effect": "docker compose up fails before the container is created: maximum retry count can only be used with 'on-failure'",
	"confidence": _confidence,
	"fixes": [_with(service, {"condition": "on-failure"})],
} if {
	some service in input.services
	policy := service.restart_policy
	policy.own
	policy.known
	policy.condition in _uncounted
	policy.max_attempts > 0
	input.swarm.confidence != "certain"
}

# A condition that nothing knows.
findings contains {
	"path": array.concat(policy.path, ["condition"]),
	"container": service.name,
	"message": sprintf("service %q has no valid restart policy: condition %q is none of none, on-failure and any", [
		service.name,
		policy.condition,
	]),
	"effect": _refusal,
	"fixes": [_with(service, {"condition": "any"})],
} if {
	some service in input.services
	policy := service.restart_policy
	policy.own
	policy.known
	policy.has_condition
	not policy.condition in _conditions[input.swarm.confidence]
}

# A boolean.
findings contains {
	"path": service.restart.path,
	"container": service.name,
	"message": sprintf("service %q: %s", [service.name, _boolean(service.restart)]),
	"effect": _boolean_effect(service.restart),
	"severity": _boolean_severity(service.restart),
	"fixes": [_restart(service, _meant(service.restart.word))],
} if {
	some service in input.services
	service.restart.own
	service.restart.type == "bool"
}

# A policy that the engine does not know, or a number where none can stand.
findings contains {
	"path": service.restart.path,
	"container": service.name,
	"message": sprintf("service %q has no valid restart policy: restart is %q, %s", [service.name, service.restart.text, wrong]),
	"effect": "the engine refuses to create the container",
	"fixes": [_restart(service, fixed)],
} if {
	some service in input.services
	service.restart.own
	service.restart.known
	service.restart.type == "string"
	not service.restart_policy.set
	wrong := _wrong(service.restart)
	fixed := _right(service.restart)
}

# A number or a list where text has to stand.
findings contains {
	"path": service.restart.path,
	"container": service.name,
	"message": sprintf("service %q has no valid restart policy: restart is a %s", [service.name, service.restart.type]),
	"effect": "Docker Compose refuses the file",
	"fixes": [_restart(service, "unless-stopped")],
} if {
	some service in input.services
	service.restart.own
	service.restart.type in {"number", "list", "map"}
}

_refusal := "docker stack deploy fails" if {
	input.swarm.confidence == "certain"
} else := "the engine refuses to create the container"

_uncounted := {"any", "always", "none", "no", "unless-stopped"}

_conditions := {
	"": {"none", "no", "on-failure", "any", "always", "unless-stopped"},
	"likely": {"none", "no", "on-failure", "any", "always", "unless-stopped"},
	"certain": {"none", "on-failure", "any"},
}

# _confidence: a file that may be meant for Swarm alone, where the same text works, is a likely finding.
_confidence := "certain" if input.swarm.confidence == ""

_confidence := "likely" if input.swarm.confidence == "likely"

_subject(service, also) := sprintf("service %q is", [service.name]) if {
	count(also) == 0
} else := sprintf("services %s are", [concat(", ", array.concat([service.name], also))])

_overridden(service) := sprintf(", and it replaces restart: %s", [service.restart.text]) if {
	service.restart.set
	service.restart.policy != "no"
} else := ""

_boolean(restart) := sprintf("restart: %s without quotes is a boolean in YAML 1.1", [restart.word]) if {
	restart.word == "no"
} else := sprintf("restart: %s is a boolean, and no restart policy", [restart.word])

_boolean_effect(restart) := "Docker Compose reads the word no; podman-compose, docker-compose 1 and whatever else reads YAML 1.1 see false" if {
	restart.word == "no"
} else := "Docker Compose refuses the file: restart must be a string" if {
	restart.word in {"true", "false"}
} else := "Docker Compose reads it as a policy of that name, which the engine refuses"

_boolean_severity(restart) := "warning" if {
	restart.word == "no"
} else := "error"

_meant(word) := "no" if {
	word in {"no", "false", "off", "n"}
} else := "unless-stopped"

_wrong(restart) := "which the engine does not know" if {
	restart.policy == ""
} else := "whose count is no number" if {
	restart.bad_count
	restart.policy == "on-failure"
} else := "and only on-failure takes a count" if {
	restart.has_count
	restart.policy != "on-failure"
}

_right(restart) := restart.policy if {
	restart.policy in {"always", "unless-stopped", "no"}
} else := "on-failure:5" if {
	restart.policy == "on-failure"
} else := restart.suggestion if {
	restart.suggestion != ""
} else := "unless-stopped"

_with(service, added) := {
	"title": sprintf("write condition: %s", [added.condition]),
	"safety": "display",
	"suggestion": {"services": {service.name: {"deploy": {"restart_policy": object.union(_written(service.restart_policy), added)}}}},
}

_written(policy) := object.union_n([
	{"max_attempts": policy.max_attempts | policy.has_attempts},
	{"delay": policy.delay | policy.delay != ""},
	{"window": policy.window | policy.window != ""},
])

_restart(service, policy) := {
	"title": sprintf("write restart: %s", [_quoted(policy)]),
	"safety": "display",
	"suggestion": {"services": {service.name: {"restart": policy}}},
}

_quoted(policy) := "\"no\"" if {
	policy == "no"
} else := policy
