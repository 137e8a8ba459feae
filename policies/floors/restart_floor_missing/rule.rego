# METADATA
# title: Restart policy has no floor
# description: |
#   A cap bounds how often one instance restarts; a floor bounds how many instances restart at once. Without
#   min_healthy_fraction, or with 0, a check that fails everywhere takes every instance down in the same moment,
#   since all of them meet the same cause within one check interval. With a floor of 0.6 an instance is restarted
#   only while more than 60 % of the fleet stays healthy; below that the policy waits for a person.
# related_resources:
# - ref: https://sre.google/sre-book/addressing-cascading-failures/
#   description: How a fleet that restarts at once stays down
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/
#   description: PodDisruptionBudgets are a floor for evictions only
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [restart_policy]
#   kinds: [restart policy]
#   aliases: []
#   fix: display
package policies.floors.restart_floor_missing

import data.policies.lib

findings contains {
	"path": array.concat(input.path, ["min_healthy_fraction"]),
	"message": sprintf("restart policy keeps no part of the fleet up: min_healthy_fraction is %s", [
		lib.field_state(input.min_healthy_fraction),
	]),
	"effect": sprintf("a check that fails everywhere may restart %s in the same moment", [lib.governed(input)]),
	"fixes": [{
		"title": "keep a part of the fleet up",
		"safety": "display",
		"suggestion": lib.policy_with(input, {"min_healthy_fraction": lib.usual_fraction(input)}),
	}],
} if {
	input.shape == "map"
	lib.no_floor(input.min_healthy_fraction)
}
