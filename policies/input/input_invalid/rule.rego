# METADATA
# title: Input cannot be read
# description: |
#   A part of the input is not valid: a syntax error, a key that stands twice, or more nesting, aliases or bytes
#   than hclint is willing to follow. What is broken is not checked. The other documents and files are, but rules
#   that compare files know that something is missing and hold back. A duplicate key is an error because readers
#   disagree about which of the two counts: kubectl and Helm take the last one, as the other rules do here, and the API
#   server with strict validation rejects the object. The same goes for restart policies in the data of a ConfigMap.
# related_resources:
# - ref: https://yaml.org/spec/1.2.2/
#   description: The YAML specification
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/#describing-a-kubernetes-object
#   description: What a Kubernetes manifest looks like
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [input]
#   kinds: [any file]
#   aliases: []
#   fix: none
package policies.input.input_invalid

findings contains {
	"path": [],
	"message": input.message,
	"effect": _effect,
	"fixes": [{"title": _title, "safety": "display"}],
} if {
	input.subject == "input"
}

_effect := "what cannot be read is not checked, so a finding may be missing here or in what refers to it" if {
	input.lost
} else := "kubectl and Helm go by the last one, strict readers reject the file; it is checked as kubectl reads it" if {
	input.duplicate
} else := "what reads the file rejects this place or passes over it; the rest is checked"

_title := "keep one of the two keys" if {
	input.duplicate
} else := "put this place right; what it says depends on what was meant"
