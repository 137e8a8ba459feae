package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/config"
	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/internal/report"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema facts|findings|config|restart-policy",
		Short: "Print a JSON Schema: of what rules see, of --format json, of .hclint.yaml, of restart policies",
		Args:  args(one("facts, findings, config or restart-policy")),
		ValidArgs: []cobra.Completion{
			"facts\twhat a rule sees", "findings\twhat --format json holds",
			"config\twhat .hclint.yaml may hold", "restart-policy\twhat a restart-policy document may hold",
		},
		RunE: func(cmd *cobra.Command, given []string) error {
			var (
				text []byte
				err  error
			)
			switch given[0] {
			case "facts":
				text, err = factsSchema()
			case "findings":
				text = report.Schema()
			case "config":
				text = config.Schema()
			case "restart-policy":
				text, err = facts.RestartPolicySchema()
			default:
				return usage(cmd, "%w", oneOf(given[0], "facts", "findings", "config", "restart-policy"))
			}
			if err != nil {
				return err
			}
			return a.writeJSON(json.RawMessage(text))
		},
	}
}

// factsSchema holds the schemas of all kinds of subjects in one document.
func factsSchema() ([]byte, error) {
	defs := map[string]any{}
	var refs []map[string]string
	for _, kind := range facts.SubjectKinds() {
		schema, err := facts.Schema(kind)
		if err != nil {
			return nil, err
		}
		delete(schema, "$schema")
		defs[kind] = schema
		refs = append(refs, map[string]string{"$ref": "#/$defs/" + kind})
	}
	return json.Marshal(struct {
		Schema string              `json:"$schema"`
		Title  string              `json:"title"`
		OneOf  []map[string]string `json:"oneOf"`
		Defs   map[string]any      `json:"$defs"`
	}{"https://json-schema.org/draft/2020-12/schema", "what a rule of hclint sees as its input", refs, defs})
}
