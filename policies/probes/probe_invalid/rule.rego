# METADATA
# title: The API server rejects or ignores a part of the probe
# description: |
#   The API server takes exactly one of exec, httpGet, tcpSocket and grpc; successThreshold 1 for liveness and startup; no
#   terminationGracePeriodSeconds on readiness; HTTP or HTTPS in capitals; ports from 1 to 65535 or a port name; whole
#   numbers that are not negative; and probes only on containers and on init containers with restartPolicy: Always.
#
#   A key that is misspelt, or that stands a level too deep or too high, is worse: kubectl and other clients with strict
#   validation refuse the manifest, all others drop the key with at most a warning. The object is there, the probe or its timing
#   is not, and the default applies. Only keys of probes and of restarts are judged; this is no schema check.
# related_resources:
# - ref: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#Probe
#   description: The fields of a probe
# - ref: https://kubernetes.io/docs/reference/using-api/api-concepts/#setting-the-field-validation-level
#   description: What becomes of unknown fields (strict, warn, ignore)
# - ref: https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/apis/core/validation/validation.go
#   description: validateProbe, validateHandler and their kin
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [workload]
#   needs: [defect]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.probes.probe_invalid

import data.policies.lib

findings contains {
	"path": defect.path,
	"message": _message(defect),
	"effect": _effect(defect),
	"container": defect.container,
	"fixes": [_fix(defect)],
} if {
	some defect in input.defects
}

_message(defect) := sprintf("%s: unknown key %q (did you mean %s?)", [_where(defect), defect.key, defect.meant]) if {
	defect.kind == "misspelt"
} else := sprintf("%s: %s stands in %s, where it has no meaning", [_owner(defect), defect.key, _in(defect)]) if {
	defect.kind == "misplaced"
} else := sprintf("%s has no handler: one of exec, httpGet, tcpSocket and grpc is required", [_probe(defect)]) if {
	defect.kind == "handlers"
	defect.value == ""
} else := sprintf("%s has %s: exactly one handler is allowed", [_probe(defect), defect.value]) if {
	defect.kind == "handlers"
} else := sprintf("%s: %s is %s, not %s", [_probe(defect), defect.key, defect.value, defect.want]) if {
	defect.kind == "type"
} else := sprintf("%s: %s is %s, allowed is %s", [_probe(defect), defect.key, defect.value, defect.want]) if {
	defect.kind == "range"
} else := sprintf("%s: successThreshold is %s, allowed is only 1", [_probe(defect), defect.value]) if {
	defect.kind == "threshold"
} else := sprintf("%s: terminationGracePeriodSeconds is not allowed, since readiness ends nothing", [_probe(defect)]) if {
	defect.kind == "grace"
} else := sprintf("%s stands on an ephemeral container, which cannot have probes", [_probe(defect)]) if {
	defect.kind == "place"
	defect["in"] == "ephemeral"
} else := sprintf("%s stands on an init container without restartPolicy: Always, which cannot have probes", [_probe(defect)]) if {
	defect.kind == "place"
} else := sprintf("%s: scheme is %s, allowed are HTTP and HTTPS", [_probe(defect), defect.value]) if {
	defect.kind == "scheme"
} else := sprintf("%s: %s has no port", [_probe(defect), defect["in"]]) if {
	defect.kind == "port"
	defect.value == ""
} else := sprintf("%s: port is %s, allowed is %s", [_probe(defect), defect.value, defect.want]) if {
	defect.kind in {"port", "port-name"}
} else := sprintf("%s: exec has no command", [_probe(defect)])

_where(defect) := _probe(defect) if {
	defect.probe != ""
	defect["in"] == "probe"
} else := sprintf("%s of %s", [defect["in"], _probe(defect)]) if {
	defect.probe != ""
} else := _owner(defect)

_owner(defect) := _probe(defect) if {
	defect.probe != ""
} else := sprintf("container %q", [defect.container]) if {
	defect.container != ""
} else := sprintf("%s %s", [input.kind, input.name])

_probe(defect) := sprintf("%s of container %q", [defect.probe, defect.container]) if defect.container != ""

_probe(defect) := defect.probe if defect.container == ""

_in(defect) := sprintf("the spec of the %s", [input.kind]) if {
	defect["in"] == "workload"
} else := _places[defect["in"]] if {
	_places[defect["in"]]
} else := defect["in"]

_places := {
	"pod": "the pod's spec",
	"template": "the pod template",
	"container": "the container itself",
	"probe": "the probe itself",
}

_effect(defect) := sprintf("kubectl refuses the manifest; a client without strict validation drops the key%s", [_loss(defect)]) if {
	defect.kind in {"misspelt", "misplaced"}
} else := "the API server rejects the object"

_loss(defect) := sprintf(", and the default of %d applies", [_defaults[_key(defect)]]) if {
	_defaults[_key(defect)] >= 0
} else := ", and there is no such probe" if {
	_key(defect) in {"livenessProbe", "readinessProbe", "startupProbe"}
} else := ", and the pod's default of Always applies" if {
	_key(defect) == "restartPolicy"
} else := ""

# _key is the key that the API would have had to get.
_key(defect) := defect.meant if defect.kind == "misspelt"

_key(defect) := defect.key if defect.kind == "misplaced"

_defaults := {
	"initialDelaySeconds": 0,
	"periodSeconds": 10,
	"timeoutSeconds": 1,
	"successThreshold": 1,
	"failureThreshold": 3,
}

_fix(defect) := object.union({"title": _title(defect), "safety": "display"}, _corrected(defect))

_corrected(defect) := {"suggestion": suggestion} if {
	suggestion := _suggestion(defect)
} else := {}

_title(defect) := sprintf("rename it to %s", [defect.meant]) if {
	defect.kind == "misspelt"
} else := sprintf("move %s to %s", [defect.key, _home(defect)]) if {
	defect.kind == "misplaced"
} else := "keep the handler that is meant, and remove the other" if {
	defect.kind == "handlers"
	defect.value != ""
} else := "remove it, or run a native sidecar with restartPolicy: Always" if {
	defect.kind == "place"
	defect["in"] == "init"
} else := "let a shell split the text (the image must have one)" if {
	defect.kind == "type"
	defect.want == "a list of words"
} else := _titles[defect.kind]

_titles := {
	"handlers": "add the handler, or remove the probe",
	"type": "write a value of that type",
	"range": "write a number in that range",
	"threshold": "leave it out",
	"grace": "remove it",
	"place": "remove it",
	"scheme": "write it in capitals",
	"port": "write the port of the container",
	"port-name": "write the port as the container declares it",
	"command": "add the command, or remove the probe",
}

# _suggestion is the place of the defect put right, where the manifest says how.
_suggestion(defect) := _placed(defect, defect["in"], {defect.meant: defect.whole}) if {
	defect.kind == "misspelt"
} else := _placed(defect, defect.meant, {defect.key: defect.whole}) if {
	defect.kind == "misplaced"
	_placeable(defect)
} else := {defect.probe: {"successThreshold": 1}} if {
	defect.kind == "threshold"
} else := {defect.probe: {"httpGet": {"scheme": defect.meant}}} if {
	defect.kind == "scheme"
	defect.meant != ""
} else := {defect.probe: {defect["in"]: {"port": to_number(defect.meant)}}} if {
	defect.kind == "port-name"
	regex.match("^[0-9]+$", defect.meant)
} else := {defect.probe: {defect["in"]: {"port": defect.meant}}} if {
	defect.kind == "port-name"
	defect.meant != ""
} else := {defect.probe: {defect["in"]: {"port": lib.local_port(container)}}} if {
	defect.kind == "port"
	some container in input.containers
	container.name == defect.container
} else := {defect.probe: {defect.key: to_number(defect.meant)}} if {
	defect.kind == "type"
	defect.want == "a whole number"
	defect.meant != ""
} else := {defect.probe: {"exec": {"command": ["sh", "-c", defect.whole]}}} if {
	defect.kind == "type"
	defect.want == "a list of words"
}

# _placeable: one place takes the key, and it is known which.
_placeable(defect) if not defect.meant in {"probe", "handler"}

_placeable(defect) if {
	defect.meant == "probe"
	defect.probe != ""
}

_placed(defect, home, keys) := {defect.probe: keys} if {
	home == "probe"
} else := {defect.probe: {home: keys}} if {
	home in {"exec", "httpGet", "tcpSocket", "grpc"}
} else := keys

_home(defect) := "the pod's spec" if {
	defect.meant == "pod"
} else := "the container" if {
	defect.meant == "container"
} else := "the probe" if {
	defect.meant == "probe"
	defect.probe != ""
} else := "a probe" if {
	defect.meant == "probe"
} else := "the handler" if {
	defect.meant == "handler"
} else := defect.meant
