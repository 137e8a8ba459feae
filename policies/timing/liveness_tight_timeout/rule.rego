# METADATA
# title: Liveness command has a second to start a runtime or to cross the network
# description: |
#   timeoutSeconds is 1 unless the manifest says otherwise, and an exec probe that takes longer counts as failed (before
#   Kubernetes 1.20 it did not, so old manifests were never asked). A command that starts a JVM, an Erlang VM or an
#   interpreter, opens a database session, or calls another machine needs a large part of that second on a quiet node. Under CPU
#   throttling, memory pressure or a slow network it needs more, and the kubelet restarts a container that would have answered
#   correctly: slow is taken for dead, and the work of the restart makes the others slower. That holds for a call whose failure is
#   tolerated (|| true) as well: the timeout ends the whole command.
#
#   Commands that look at files and processes and small native clients that ping their own server (redis-cli ping, pg_isready,
#   mysqladmin ping) are left alone.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes
#   description: timeoutSeconds, its default of 1, and exec probes
# - ref: https://kubernetes.io/blog/2020/12/08/kubernetes-1-20-release-announcement/
#   description: Since 1.20 the timeout of exec probes is enforced
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [exec]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.timing.liveness_tight_timeout

import data.policies.lib

findings contains {
	"path": array.concat(probe.path, ["timeoutSeconds"]),
	"message": sprintf("%s fails when %s takes longer than %d s%s", [
		lib.probe_name(container, probe),
		_work(probe),
		probe.timeout,
		_unset(probe),
	]),
	"effect": sprintf("%s, even if every answer would have been right", [_verdict(probe)]),
	"container": container.name,
	"fixes": [{
		"title": "give the command time for a busy node",
		"safety": "display",
		"suggestion": {probe.field: object.union({"timeoutSeconds": _enough(probe)}, _period(probe))},
	}],
} if {
	some container in input.containers
	some probe in container.probes
	probe.handler == "exec"
	probe.timeout <= 1
	probe.restarts
	probe.known
	_slow(probe)
	lib.whole(input, container)
}

_slow(probe) if probe.launch.program != ""

_slow(probe) if count(_remote(probe)) > 0

_remote(probe) := [target | some target in probe.targets; target.remote]

_work(probe) := sprintf("%s, which %s,", [probe.launch.program, _brings[probe.launch.runtime]]) if {
	probe.launch.program != ""
} else := sprintf("the call of %s to %s", [_remote(probe)[0].via, _address(_remote(probe)[0])])

_brings := {
	"jvm": "starts a JVM each time",
	"erlang": "starts an Erlang VM each time",
	"python": "starts Python each time",
	"node": "starts Node.js each time",
	"ruby": "starts Ruby each time",
	"php": "starts PHP each time",
	"dotnet": "starts .NET each time",
	"javascript": "starts a JavaScript engine each time",
	"session": "opens a database session each time",
}

_address(target) := lib.address(target.host, target.port) if target.host != ""

_address(target) := target.dependency if {
	target.host == ""
	target.dependency != ""
}

_address(target) := "another machine" if {
	target.host == ""
	target.dependency == ""
}

_unset(probe) := "" if "timeoutSeconds" in probe.written

_unset(probe) := " (the default of timeoutSeconds)" if not "timeoutSeconds" in probe.written

_verdict(probe) := "one slow answer restarts the container" if probe.failure_threshold == 1

_verdict(probe) := sprintf("%d slow answers in a row restart the container", [probe.failure_threshold]) if {
	probe.failure_threshold > 1
}

# _enough is a timeout for the runtime; the period must not be shorter.
_enough(probe) := 10 if {
	probe.launch.runtime in {"jvm", "erlang", "python"}
} else := 5

_period(probe) := {"periodSeconds": _enough(probe)} if probe.period < _enough(probe)

_period(probe) := {} if probe.period >= _enough(probe)
