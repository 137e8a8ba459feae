package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/report"
	"github.com/hclint/hclint/policies"
	"github.com/hclint/hclint/rules"
)

const longHelp = `hclint reads Kubernetes manifests and restart-policy documents and finds health checks and restart
settings that turn one failing dependency into an outage: checks whose outcome depends on something outside the
process, checks that take slow for dead, restarts without a cap, and fleets without a floor.

Exit codes: 0 nothing at or above --fail-on; 1 findings; 2 hclint could not do its job.`

const examples = `  hclint deploy/                        check a directory
  helm template ./chart | hclint -      check what is piped in
  hclint --format json . > found.json   for programs
  hclint --output github --output text:report.txt .
  hclint explain liveness-remote-dependency`

func (a *app) rootCommand() *cobra.Command {
	o := &checkOptions{}
	cmd := &cobra.Command{
		Use:           "hclint [flags] [path…]",
		Short:         "Find health checks and restart settings that turn one failing dependency into an outage",
		Long:          longHelp,
		Example:       examples,
		Version:       toolVersion(),
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return a.check(cmd, o, paths)
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, "%w", err) })
	o.input.register(cmd)
	o.register(cmd)
	cmd.AddCommand(a.explainCommand(), a.filesCommand(), a.probeCommand(), a.rulesCommand(), a.schemaCommand(), a.versionCommand())
	return cmd
}

// strict makes wrong arguments of the commands that cobra adds by itself an error, as they are of all others.
func strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = args(func(_ *cobra.Command, given []string) error {
				if found, rest, err := root.Find(given); err != nil || len(rest) > 0 || found == nil {
					return fmt.Errorf("no command is named %q", strings.Join(given, " "))
				}
				return nil
			})
		case "completion":
			cmd.Args = args(cobra.NoArgs)
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// ruleSet is the shipped rules. The project's tests compile them with every check on, so that a run need not.
func ruleSet() (*rules.Set, error) { return rules.LoadTrusted(policies.FS) }

// completeRules offers the names of the rules; toComplete may hold names already given, separated by commas.
func completeRules(_ *cobra.Command, _ []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	set, err := ruleSet()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	given := toComplete[:strings.LastIndexByte(toComplete, ',')+1]
	var out []cobra.Completion
	for _, r := range set.Rules() {
		out = append(out, cobra.CompletionWithDesc(given+r.Name, r.Title))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func completeSeverity(cmd *cobra.Command, given []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	rule, _, ok := strings.Cut(toComplete, "=")
	if ok {
		return []cobra.Completion{rule + "=error", rule + "=warning", rule + "=info"}, cobra.ShellCompDirectiveNoFileComp
	}
	names, directive := completeRules(cmd, given, toComplete)
	for i, name := range names {
		name, title, _ := strings.Cut(name, "\t")
		names[i] = cobra.CompletionWithDesc(name+"=", title)
	}
	return names, directive | cobra.ShellCompDirectiveNoSpace
}

func completeFormats(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	for _, f := range report.Formats() {
		out = append(out, cobra.CompletionWithDesc(string(f), f.Describe()))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func completeWords(words ...cobra.Completion) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// complete ties a completion to a flag that was just registered.
func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the flag's name is misspelt in this program
	}
}
