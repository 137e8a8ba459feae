# METADATA
# title: Suppression is malformed
# description: |
#   A suppression names a rule (or several, with commas between them) and gives a reason: the comment hclint:ignore
#   RULE -- reason on or above the line, or the same text without hclint:ignore in the annotation hclint.dev/ignore
#   (for one container: hclint.dev/ignore.CONTAINER). A directive without a reason, or with a rule that does not
#   exist, suppresses nothing.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
#   description: Annotations of Kubernetes objects
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [suppression]
#   kinds: [any file]
#   aliases: []
#   fix: display
package policies.input.suppression_invalid

findings contains {
	"path": [],
	"message": input.message,
	"effect": "this suppresses nothing",
	"fixes": [{"title": "name a rule and give the reason: RULE -- reason", "safety": "display"}],
} if {
	input.state == "invalid"
}
