# METADATA
# title: Suppression is not needed
# description: |
#   The rule that this suppression names finds nothing here. Left in place, it hides the next finding of the rule at
#   this spot from whoever causes it.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
#   description: Annotations of Kubernetes objects
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [suppression]
#   kinds: [any file]
#   aliases: []
#   fix: display
package policies.input.suppression_unused

findings contains {
	"path": [],
	"message": sprintf("suppression of %s matches no finding", [input.rule]),
	"effect": "it would hide the next finding of that rule here",
	"fixes": [{"title": "delete it", "safety": "display"}],
} if {
	input.state == "unused"
}
