# METADATA
# title: Wording and fixes of the rules about endpoints
# description: Pure functions of their arguments; nothing here reads the input.
package policies.lib.endpoint

import data.policies.lib

# remote: the outcome of a probe is decided outside the pod, which is the story that the rules about remote dependencies tell.
remote(probe) if {
	some target in probe.targets
	target.remote
	target.decides
}

# dependent: what a probe asks of its own pod fails when a dependency is down.
dependent(probe) if {
	probe.endpoint.depends == "yes"
	not remote(probe)
}

# outage of the dependency of a probe, in the form that lib.outage_effect takes.
outage(probe) := [{"place": "self", "outcome": probe.endpoint.outcome, "host": "", "dependency": ""}]

# check_path leads to the request of a probe.
check_path(probe) := array.concat(probe.path, ["httpGet", "path"]) if {
	probe.handler == "httpGet"
} else := lib.check_path(probe)

# message says what a probe asks, and that it fails with a dependency.
message(container, probe) := sprintf("%s asks %s, which %s when %s is down", [
	lib.probe_name(container, probe),
	asked(container, probe),
	_fails[probe.endpoint.confidence],
	probe.endpoint.dependency,
])

_fails := {"certain": "fails", "likely": "may fail"}

# asked names what a probe asks, with the product where one is known, and the container where it is another one.
asked(container, probe) := sprintf("%s of %s", [_request(probe.endpoint), _whose(container, probe.endpoint)])

_request(endpoint) := sprintf("the gRPC service %q", [endpoint.asked]) if endpoint.kind == "grpc"

_request(endpoint) := sprintf("`%s`", [_short(endpoint.asked)]) if endpoint.kind == "command"

_request(endpoint) := _short(endpoint.asked) if endpoint.kind == "http"

_short(text) := text if count(text) <= 100

_short(text) := sprintf("%s…", [trim_space(substring(text, 0, 99))]) if count(text) > 100

_whose(container, endpoint) := sprintf("container %q", [endpoint.container]) if {
	endpoint.container != container.name
} else := endpoint.product if {
	endpoint.product != ""
} else := "the application"

# evidence of an endpoint.
evidence(probe) := [probe.endpoint.evidence]

# safe are the ways to ask this process alone: the product's own safe endpoint or a setting that makes the endpoint one, else
# what lib.local_fix knows.
safe(workload, container, probe) := [fix |
	some fix in [_setting(container, probe), _alternative(probe)]
	fix.title != ""
] if {
	_known(container, probe)
} else := [lib.local_fix(workload, container, probe, outage(probe))]

_known(container, probe) if _setting(container, probe).title != ""

_known(_, probe) if _alternative(probe).title != ""

_setting(container, probe) := {
	"title": sprintf("add %s=%s to the environment of container %q, so that the endpoint answers for the process alone", [
		probe.endpoint.setting.name,
		probe.endpoint.setting.value,
		container.name,
	]),
	"safety": "display",
	"suggestion": {"env": [{"name": probe.endpoint.setting.name, "value": probe.endpoint.setting.value}]},
} if {
	probe.endpoint.setting.name != ""
} else := {"title": ""}

_alternative(probe) := {
	"title": sprintf("ask %s instead of %s", [probe.endpoint.alternative.path, _short(probe.endpoint.asked)]),
	"safety": "display",
	"suggestion": {probe.field: object.union(
		{"httpGet": object.union(lib.handler(probe).httpGet, {"path": probe.endpoint.alternative.path})},
		lib.timings(probe),
	)},
} if {
	probe.endpoint.setting.name == ""
	probe.endpoint.alternative.path != ""
	probe.handler == "httpGet"
	probe.port.known
} else := {"title": sprintf("ask %s instead of %s", [probe.endpoint.alternative.path, _short(probe.endpoint.asked)]), "safety": "display"} if {
	probe.endpoint.setting.name == ""
	probe.endpoint.alternative.path != ""
	probe.endpoint.kind == "http"
} else := {
	"title": sprintf("run %q instead", [concat(" ", probe.endpoint.alternative.command)]),
	"safety": "display",
	"suggestion": {probe.field: object.union({"exec": {"command": probe.endpoint.alternative.command}}, lib.timings(probe))},
} if {
	probe.endpoint.setting.name == ""
	count(probe.endpoint.alternative.command) > 0
} else := {"title": ""}

# unready_effect says what becomes of an application that is not ready for long.
unready_effect(workload, container, probe) := concat("", [
	"not being ready ",
	substring(effect, count("an outage "), -1),
]) if {
	effect := lib.outage_effect(workload, container, probe, outage(probe))
	startswith(effect, "an outage ")
} else := lib.outage_effect(workload, container, probe, outage(probe))
