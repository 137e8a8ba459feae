# METADATA
# title: Probe names a port that its container does not declare
# description: |
#   The kubelet looks a named probe port up in the ports of the same container. A name that is not there makes every
#   probe an error, and errors are not failures: the kubelet throws them away. So liveness never restarts anything,
#   readiness never lets traffic in, and startup neither succeeds nor fails. The API server checks only how the name
#   is spelt, so nothing complains when the manifest is applied. A port number needs no declaration.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#use-a-named-port
#   description: Named ports in probes
# - ref: https://github.com/kubernetes/kubernetes/issues/106682
#   description: Probes that end in an error count neither as success nor as failure
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [workload]
#   needs: [undeclared-port]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.probes.probe_port_undeclared

import data.policies.lib

findings contains {
	"path": array.concat(probe.path, [probe.handler, "port"]),
	"message": sprintf("%s names port %q, which the container does not declare%s", [
		lib.probe_name(container, probe),
		probe.port.name,
		_instead(container, probe),
	]),
	"effect": sprintf("every probe is an error, and errors are not failures: %s", [_outcome[probe.type]]),
	"container": container.name,
	"fixes": [_fix(container, probe)],
} if {
	some container in input.containers
	container.image != ""
	container.type in {"app", "sidecar"}
	some probe in container.probes
	probe.port.known
	probe.port.name != ""
	not probe.port.declared
	_whole(container)
}

# _whole: the ports of a container in a patch may stand in what it patches.
_whole(_) if not input.fragment

_whole(container) if count(container.ports) > 0

_outcome := {
	"liveness": "this check never restarts the container, however broken it is",
	"readiness": "the container never becomes ready, so its pods get no traffic and the rollout does not end",
	"startup": "the container never counts as started, liveness and readiness never begin, and nothing restarts it",
}

_instead(container, probe) := sprintf(" (container %q does)", [probe.port.declared_by]) if {
	probe.port.declared_by != ""
} else := sprintf(" (it declares %s)", [concat(", ", _names(container))]) if {
	count(_names(container)) > 0
} else := ""

_names(container) := [port.name | some port in container.ports; port.name != ""]

_fix(container, probe) := {
	"title": sprintf("probe port %s of the same container", [name]),
	"safety": "display",
	"suggestion": {probe.field: {probe.handler: {"port": name}}},
} if {
	probe.port.declared_by == ""
	[name] := _names(container)
} else := {
	"title": sprintf("name the container's port %d", [number]),
	"safety": "display",
	"suggestion": {"ports": [{"containerPort": number, "name": probe.port.name}]},
} if {
	probe.port.declared_by == ""
	[number] := [port.number | some port in container.ports; port.name == ""; port.number > 0]
} else := {
	"title": sprintf("probe the port by number, as container %q declares it: containers of a pod share its IP", [owner.name]),
	"safety": "display",
	"suggestion": {probe.field: {probe.handler: {"port": number}}},
} if {
	some owner in input.containers
	owner.name == probe.port.declared_by
	some port in owner.ports
	port.name == probe.port.name
	number := port.number
	number > 0
} else := {
	"title": sprintf("declare port %q in the container's ports, or give the probe the number of the port", [probe.port.name]),
	"safety": "display",
}
