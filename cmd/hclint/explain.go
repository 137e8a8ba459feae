package main

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/report"
	"github.com/hclint/hclint/rules"
)

func (a *app) explainCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:               "explain RULE",
		Short:             "Explain a rule: what it finds, why it matters, what to do",
		Args:              args(one("the name of a rule; hclint rules lists them")),
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, given []string) error {
			if err := textOrJSON(cmd, format); err != nil {
				return err
			}
			set, err := ruleSet()
			if err != nil {
				return err
			}
			rule, err := set.Rule(given[0])
			if err != nil {
				return usage(cmd, "%w", err)
			}
			page, err := rulePage(cmd.Context(), set, rule.Name)
			if err != nil {
				return err
			}
			if format == "json" {
				return a.writeJSON(struct {
					SchemaVersion int `json:"schema_version"`
					ruleInfo
					Page string `json:"page"`
				}{1, newRuleInfo(rule), page})
			}
			return a.print(page)
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

// rulePage is a rule's page in Markdown, with what hclint prints about its bad example.
func rulePage(ctx context.Context, set *rules.Set, rule string) (string, error) {
	var failed error
	page, err := set.Page(ctx, rule, func(found *rules.Report) string {
		var buf bytes.Buffer
		failed = report.Write(&buf, report.Text, report.Run{Findings: found.Findings}, report.Options{Quiet: true, Width: 100})
		return buf.String()
	})
	if err != nil {
		return "", err
	}
	return page, failed
}
