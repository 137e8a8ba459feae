package facts

import "github.com/hclint/hclint/loader"

// RestartRule is one of a container's restartPolicyRules (k8s.io/api core/v1 ContainerRestartRule).
type RestartRule struct {
	Path      Path     `json:"path"`
	Action    Field    `json:"action"`
	ExitCodes bool     `json:"exit_codes" jsonschema:"description=exitCodes is there"`
	Operator  Field    `json:"operator"`
	Values    int      `json:"values" jsonschema:"description=number of exit codes"`
	Unknown   []string `json:"unknown" jsonschema:"description=keys that the API does not have, such as when"`
}

func restartRules(n loader.Node) []RestartRule {
	var out []RestartRule
	for _, item := range n.Items() {
		codes := item.Get("exitCodes")
		r := RestartRule{
			Path: item.Path(), Action: field(item.Get("action")), ExitCodes: codes.Present(),
			Operator: field(codes.Get("operator")), Values: codes.Get("values").Len(), Unknown: []string{},
		}
		for key := range item.Entries() {
			if key != "action" && key != "exitCodes" {
				r.Unknown = append(r.Unknown, key)
			}
		}
		out = append(out, r)
	}
	return out
}
