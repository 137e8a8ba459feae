# METADATA
# title: Machines are replaced without a cap
# description: |
#   A KubeadmControlPlane that replaces an unhealthy machine replaces the replacement as well when that fails to come up, without end unless
#   maxRetry is set, and without a pause unless a retry period is. When the reason is a full quota, a broken image or a network fault, that
#   is a loop of machines made and deleted. A MachineDeployment replaces all unhealthy machines at the same time unless maxInFlight bounds
#   it; a percentage there rounds up.
#
#   The rule looks at objects with a remediation block that lacks the cap, and at those whose machines a MachineHealthCheck of the bundle has
#   replaced, more than one at a time.
# related_resources:
# - ref: https://cluster-api.sigs.k8s.io/tasks/automated-machine-management/healthchecking#controlling-remediation-retries
#   description: maxRetry and the periods of a KubeadmControlPlane
# - ref: https://cluster-api.sigs.k8s.io/reference/api/crd-api-reference
#   description: maxInFlight of a MachineDeployment
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [machine]
#   kinds: [KubeadmControlPlane, KubeadmControlPlaneTemplate, MachineDeployment, ClusterClass, Cluster]
#   aliases: []
#   fix: display
package policies.restarts.machine_remediation_uncapped

findings contains {
	"path": remediation.path,
	"message": sprintf("%s repeats a failed replacement without end: %s.maxRetry is not set", [
		_where(remediation),
		concat(".", remediation.keys),
	]),
	"effect": sprintf("while replacements fail for a reason outside the machine, each is deleted and made anew%s", [
		_pause(remediation),
	]),
	"fixes": [{
		"title": "stop after 5 failed replacements",
		"safety": "display",
		"suggestion": _suggestion(remediation, _retries(remediation)),
	}],
} if {
	some remediation in input.remediations
	remediation.field == "maxRetry"
	not remediation.cap.set
	_used(remediation)
}

findings contains {
	"path": remediation.path,
	"message": sprintf("%s replaces unhealthy machines all at once: %s.maxInFlight %s", [
		_where(remediation),
		concat(".", remediation.keys),
		_cap(remediation),
	]),
	"effect": sprintf("%s may be deleted at the same time, and as many made anew", [_machines(remediation)]),
	"fixes": [{
		"title": "replace one machine at a time",
		"safety": "display",
		"suggestion": _suggestion(remediation, {"maxInFlight": 1}),
	}],
} if {
	some remediation in input.remediations
	remediation.field == "maxInFlight"
	_used(remediation)
	_cap(remediation)
	not _single(remediation)
}

_used(remediation) if remediation.written

_used(remediation) if {
	count(remediation.checks) > 0
	not _single(remediation)
}

_single(remediation) if {
	remediation.replicas.known
	remediation.replicas.value < 2
}

_cap(remediation) := "is not set" if {
	not remediation.cap.set
} else := sprintf("is %s", [remediation.cap.text]) if {
	remediation.cap.percent
	remediation.cap.value >= 100
} else := sprintf("is %s of %d", [remediation.cap.text, remediation.replicas.value]) if {
	remediation.bound_known
	remediation.bound >= remediation.replicas.value
}

_where(remediation) := sprintf("%s %s", [input.kind, input.name]) if {
	remediation.scope == ""
} else := sprintf("%s of %s %s", [remediation.scope, input.kind, input.name])

_machines(remediation) := sprintf("all %d machines", [remediation.replicas.value]) if {
	remediation.replicas.known
} else := "any number of machines"

_pause(remediation) := ", at once each time" if {
	remediation.immediate
} else := ""

_retries(remediation) := {"maxRetry": 5} if {
	not remediation.immediate
} else := {"maxRetry": 5, "retryPeriod": "2m"} if {
	remediation.keys == ["remediationStrategy"]
} else := {"maxRetry": 5, "retryPeriodSeconds": 120}

_suggestion(remediation, fields) := _nested(remediation, fields) if {
	remediation.scope != ""
} else := {"spec": {"template": {"spec": _nested(remediation, fields)}}} if {
	input.kind == "KubeadmControlPlaneTemplate"
} else := {"spec": _nested(remediation, fields)}

_nested(remediation, fields) := {remediation.keys[0]: fields} if {
	count(remediation.keys) == 1
} else := {remediation.keys[0]: {remediation.keys[1]: fields}}
