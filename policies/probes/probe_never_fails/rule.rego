# METADATA
# title: Probe cannot fail
# description: |
#   Whatever happens to the container, this check succeeds: its command is true or ends in || true, it is curl without
#   --fail, which exits 0 for a 500 as for a 200, or it is readiness on an endpoint that is known to report a state in the body and
#   success in the status. A liveness probe that cannot fail restarts nothing, a readiness probe lets
#   traffic in at once, a startup probe ends at once. That is harmless as long as nobody counts on the check; without the probe the
#   same happens, and one process per period is saved in every replica. A call that hangs still fails by the timeout.
#
#   The rule speaks only where it is proven, by running the command with everything up and with everything down.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-probes
#   description: An exec probe succeeds when the command exits with 0
# - ref: https://curl.se/docs/manpage.html#-f
#   description: Without --fail curl takes an error page for success
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [workload]
#   needs: [unfailing]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.probes.probe_never_fails

import data.policies.lib

findings contains {
	"path": lib.check_path(probe),
	"message": sprintf("%s succeeds whatever %s (%s)", [
		lib.probe_name(container, probe),
		_what(probe),
		_quoted(probe),
	]),
	"effect": _effect(probe),
	"container": container.name,
	"fixes": [{"title": sprintf("remove %s, or let it ask something that can fail", [probe.field]), "safety": "display"}],
} if {
	some container in input.containers
	some probe in container.probes
	probe.never_fails
	container.type in {"app", "sidecar"}
}

findings contains {
	"path": lib.check_path(probe),
	"message": sprintf("%s succeeds whatever status %s answers: curl without --fail exits 0 for a 500 too", [
		lib.probe_name(container, probe),
		probe.blind_curl,
	]),
	"effect": sprintf("only a connection that fails or hangs counts; %s", [_blind[probe.type]]),
	"container": container.name,
	"fixes": [{
		"title": "let curl judge the status",
		"safety": "display",
		"suggestion": {probe.field: {"exec": {"command": _judging(probe.command)}}},
	}],
} if {
	some container in input.containers
	some probe in container.probes
	probe.blind_curl != ""
	not probe.never_fails
	container.type in {"app", "sidecar"}
}

# For liveness an endpoint that answers as long as the server does is the right one; readiness is meant to learn more.
findings contains {
	"path": lib.check_path(probe),
	"message": sprintf("%s asks %s, where %s answers with success whatever it reports", [
		lib.probe_name(container, probe),
		probe.endpoint.asked,
		probe.endpoint.product,
	]),
	"effect": sprintf("%s, so only a server that does not answer fails it", [probe.endpoint.decides]),
	"evidence": [index | index := probe.endpoint.evidence; index >= 0],
	"container": container.name,
	"fixes": [{
		"title": "ask an endpoint whose status says whether the replica can serve",
		"safety": "display",
	}],
} if {
	some container in input.containers
	some probe in container.probes
	probe.endpoint.verdict == "reports-only"
	probe.type == "readiness"
	container.type in {"app", "sidecar"}
}

# A call that hangs until the timeout fails the probe, whatever the command makes of its exit code.
_what(probe) := "happens" if count(probe.targets) == 0

_what(probe) := "the answer" if count(probe.targets) > 0

_effect(probe) := _effects[probe.type] if count(probe.targets) == 0

_effect(probe) := sprintf("only a call that hangs for more than %d s fails it; a server that is down passes", [probe.timeout]) if {
	count(probe.targets) > 0
	probe.known
}

_effect(probe) := "only a call that hangs until the timeout fails it; a server that is down passes" if {
	count(probe.targets) > 0
	not probe.known
}

_effects := {
	"liveness": "this check never restarts the container, however broken it is",
	"readiness": "the container counts as ready from its first probe on, however broken it is",
	"startup": "liveness and readiness begin at the first probe, whether the container is up or not",
}

_blind := {
	"liveness": "a process that answers with errors is never restarted",
	"readiness": "a process that answers with errors keeps its traffic",
	"startup": "a process that still answers with errors counts as started",
}

_quoted(probe) := _short(concat(" ", split(concat(" ", probe.command), "\n")))

_short(text) := text if count(text) <= 60

_short(text) := concat("", [substring(text, 0, 57), "…"]) if count(text) > 60

# _judging puts --fail behind the first curl.
_judging(command) := array.concat(["curl", "--fail"], array.slice(command, 1, count(command))) if {
	command[0] == "curl"
} else := [replace(word, "curl ", "curl --fail ") | some word in command]
