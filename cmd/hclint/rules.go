package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/rules"
)

// ruleInfo is a rule as --format json prints it.
type ruleInfo struct {
	Name        string     `json:"name"`
	Topic       string     `json:"topic"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Severity    string     `json:"severity"`
	Since       string     `json:"since"`
	Kinds       []string   `json:"kinds"`
	Aliases     []string   `json:"aliases"`
	Fix         string     `json:"fix"`
	Links       []ruleLink `json:"links"`
	URL         string     `json:"url"`
}

type ruleLink struct {
	Ref         string `json:"ref"`
	Description string `json:"description"`
}

func newRuleInfo(r rules.Rule) ruleInfo {
	info := ruleInfo{
		Name: r.Name, Topic: r.Topic, Title: r.Title, Description: strings.TrimSpace(r.Description), Severity: r.Severity.String(),
		Since: r.Since, Kinds: append([]string{}, r.Kinds...), Aliases: append([]string{}, r.Aliases...), Fix: r.Fix,
		Links: []ruleLink{}, URL: r.URL,
	}
	for _, l := range r.Links {
		info.Links = append(info.Links, ruleLink(l))
	}
	return info
}

func (a *app) rulesCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := textOrJSON(cmd, format); err != nil {
				return err
			}
			set, err := ruleSet()
			if err != nil {
				return err
			}
			if format == "text" {
				return a.print(ruleTable(set.Rules()))
			}
			list := struct {
				SchemaVersion int        `json:"schema_version"`
				Rules         []ruleInfo `json:"rules"`
			}{SchemaVersion: 1, Rules: []ruleInfo{}}
			for _, r := range set.Rules() {
				list.Rules = append(list.Rules, newRuleInfo(r))
			}
			return a.writeJSON(list)
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

// ruleTable is one line per rule, under its topic.
func ruleTable(all []rules.Rule) string {
	wide := 0
	for _, r := range all {
		wide = max(wide, len(r.Name))
	}
	var b strings.Builder
	topic := ""
	for _, r := range all {
		if r.Topic != topic {
			if topic != "" {
				b.WriteByte('\n')
			}
			topic = r.Topic
			b.WriteString(topic + "\n")
		}
		fmt.Fprintf(&b, "  %-*s  %-7s  %s\n", wide, r.Name, r.Severity, r.Title)
	}
	return b.String()
}
