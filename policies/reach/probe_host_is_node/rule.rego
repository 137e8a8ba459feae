# METADATA
# title: Probe asks the node instead of the pod
# description: |
#   httpGet and tcpSocket probes are made by the kubelet, in the network of its node. Without host they go to the
#   pod's IP; with host: localhost or 127.0.0.1 they go to the node itself, unless the pod shares the node's network
#   (hostNetwork). What answers is whatever listens on that port of the node, and when nothing does the probe fails
#   for ever.
#
#   A name for a virtual host belongs in httpHeaders. Pod Security level baseline, from policy version v1.34 on,
#   rejects every host in a probe where it is enforced.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#http-probes
#   description: What host means in a probe
# - ref: https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline
#   description: Pod Security level baseline
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [node]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.reach.probe_host_is_node

import data.policies.lib

findings contains {
	"path": array.concat(probe.path, [probe.handler, "host"]),
	"message": sprintf("%s asks the node, not the pod: host %s makes the kubelet dial its own node%s", [
		lib.probe_name(container, probe),
		probe.host,
		_at_port(probe),
	]),
	"effect": sprintf("if nothing on the node listens there, every probe fails and %s; if something does, %s", [
		_unanswered[probe.type],
		_answered[probe.type],
	]),
	"evidence": [target.evidence],
	"container": container.name,
	"fixes": [_fix(probe)],
} if {
	some container in input.containers
	some probe in container.probes
	probe.handler in {"httpGet", "tcpSocket"}
	probe.host != ""
	some target in probe.targets
	target.place == "node"
}

_unanswered := {
	"liveness": "the container is restarted again and again",
	"readiness": "the pod never gets traffic",
	"startup": "the container is restarted again and again before it counts as started",
}

_answered := {
	"liveness": "that process is judged instead: a hung container passes, and the other's failure restarts this one",
	"readiness": "that process decides whether this pod gets traffic",
	"startup": "the container counts as started whether it is or not",
}

_at_port(probe) := sprintf(" at port %v", [lib.port(probe)]) if probe.port.known

_at_port(probe) := "" if not probe.port.known

_fix(probe) := {
	"title": _title,
	"safety": "display",
	"suggestion": {probe.field: object.union(lib.without_host(probe), lib.timings(probe))},
} if {
	probe.port.known
} else := {"title": _title, "safety": "display"}

_title := "drop host, so that the kubelet dials the pod's own IP (the process has to listen there, not on loopback alone)"
