# METADATA
# title: Unready pods cannot be drained while a dependency is down
# description: |
#   Without unhealthyPodEvictionPolicy a running pod that is not ready may be evicted only while the budget is met by
#   the others. When a dependency that the probes ask is down, all pods are unready together, the budget is not met,
#   and no pod can be evicted: nodes cannot be drained or upgraded until the dependency is back, although evicting an
#   unready pod costs nothing. AlwaysAllow (on by default since Kubernetes 1.27) lets unready pods go and still
#   protects those that are ready.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy
#   description: IfHealthyBudget and AlwaysAllow
# - ref: https://kubernetes.io/docs/tasks/administer-cluster/safely-drain-node/
#   description: How drains use budgets
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [pdb]
#   kinds: [PodDisruptionBudget]
#   aliases: []
#   fix: display
package policies.floors.pdb_unhealthy_eviction

import data.policies.lib

findings contains {
	"path": ["spec"],
	"confidence": _confidence,
	"message": sprintf("PodDisruptionBudget %s keeps unready pods from being evicted, and %s of container %q in %s %s when %s is down", [
		input.name,
		_first.dependency.probe,
		_first.dependency.container,
		_first.workload,
		{"certain": "fails", "likely": "may fail"}[_confidence],
		_what(_first.dependency),
	]),
	"effect": "in that outage the pods are unready together and the budget is not met: drains of their nodes hang until it ends",
	"fixes": [{
		"title": "let unready pods be evicted",
		"safety": "display",
		"suggestion": lib.budget_with(input, object.union(
			lib.budget_limits(input),
			{"unhealthyPodEvictionPolicy": "AlwaysAllow"},
		)),
	}],
} if {
	input.api_version == "policy/v1"
	input.kube.minor >= 27
	lib.unset(input.unhealthy_pods)
	input.selector_known
	not input.selects_none
	_first
}

# _first is one dependency of the pods, the surest and named ones first.
_first := [found |
	some certain in [true, false]
	some workload in input.workloads
	some dependency in workload.dependencies
	dependency.certain == certain
	found := {"workload": sprintf("%s %s", [workload.kind, workload.name]), "dependency": dependency}
][0]

_confidence := "certain" if {
	_first.dependency.certain
} else := "likely"

_what(dependency) := sprintf("%s at %s", [dependency.product, dependency.address]) if {
	dependency.product != ""
	dependency.address != ""
} else := dependency.product if {
	dependency.product != ""
} else := dependency.address if {
	dependency.address != ""
} else := "what it asks"
