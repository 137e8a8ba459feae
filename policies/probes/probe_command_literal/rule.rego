# METADATA
# title: Nobody expands this text in a probe
# description: |
#   The kubelet starts an exec probe without a shell: $VAR, |, && and > are passed to the program as they stand. It expands
#   $(VAR), but only from the container's own env entries with a plain value. An entry with valueFrom becomes an empty text, and a
#   variable from envFrom, from the image or of a Service is not known, so $(VAR) stays as it stands; a shell then takes it for a
#   command to run. In httpGet, tcpSocket and grpc nothing is expanded at all.
#
#   The check so asks something else than it seems to: a wrong host, an empty password, a file of that name. A shell
#   expands "$VAR" with the whole environment of the container.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/#run-a-command-in-a-shell
#   description: Commands run without a shell; variables in parentheses
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-a-liveness-command
#   description: Exec probes
# - ref: https://github.com/kubernetes/kubernetes/issues/106682
#   description: Probes that end in an error count neither as success nor as failure
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [literal]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.probes.probe_command_literal

import data.policies.lib

findings contains {
	"path": literal.path,
	"message": sprintf("%s %s", [lib.probe_name(container, probe), _message(literal)]),
	"effect": _effect(literal),
	"confidence": _confidence(literal),
	"container": container.name,
	"fixes": [_fix(probe, literal)],
} if {
	some container in input.containers
	some probe in container.probes
	some literal in probe.literals
	container.type in {"app", "sidecar"}
}

_message(literal) := sprintf("passes %s as it stands: no shell runs the command", [literal.text]) if {
	literal.kind in {"variable", "operator", "substitution"}
} else := sprintf("starts a program named %q: no shell splits the text into words", [literal.text]) if {
	literal.kind == "program"
} else := sprintf("gets an empty text for %s: the kubelet takes no value from valueFrom", [literal.text]) if {
	literal.kind == "empty"
} else := sprintf("keeps %s as it stands: no env entry of the container is named %s", [literal.text, literal.name]) if {
	literal.kind == "unexpanded"
} else := sprintf("sends %s as it stands: only commands are expanded", [literal.text])

_effect(literal) := "the program gets the name instead of the value" if {
	literal.kind == "variable"
} else := "the program gets it and what follows as arguments" if {
	literal.kind == "operator"
} else := "the program gets it as an argument" if {
	literal.kind == "substitution"
} else := "there is no such program, so every probe is an error, and errors are not failures: the check never gives a verdict" if {
	literal.kind == "program"
} else := sprintf("the command runs as if %s were not set", [literal.name]) if {
	literal.kind == "empty"
} else := sprintf("the shell takes it for a command named %s", [literal.name]) if {
	literal.kind == "unexpanded"
	literal.shell
} else := "the program gets it as an argument" if {
	literal.kind == "unexpanded"
} else := "the server gets the name instead of the value"

_confidence(literal) := "certain" if literal.certain

_confidence(literal) := "likely" if not literal.certain

_fix(probe, literal) := {
	"title": "write the value out: nothing expands variables there",
	"safety": "display",
} if {
	literal.kind == "request"
} else := {
	"title": "let the shell expand it",
	"safety": "display",
	"suggestion": {probe.field: {"exec": {"command": probe.shell}}},
} if {
	literal.shell
} else := {
	"title": "let a shell run the command (the image must have one)",
	"safety": "display",
	"suggestion": {probe.field: {"exec": {"command": probe.shell}}},
}
