package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/config"
	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/internal/report"
	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

// checkOptions are the flags of hclint itself.
type checkOptions struct {
	input           inputOptions
	output          outputOptions
	failOn          string
	enable, disable []string
	severity        []string
	noInlineIgnores bool
}

func (o *checkOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.failOn, "fail-on", "", "exit with 1 when a finding is at `LEVEL` or above: error, warning, info or never (default warning)")
	f.StringSliceVar(&o.enable, "enable", nil, "run only `RULE` (repeatable, or separated by commas)")
	f.StringSliceVar(&o.disable, "disable", nil, "do not run `RULE` (repeatable, or separated by commas)")
	f.StringSliceVar(&o.severity, "severity", nil, "give a rule another severity: `RULE=LEVEL` (repeatable, or separated by commas)")
	f.BoolVar(&o.noInlineIgnores, "no-inline-ignores", false, "let no comment or annotation suppress a finding")
	o.output.register(cmd)
	complete(cmd, "fail-on", completeWords("error", "warning", "info", "never"))
	complete(cmd, "enable", completeRules)
	complete(cmd, "disable", completeRules)
	complete(cmd, "severity", completeSeverity)
}

// plan is what flags and configuration together ask for.
type plan struct {
	outputs []output
	conf    *config.Config
	failOn  rules.Severity
	set     *rules.Set
	rules   rules.Options
}

// plan finds every mistake in flags and configuration before anything is read.
func (o *checkOptions) plan(cmd *cobra.Command) (plan, error) {
	var p plan
	err := o.input.validate(cmd)
	if err != nil {
		return p, err
	}
	if p.outputs, err = o.output.parse(cmd); err != nil {
		return p, err
	}
	if p.conf, err = o.input.readConfig(); err != nil {
		return p, err
	}
	if p.failOn, err = o.threshold(cmd, p.conf); err != nil {
		return p, err
	}
	if p.set, err = ruleSet(); err != nil {
		return p, err
	}
	p.rules, err = o.ruleOptions(cmd, p.conf, p.set)
	return p, err
}

// check is the command hclint: it reads paths, judges what is in them and reports.
func (a *app) check(cmd *cobra.Command, o *checkOptions, paths []string) error {
	p, err := o.plan(cmd)
	if err != nil {
		return err
	}
	res, files, unread := a.loadBoth(cmd.Context(), &o.input, p.conf, paths)
	if res == nil {
		return unread
	}
	opt, err := factsOptions(&o.input, p.set, p.conf)
	if err != nil {
		return err
	}
	found, err := p.set.Check(cmd.Context(), files, facts.Collect(files, opt), p.rules)
	if err != nil {
		return err
	}
	run := newRun(res, found.Findings)
	if err := a.write(p.outputs, run, &o.output, p.failOn); err != nil {
		return err
	}
	if unread != nil {
		return unread
	}
	if empty(res) && !o.input.allowEmpty {
		return nothing(res, paths)
	}
	if run.Worst() >= p.failOn {
		a.code = exitFindings
	}
	return nil
}

// newRun is the report on what the command line named.
func newRun(res *loader.Result, found []rules.Finding) report.Run {
	return report.Run{
		Tool:     report.Tool{Name: "hclint", Version: toolVersion()},
		Findings: findingsIn(res.Files, found),
		Files:    len(res.Files),
		Objects:  objects(res),
		Skipped:  res.Skipped,
	}
}

func objects(res *loader.Result) int {
	n := 0
	for _, f := range res.Files {
		n += len(f.Objects)
	}
	return n
}

// empty reports whether there was nothing to judge. Input that could not be read is something: it is a finding.
func empty(res *loader.Result) bool {
	for _, f := range res.Files {
		if len(f.Objects) > 0 || len(f.Problems) > 0 {
			return false
		}
	}
	return true
}

// nothing says that there was nothing to check: a wrong path must not look like a clean bill.
func nothing(res *loader.Result, paths []string) error {
	if slices.Equal(paths, []string{"-"}) && len(res.Skipped) == 0 {
		return errors.New("nothing to check in -: standard input is empty (--allow-empty makes this no error)")
	}
	where := "."
	if len(paths) > 0 {
		where = strings.Join(paths[:min(3, len(paths))], ", ")
	}
	if len(paths) > 3 {
		where += fmt.Sprintf(" and %d more", len(paths)-3)
	}
	why := "no YAML or JSON file is there, or it is empty"
	if len(res.Skipped) > 0 || len(res.Files) > 0 {
		why = "nothing is there that hclint judges; hclint files says why each file was skipped"
	}
	return fmt.Errorf("nothing to check in %s: %s (--allow-empty makes this no error)", where, why)
}

func (o *checkOptions) threshold(cmd *cobra.Command, conf *config.Config) (rules.Severity, error) {
	if !cmd.Flags().Changed("fail-on") {
		return config.ParseFailOn(conf.FailOn)
	}
	if o.failOn == "" {
		return 0, usage(cmd, "--fail-on: %w", errors.New("want error, warning, info or never"))
	}
	level, err := config.ParseFailOn(o.failOn)
	if err != nil {
		return 0, usage(cmd, "--fail-on: %w", err)
	}
	return level, nil
}
