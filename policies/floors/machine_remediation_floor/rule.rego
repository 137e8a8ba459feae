# METADATA
# title: Machine health check without a floor
# description: |
#   A MachineHealthCheck has unhealthy machines deleted and replaced. Whether one machine is broken or the network between it and the
#   cluster is, a Node looks the same: not Ready. The limit on unhealthy machines is what tells the two apart: above it nothing is replaced. It
#   is 100% unless it is set (maxUnhealthy in Cluster API v1beta1 and OpenShift, remediation.triggerIf in v1beta2), so one fault in the
#   network or in the control plane has every worker deleted. Where unhealthyRange or unhealthyInRange is set, its upper end is the limit.
#
#   Percentages round down: 40% of 2 machines is 0, and then nothing is ever replaced. The number of machines is that of the
#   MachineDeployments and MachineSets of the bundle that the selector matches, unless an autoscaler changes it.
#
#   Machines of a control plane are left out of the first case: in Cluster API their owner replaces one at a time and keeps the quorum of
#   etcd, and 100% is what its documentation sets there. In OpenShift the documentation asks for maxUnhealthy: 1 on a control plane, since
#   several unhealthy machines may mean that etcd is degraded; anything else is a warning. maxInFlight of a MachineDeployment is no floor, but it slows the replacement down, so
#   the finding is a warning then. A single machine cannot have a floor.
# related_resources:
# - ref: https://cluster-api.sigs.k8s.io/tasks/automated-machine-management/healthchecking#remediation-short-circuiting
#   description: The limits of Cluster API, their defaults and how they round
# - ref: https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/machine_apis/machinehealthcheck-machine-openshift-io-v1beta1
#   description: maxUnhealthy in OpenShift
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [machine]
#   kinds: [MachineHealthCheck, ClusterClass, Cluster]
#   aliases: []
#   fix: display
package policies.floors.machine_remediation_floor

findings contains object.union(_severity(check), {
	"path": hole.path,
	"message": sprintf("%s has no floor: %s", [_where(check), hole.reason]),
	"effect": sprintf("a network fault that makes %s look unhealthy has %s deleted and replaced%s", [
		_machines(check),
		_all(check),
		_pace(check),
	]),
	"fixes": [{
		"title": sprintf("replace nothing while more than %s unhealthy", [_share(check)]),
		"safety": "display",
		"suggestion": _bounded(check),
	}],
}) if {
	some check in input.checks
	not check.control_plane
	not check.announced
	not _single(check)
	hole := _hole(check)
}

findings contains {
	"path": check.limit_path,
	"severity": "warning",
	"message": sprintf("%s has no floor: %s, for a control plane", [_where(check), _loose(check)]),
	"effect": "several unhealthy machines of a control plane may mean that etcd is degraded, and they are replaced all the same",
	"fixes": [{
		"title": "replace nothing while more than one machine is unhealthy",
		"safety": "display",
		"suggestion": _suggestion(check, 1),
	}],
} if {
	some check in input.checks
	check.control_plane
	_openshift
}

findings contains {
	"path": check.limit_path,
	"message": sprintf("%s replaces nothing: %s %s of %d %s rounds down to 0", [
		_where(check),
		check.limit_field,
		check.limit.text,
		check.machines.value,
		_plural(check),
	]),
	"effect": "one unhealthy machine is already more than that, so it stays as it is",
	"fixes": [{
		"title": "allow one as a number",
		"safety": "display",
		"suggestion": _suggestion(check, 1),
	}],
} if {
	some check in input.checks
	not check.range.set
	check.limit.percent
	check.limit.value > 0
	check.allowed_known
	check.allowed == 0
	check.machines.value > 0
}

# _hole is where the floor is missing, and why.
_hole(check) := {"path": check.range.path, "reason": reason} if {
	check.range.set
	check.range.known
	check.machines.known
	check.range.max >= check.machines.value
	reason := sprintf("the range %s reaches to all %d machines", [check.range.text, check.machines.value])
}

_hole(check) := {"path": check.limit_path, "reason": reason} if {
	not check.range.set
	reason := _open(check)
}

_open(check) := sprintf("%s is not set, which means 100%%", [check.limit_field]) if {
	not check.limit.set
} else := sprintf("%s is %s", [check.limit_field, check.limit.text]) if {
	check.limit.percent
	check.limit.value >= 100
} else := sprintf("%s %s reaches to all %d machines", [check.limit_field, check.limit.text, check.machines.value]) if {
	check.allowed_known
	check.allowed >= check.machines.value
}

_openshift if startswith(input.api_version, "machine.openshift.io/")

# _loose says why a limit lets more than one machine of a control plane be unhealthy.
_loose(check) := sprintf("%s is not set, which means 100%%", [check.limit_field]) if {
	not check.limit.set
} else := sprintf("%s is %s", [check.limit_field, check.limit.text]) if {
	check.limit.known
	check.limit.percent
	floor((check.limit.value * 3) / 100) > 1 # of the three machines that a control plane has
} else := sprintf("%s is %s", [check.limit_field, check.limit.text]) if {
	check.limit.known
	not check.limit.percent
	check.limit.value > 1
}

_single(check) if {
	check.machines.known
	check.machines.value < 2
}

_severity(check) := {"severity": "warning"} if {
	check.paced
} else := {}

_where(check) := sprintf("%s %s", [input.kind, input.name]) if {
	check.scope == ""
} else := sprintf("the health check for %s of %s %s", [check.scope, input.kind, input.name])

_machines(check) := sprintf("the %d machines of %s", [check.machines.value, _owners(check)]) if {
	check.machines.known
} else := sprintf("the machines of %s", [_owners(check)]) if {
	count(check.pools) > 0
} else := "the machines that it selects"

_owners(check) := concat(" and ", [sprintf("%s %s", [pool.kind, pool.name]) | some pool in check.pools])

_all(check) := sprintf("all %d", [check.machines.value]) if {
	check.machines.known
} else := "all of them"

_pace(check) := sprintf(", %s at a time", [concat(" and ", [pool.max_in_flight.text | some pool in check.pools])]) if {
	check.paced
} else := " at the same time"

_plural(check) := "machine" if {
	check.machines.value == 1
} else := "machines"

# _limit is one that does not round down to 0.
_limit(check) := 1 if {
	check.machines.known
	check.machines.value < 3
} else := "40%"

_share(check) := "one machine is" if {
	_most(check) == 1
} else := sprintf("%d machines are", [_most(check)]) if {
	check.range.set
} else := "40% of the machines are"

# _most is how many machines that is, of a number that is known.
_most(check) := max([1, floor((check.machines.value * 4) / 10)]) if check.machines.known

# _bounded takes the field that counts: the range, where there is one.
_bounded(check) := _wrapped(check, _range(check)) if {
	check.range.set
} else := _suggestion(check, _limit(check))

_range(check) := {"unhealthyRange": _span(check)} if {
	check.limit_field == "maxUnhealthy"
} else := {"remediation": {"triggerIf": {"unhealthyInRange": _span(check)}}}

_span(check) := sprintf("[%d-%d]", [min([check.range.min, _most(check)]), _most(check)])

_suggestion(check, limit) := _wrapped(check, _field(check, limit))

_wrapped(check, fields) := {"spec": fields} if {
	check.scope == ""
} else := {"machineHealthCheck": fields} if {
	check.limit_field == "maxUnhealthy"
} else := {"healthCheck": fields}

_field(check, limit) := {"maxUnhealthy": limit} if {
	check.limit_field == "maxUnhealthy"
} else := {"remediation": {"triggerIf": {"unhealthyLessThanOrEqualTo": limit}}}
