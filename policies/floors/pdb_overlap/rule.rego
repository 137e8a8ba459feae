# METADATA
# title: Two PodDisruptionBudgets for the same pods
# description: |
#   The eviction API answers HTTP 500, "has more than one PodDisruptionBudget", for a pod that two budgets select: no
#   eviction is possible at all, whatever the budgets allow, and every drain of its node hangs. The status of both
#   budgets looks healthy meanwhile. Budgets may overlap in what they select only where no pod has the labels of
#   both.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors
#   description: Budgets with selectors of their own
# - ref: https://github.com/kubernetes/kubernetes/issues/75957
#   description: A pod with two budgets cannot be evicted
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [pdb]
#   kinds: [PodDisruptionBudget]
#   aliases: []
#   fix: display
package policies.floors.pdb_overlap

import data.policies.lib

findings contains {
	"path": ["spec", "selector"],
	"message": sprintf("PodDisruptionBudgets %s and %s both select the pods of %s", [
		input.name,
		overlap.name,
		lib.few(overlap.workloads),
	]),
	"effect": "every eviction of these pods is answered with HTTP 500, so drains of their nodes hang",
	"fixes": [{
		"title": sprintf("keep one budget for these pods: this one, and narrow or delete %s", [overlap.name]),
		"safety": "display",
		"suggestion": lib.budget_with(input, lib.budget_limits(input)),
	}],
} if {
	some overlap in input.overlaps
}
