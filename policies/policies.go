// Package policies holds the rules that hclint ships, as Rego with their examples.
package policies

import "embed"

// FS holds <topic>/<rule_name>/rule.rego, the examples beside it, lib/lib.rego and data/endpoints.
//
//go:embed */*/rule.rego */*/*.yaml */*/*.service lib/lib.rego
var FS embed.FS
