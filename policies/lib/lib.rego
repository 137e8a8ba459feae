# METADATA
# title: Wording and suggestions that several rules share
# description: Pure functions of their arguments; nothing here reads the input.
package policies.lib

# probe_name: liveness of container "api".
probe_name(container, probe) := sprintf("%s of container %q", [probe.type, container.name]) if container.name != ""

probe_name(container, probe) := sprintf("%s of the container", [probe.type]) if container.name == "" # Knative names it later

# whole: nothing of the container stands elsewhere, as the rest of what a patch patches does; then what is absent is unset.
whole(workload, _) if not workload.fragment

whole(_, container) if container.image != ""

# check_path leads to what a probe asks: its command, its host, or the path of its request.
check_path(probe) := array.concat(probe.path, ["exec", "command"]) if probe.handler == "exec"

check_path(probe) := array.concat(probe.path, [probe.handler, "host"]) if {
	probe.handler in {"httpGet", "tcpSocket"}
	probe.host != ""
}

check_path(probe) := array.concat(probe.path, ["httpGet", "path"]) if {
	probe.handler == "httpGet"
	probe.host == ""
}

check_path(probe) := array.concat(probe.path, [probe.handler]) if {
	probe.handler in {"tcpSocket", "grpc"}
	probe.host == ""
}

# dependencies groups the remote targets that decide a probe: one group for each host and product, whatever
# the ports and the ways that lead there.
dependencies(probe) := {key: group |
	some target in probe.targets
	_decides(target)
	key := [target.place, target.host, target.dependency]
	group := [other |
		some other in probe.targets
		_decides(other)
		[other.place, other.host, other.dependency] == key
	]
}

_decides(target) if {
	target.remote
	target.decides
}

# dependency_message says what a group from dependencies means for the probe.
dependency_message(container, probe, group) := sprintf("%s asks its own Service at %s, which any replica may answer", [
	probe_name(container, probe),
	_addresses(group),
]) if {
	group[0].place == "own-service"
}

dependency_message(container, probe, group) := sprintf("%s %s when %s", [
	probe_name(container, probe),
	_fails[confidence(group)],
	_outage(group),
]) if {
	group[0].place != "own-service"
}

_fails := {"certain": "fails", "likely": "may fail"}

# confidence of a group is that of its surest target.
confidence(group) := "certain" if {
	some target in group
	target.confidence == "certain"
} else := "likely"

# evidence lists the traces of a group.
evidence(group) := [target.evidence | some target in group]

_outage(group) := sprintf("%s at %s is down", [group[0].dependency, _addresses(group)]) if {
	group[0].dependency != ""
	group[0].host != ""
}

_outage(group) := sprintf("%s is down (%s)", [group[0].dependency, group[0].via]) if {
	group[0].dependency != ""
	group[0].host == ""
}

_outage(group) := sprintf("%s (%s) is down", [_addresses(group), group[0].subject]) if {
	group[0].dependency == ""
	group[0].host != ""
	group[0].subject != ""
}

_outage(group) := sprintf("%s is down", [_addresses(group)]) if {
	group[0].dependency == ""
	group[0].host != ""
	group[0].subject == ""
}

_outage(group) := sprintf("what %s asks is down", [group[0].via]) if {
	group[0].dependency == ""
	group[0].host == ""
}

_addresses(group) := concat(" or ", sort({address(target.host, target.port) | some target in group}))

# address joins a host and a port, where one is known; an IPv6 address gets its brackets.
address(host, "") := host

address(host, port) := sprintf("%s:%s", [_bracketed(host), port]) if port != ""

_bracketed(host) := sprintf("[%s]", [host]) if {
	contains(host, ":")
	not startswith(host, "[")
} else := host

# outage_effect says how long the outage of a group must last to restart whom.
outage_effect(workload, container, probe, group) := concat("", [
	_outcome(probe, group),
	_spared(probe),
	"; one of ",
	sprintf("%d s or more ", [probe.budget.fatal]),
	_struck(workload, container, probe),
]) if {
	probe.known
}

outage_effect(workload, container, probe, group) := concat("", [
	_outcome(probe, group),
	"how long an outage may last is unknown, since a timing of the probe is; one that lasts too long ",
	_struck(workload, container, probe),
]) if {
	not probe.known
}

# _outcome tells what a command does then; that the kubelet cannot reach a host that is down goes without saying.
_outcome(probe, group) := "a hung replica passes while another one answers; " if {
	group[0].place == "own-service"
} else := sprintf("in that outage %s; ", [group[0].outcome]) if {
	group[0].outcome != ""
	probe.handler == "exec"
} else := ""

_spared(probe) := sprintf("an outage under %d s restarts nobody", [probe.budget.harmless]) if {
	probe.budget.harmless > 0
} else := "one failed probe is enough, so even a short outage restarts some"

# _struck says whom an outage restarts that is long enough. Only Jobs count restarts, and only restartPolicy
# Never leaves a killed container down, unless it is a sidecar.
_struck(workload, container, probe) := "ends the container, and restartPolicy Never leaves it down" if {
	_stays_down(workload, container)
	workload.class != "batch"
} else := "ends the container in every pod of the Job, and each counts as a failure against backoffLimit" if {
	_stays_down(workload, container)
} else := "restarts the container in every pod of the Job, and each restart counts against backoffLimit" if {
	workload.class == "batch"
	workload.restart_policy != "Never"
} else := "restarts the container in every pod of the Job" if {
	workload.class == "batch"
} else := "restarts the container" if {
	workload.kind == "Pod"
} else := "restarts the only replica" if {
	_fixed(workload)
	workload.replicas.value == 1
} else := sprintf("restarts %s%s, and no PDB or maxUnavailable limits that", [_fleet(workload), _spread(probe)])

_stays_down(workload, container) if {
	workload.restart_policy == "Never"
	container.type != "sidecar"
}

# _fixed: the number of replicas is known and nothing scales it.
_fixed(workload) if {
	workload.replicas.known
	fixed(workload.replicas)
	workload.kind != "Service" # Knative scales by itself
}

_fleet(workload) := sprintf("%s replicas", [every_one(workload.replicas.value)]) if {
	_fixed(workload)
	workload.replicas.value > 1
} else := "the pod of every node" if {
	workload.class == "daemon"
} else := sprintf("every replica (%d or more)", [workload.replicas.value]) if {
	workload.replicas.known
	workload.replicas.value > 1
} else := "every replica"

_spread(probe) := sprintf(" within %d s of each other", [probe.budget.spread]) if probe.known

_spread(probe) := "" if not probe.known

# start_effect says what the outage of a group does to containers that start during it.
start_effect(workload, container, probe, group) := concat("", [
	_outcome(probe, group),
	"replicas that have started go on, but one that starts during the outage ",
	"(after a crash, in a rollout, on a new node) is killed ",
	_killed(probe),
	_again(workload, container),
])

_killed(probe) := sprintf("%d to %d s after its start", [
	probe.initial_delay + probe.budget.harmless,
	probe.initial_delay + probe.budget.latest,
]) if {
	probe.known
}

_killed(probe) := "after its startup probe has failed too often" if not probe.known

_again(workload, container) := "" if {
	_stays_down(workload, container)
} else := ", again and again"

# local_fix makes a restarting probe ask this process alone, as far as the manifest shows how, and leaves the
# check itself to readiness, which restarts nobody. It invents nothing about the application.
local_fix(workload, container, probe, group) := {
	"title": "drop host, so that the kubelet asks this pod",
	"safety": "display",
	"suggestion": {probe.field: object.union(without_host(probe), timings(probe))},
} if {
	group[0].place == "own-service"
	probe.host != ""
	probe.port.declared
} else := _ask_port_and_keep(probe, port) if {
	port := local_port(container)
	_readiness_takes(workload, container, probe, group)
} else := _ask_port(probe, port) if {
	port := local_port(container)
} else := {
	"title": sprintf("%s, and keep this check as readinessProbe", [_ask_nobody[probe.type]]),
	"safety": "display",
	"suggestion": {"readinessProbe": object.union(handler(probe), timings(probe))},
} if {
	_readiness_takes(workload, container, probe, group)
} else := {"title": _ask_nobody[probe.type], "safety": "display"}

# _ask_port makes a probe ask whether a port is open and nothing else.
_ask_port(probe, at) := {
	"title": sprintf("probe port %v for %s", [at, probe.type]),
	"safety": "display",
	"suggestion": {probe.field: object.union({"tcpSocket": {"port": at}}, timings(probe))},
}

# _ask_port_and_keep also makes the check that it replaces the readiness probe.
_ask_port_and_keep(probe, at) := {
	"title": sprintf("probe port %v for %s, and keep this check as readinessProbe", [at, probe.type]),
	"safety": "display",
	"suggestion": {
		probe.field: object.union({"tcpSocket": {"port": at}}, timings(probe)),
		"readinessProbe": object.union(handler(probe), timings(probe)),
	},
}

_ask_nobody := {
	"liveness": "remove livenessProbe, which a process that exits on its own when it breaks does not need",
	"startup": "let startupProbe ask this process alone",
}

# _readiness_takes: readiness can make the check, because it makes none yet and there is traffic to hold back.
_readiness_takes(workload, container, probe, group) if {
	group[0].place != "own-service"
	workload.class == "service"
	not "readiness" in {other.type | some other in container.probes}
	complete(probe)
}

# complete: the whole handler of the probe is known.
complete(probe) if probe.handler == "exec"

complete(probe) if probe.port.known

# handler of a probe as it stands in the manifest; the probe must be complete.
handler(probe) := {"exec": {"command": probe.command}} if {
	probe.handler == "exec"
} else := {"tcpSocket": object.union(_host(probe), {"port": port(probe)})} if {
	probe.handler == "tcpSocket"
} else := {"grpc": object.union({"port": port(probe)}, _service(probe))} if {
	probe.handler == "grpc"
} else := {"httpGet": object.union(_host(probe), _request(probe))}

_service(probe) := {"service": probe.service} if probe.service != ""

_service(probe) := {} if probe.service == ""

_host(probe) := {"host": probe.host} if probe.host != ""

_host(probe) := {} if probe.host == ""

_request(probe) := object.union_n([{"path": probe.http.path, "port": port(probe)}, _scheme(probe), _headers(probe)])

_headers(probe) := {"httpHeaders": probe.http.headers} if count(probe.http.headers) > 0

_headers(probe) := {} if count(object.get(probe.http, "headers", [])) == 0

_scheme(probe) := {} if probe.http.scheme == "HTTP"

_scheme(probe) := {"scheme": probe.http.scheme} if probe.http.scheme != "HTTP"

# without_host is the handler of a probe with its host dropped; an HTTP server still sees the name.
without_host(probe) := {"tcpSocket": {"port": port(probe)}} if probe.handler == "tcpSocket"

without_host(probe) := {"httpGet": object.union(_request(probe), _host_header(probe))} if probe.handler == "httpGet"

_host_header(probe) := {} if {
	probe.host in loopback
} else := {} if {
	some header in probe.http.headers
	lower(header.name) == "host"
} else := {"httpHeaders": array.concat(object.get(probe.http, "headers", []), [{"name": "Host", "value": probe.host}])}

# loopback names for which a Host header says nothing.
loopback := {"localhost", "127.0.0.1", "::1", "[::1]"}

# seconds from one time to another: "21–31 s".
seconds(from, to) := sprintf("%d–%d s", [from, to])

# port of a probe as written: a name or a number.
port(probe) := probe.port.name if probe.port.name != ""

port(probe) := probe.port.number if probe.port.name == ""

# local_port is a TCP port that the container declares, by name where it has one: the one that another probe
# of the container asks, else the first.
local_port(container) := _named(array.concat(
	[declared |
		some declared in container.ports
		some probe in container.probes
		probe.host == ""
		probe.port.number == declared.number
	],
	container.ports,
))

_named(ports) := [name |
	some declared in ports
	declared.protocol == "TCP"
	declared.number > 0
	name := [candidate | some candidate in [declared.name, declared.number]; candidate != ""][0]
][0]

# timings are the timing fields of a probe as the manifest has them; a failureThreshold of 1 is left out, since it is
# a finding of its own.
timings(probe) := {field: value |
	probe.known
	some field, fact in _timing_facts
	field in probe.written
	value := probe[fact]
	[field, value] != ["failureThreshold", 1]
}

_timing_facts := {
	"initialDelaySeconds": "initial_delay",
	"periodSeconds": "period",
	"timeoutSeconds": "timeout",
	"failureThreshold": "failure_threshold",
	"successThreshold": "success_threshold",
}

# field_state says what stands in a field of a restart policy: missing, null, 0, "unlimited".
field_state(field) := "missing" if field.type == "absent"

field_state(field) := "null" if field.type == "null"

field_state(field) := sprintf("%q", [field.text]) if field.type == "string"

field_state(field) := field.text if not field.type in {"absent", "null", "string"}

# unset: the field is not there, or is there without a value.
unset(field) if field.type in {"absent", "null"}

# word folds the ways to spell one: "Restart anyway" and "restart-anyway" are restart_anyway.
word(text) := replace(replace(lower(trim_space(text)), " ", "_"), "-", "_")

# no_floor: no part of the fleet is kept up.
no_floor(field) if unset(field)

no_floor(field) if {
	field.type == "number"
	field.number == 0
}

# policy_with is a restart policy as it stands, with the fields in added put in, and with what other rules say is missing: all
# findings about one policy show the same document.
policy_with(policy, added) := {"restart_policy": merged} if {
	policy.path[count(policy.path) - 1] == "restart_policy"
	merged := object.union(_sound(policy), added)
} else := object.union(_sound(policy), added)

_sound(policy) := object.union_n([
	_written(policy),
	{name: value |
		some name, value in {"max_restarts_per_window": 3, "window_seconds": 300}
		policy[name].unbounded
	},
	{"on_limit_exceeded": "page_oncall" | limit_verdict(policy.on_limit_exceeded)},
	{"min_healthy_fraction": usual_fraction(policy) | no_floor(policy.min_healthy_fraction)},
])

# usual_fraction lets one of two be restarted, which 0.6 would not.
usual_fraction(policy) := 0.5 if {
	policy.applies_to.replicas.known
	policy.applies_to.replicas.value == 2
} else := 0.6

# limit_verdict says how on_limit_exceeded fails to stop restarts; undefined when it stops them.
limit_verdict(field) := "does not say what happens at its limit" if unset(field)

limit_verdict(field) := "goes on restarting past its limit" if {
	field.type == "string"
	word(field.text) in {
		"", "allow", "always", "always_restart", "continue", "continue_restarting", "ignore", "keep_restarting", "no_action",
		"none", "noop", "no_op", "nothing", "proceed", "restart", "restart_always", "restart_anyway", "restarts", "retry",
	}
}

_written(policy) := object.union_n([
	{"name": name | name := policy.name; name != ""},
	{name: value |
		some name in ["max_restarts_per_window", "window_seconds", "on_limit_exceeded", "min_healthy_fraction"]
		value := _value(policy[name])
	},
	{"applies_to": target |
		policy.applies_to.set
		target := {key: value |
			some key in ["kind", "name", "namespace"]
			value := policy.applies_to[key]
			value != ""
		}
	},
])

_value(field) := field.number if field.type == "number"

_value(field) := field.text if field.type in {"string", "unknown"}

# governed names what a restart policy governs, with its number where that is known.
governed(policy) := sprintf("%s replicas of %s %s", [
	every_one(policy.applies_to.replicas.value),
	policy.applies_to.kind,
	policy.applies_to.name,
]) if {
	policy.applies_to.found
	policy.applies_to.replicas.known
	fixed(policy.applies_to.replicas)
	policy.applies_to.replicas.value > 1
} else := sprintf("%s %s", [policy.applies_to.kind, policy.applies_to.name]) if {
	policy.applies_to.set
} else := "every instance"

# budget_with is a PodDisruptionBudget as it stands but for the two fields that fields replaces.
budget_with(pdb, fields) := {
	"apiVersion": "policy/v1",
	"kind": "PodDisruptionBudget",
	"metadata": object.union({"name": pdb.name}, {"namespace": space | space := pdb.namespace; space != ""}),
	"spec": object.union(fields, object.union(
		{"selector": pdb.selector | pdb.has_selector},
		{"unhealthyPodEvictionPolicy": policy |
			pdb.unhealthy_pods.type == "string"
			policy := pdb.unhealthy_pods.text
		},
	)),
}

# budget_limits are minAvailable and maxUnavailable of a PodDisruptionBudget as they stand.
budget_limits(pdb) := {field: value |
	some field, quantity in {"minAvailable": pdb.min_available, "maxUnavailable": pdb.max_unavailable}
	quantity.set
	value := _quantity(quantity)
}

_quantity(quantity) := quantity.value if {
	quantity.known
	not quantity.percent
} else := quantity.text

# own_selector selects the pods of a workload: its own selector or, where it has none, the labels of its pods that do not change
# from one release to the next.
own_selector(workload) := workload.selector if {
	count(workload.selector) > 0
} else := {"matchLabels": {key: value |
	some key, value in workload.labels
	not key in {
		"app.kubernetes.io/managed-by", "app.kubernetes.io/version", "chart", "helm.sh/chart", "heritage", "pod-template-hash",
	}
}}

# covered names what a PodDisruptionBudget selects, with its number where that is known.
covered(pdb) := sprintf("the autoscaler's minimum of %d for %s", [pdb.expected.value, selected(pdb)]) if {
	pdb.expected.known
	scaled(pdb)
} else := sprintf("the only replica of %s", [selected(pdb)]) if {
	pdb.expected.known
	pdb.expected.value == 1
} else := sprintf("%s replicas of %s", [every_one(pdb.expected.value), selected(pdb)]) if {
	pdb.expected.known
} else := "every pod"

# selected names the workloads of a PodDisruptionBudget, up to three.
selected(pdb) := concat(" and ", [sprintf("%s %s", [workload.kind, workload.name]) | some workload in pdb.workloads]) if {
	count(pdb.workloads) <= 3
} else := sprintf("%d workloads", [count(pdb.workloads)])

# few joins names: all of up to three, else the first two and how many more.
few(names) := concat(" and ", names) if {
	count(names) <= 3
} else := sprintf("%s, %s and %d more", [names[0], names[1], count(names) - 2])

# fixed: the manifest gives the number of replicas itself, and no autoscaler does.
fixed(replicas) if replicas.from in {"replicas", "default"}

# every_one of n, for n above 1: both, all 3.
every_one(n) := "both" if n == 2

every_one(n) := sprintf("all %d", [n]) if n != 2

# scaled: an autoscaler may run more replicas of a PodDisruptionBudget's workloads than the number that is known.
scaled(pdb) if {
	some workload in pdb.workloads
	not fixed(workload.replicas)
}

# job_spec puts fields where the JobSpec of a Job or CronJob has them.
job_spec(workload, fields) := {"spec": {"jobTemplate": {"spec": fields}}} if {
	workload.kind == "CronJob"
} else := {"spec": fields}

# spared is the setting by which a helper such as autoheal leaves a Compose service alone: its label, or that the helper acts on
# labels at all.
spared(service) := {service.name: {"labels": {service.actor.label: "false"}}} if {
	service.actor.label != ""
} else := {service.actor.helper: {"environment": {"AUTOHEAL_CONTAINER_LABEL": "autoheal"}}}

# endpoint_remote: the outcome of a probe is decided outside the pod, which is the story that the rules about remote dependencies tell.
endpoint_remote(probe) if {
	some target in probe.targets
	target.remote
	target.decides
}

# endpoint_dependent: what a probe asks of its own pod fails when a dependency is down.
endpoint_dependent(probe) if {
	probe.endpoint.depends == "yes"
	not endpoint_remote(probe)
}

# endpoint_outage of the dependency of a probe, in the form that outage_effect takes.
endpoint_outage(probe) := [{"place": "self", "outcome": probe.endpoint.outcome, "host": "", "dependency": ""}]

# endpoint_path leads to the request of a probe.
endpoint_path(probe) := array.concat(probe.path, ["httpGet", "path"]) if {
	probe.handler == "httpGet"
} else := check_path(probe)

# endpoint_message says what a probe asks, and that it fails with a dependency.
endpoint_message(container, probe) := sprintf("%s asks %s, which %s when %s is down", [
	probe_name(container, probe),
	endpoint_asked(container, probe),
	_fails[probe.endpoint.confidence],
	probe.endpoint.dependency,
])

# endpoint_asked names what a probe asks, with the product where one is known, and the container where it is another one.
endpoint_asked(container, probe) := sprintf("%s of %s", [_endpoint_request(probe.endpoint), _endpoint_owner(container, probe.endpoint)])

_endpoint_request(endpoint) := sprintf("the gRPC service %q", [endpoint.asked]) if endpoint.kind == "grpc"

_endpoint_request(endpoint) := sprintf("`%s`", [_endpoint_short(endpoint.asked)]) if endpoint.kind == "command"

_endpoint_request(endpoint) := _endpoint_short(endpoint.asked) if endpoint.kind == "http"

_endpoint_short(text) := text if count(text) <= 100

_endpoint_short(text) := sprintf("%s…", [trim_space(substring(text, 0, 99))]) if count(text) > 100

_endpoint_owner(container, endpoint) := sprintf("container %q", [endpoint.container]) if {
	endpoint.container != container.name
} else := endpoint.product if {
	endpoint.product != ""
} else := "the application"

# endpoint_evidence of an endpoint.
endpoint_evidence(probe) := [probe.endpoint.evidence]

# endpoint_fixes are the ways to ask this process alone: the product's own safe endpoint or a setting that makes the endpoint one, else
# what local_fix knows.
endpoint_fixes(workload, container, probe) := [fix |
	some fix in [_endpoint_setting(container, probe), _endpoint_alternative(probe)]
	fix.title != ""
] if {
	_endpoint_known(container, probe)
} else := [_endpoint_port(workload, container, probe)] if {
	probe.handler == "httpGet"
	probe.port.known
	probe.endpoint.container == container.name
} else := [local_fix(workload, container, probe, endpoint_outage(probe))]

# _endpoint_port asks the port alone; the check goes to readiness where readiness makes none.
_endpoint_port(workload, container, probe) := _ask_port_and_keep(probe, port(probe)) if {
	workload.class != "batch"
	not "readiness" in {other.type | some other in container.probes}
} else := _ask_port(probe, port(probe))

_endpoint_known(container, probe) if _endpoint_setting(container, probe).title != ""

_endpoint_known(_, probe) if _endpoint_alternative(probe).title != ""

_endpoint_setting(container, probe) := {
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

_ask_instead(endpoint) := sprintf("ask %s instead of %s", [endpoint.alternative.path, _endpoint_short(endpoint.asked)])

_endpoint_alternative(probe) := {
	"title": _ask_instead(probe.endpoint),
	"safety": "display",
	"suggestion": {probe.field: object.union(
		{"httpGet": object.union(handler(probe).httpGet, {"path": probe.endpoint.alternative.path})},
		timings(probe),
	)},
} if {
	probe.endpoint.setting.name == ""
	probe.endpoint.alternative.path != ""
	probe.handler == "httpGet"
	probe.port.known
} else := {"title": _ask_instead(probe.endpoint), "safety": "display"} if {
	probe.endpoint.setting.name == ""
	probe.endpoint.alternative.path != ""
	probe.endpoint.kind == "http"
} else := {
	"title": sprintf("run `%s` instead", [concat(" ", probe.endpoint.alternative.command)]),
	"safety": "display",
	"suggestion": {probe.field: object.union({"exec": {"command": probe.endpoint.alternative.command}}, timings(probe))},
} if {
	probe.endpoint.setting.name == ""
	count(probe.endpoint.alternative.command) > 0
} else := {"title": ""}

# unready_effect says what becomes of an application that is not ready for long.
unready_effect(workload, container, probe) := concat("", [
	"not being ready ",
	substring(effect, count("an outage "), -1),
]) if {
	effect := outage_effect(workload, container, probe, endpoint_outage(probe))
	startswith(effect, "an outage ")
} else := outage_effect(workload, container, probe, endpoint_outage(probe))
