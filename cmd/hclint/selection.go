package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/config"
	"github.com/hclint/hclint/rules"
)

// ruleOptions joins what the configuration and the flags say about rules. Flags win: --enable replaces the list of the
// configuration and takes a rule out of its disable list; --disable and --severity add to it.
func (o *checkOptions) ruleOptions(cmd *cobra.Command, conf *config.Config, set *rules.Set) (rules.Options, error) {
	opt := rules.Options{Severity: map[string]rules.Severity{}, Jobs: o.input.jobs, NoInlineIgnores: o.noInlineIgnores}
	if err := fromConfig(&opt, conf, set); err != nil {
		return opt, err
	}
	enable, err := names(set, o.enable)
	if err != nil {
		return opt, usage(cmd, "--enable: %w", err)
	}
	disable, err := names(set, o.disable)
	if err != nil {
		return opt, usage(cmd, "--disable: %w", err)
	}
	for _, name := range enable {
		if slices.Contains(disable, name) {
			return opt, usage(cmd, "rule %q is both enabled and disabled", name)
		}
	}
	if len(enable) > 0 {
		opt.Enable = enable
		opt.Disable = slices.DeleteFunc(opt.Disable, func(name string) bool { return slices.Contains(enable, name) })
	}
	opt.Disable = append(opt.Disable, disable...)
	if !slices.ContainsFunc(set.Rules(), func(r rules.Rule) bool { return runs(opt, r.Name) }) {
		return opt, usage(cmd, "no rule is left: all are disabled")
	}
	for _, pair := range o.severity {
		name, level, err := severityPair(set, pair)
		if err != nil {
			return opt, usage(cmd, "--severity %s: %w", pair, err)
		}
		opt.Severity[name] = level
	}
	return opt, nil
}

// runs reports whether opt leaves a rule on.
func runs(opt rules.Options, name string) bool {
	return (len(opt.Enable) == 0 || slices.Contains(opt.Enable, name)) && !slices.Contains(opt.Disable, name)
}

func fromConfig(opt *rules.Options, conf *config.Config, set *rules.Set) error {
	at := func(name string, err error) error {
		return fmt.Errorf("%s:%d: %w", conf.File, conf.Line(name), err)
	}
	for _, list := range []struct {
		given []string
		into  *[]string
	}{{conf.Enable, &opt.Enable}, {conf.Disable, &opt.Disable}} {
		for _, name := range list.given {
			rule, err := set.Rule(name)
			if err != nil {
				return at(name, err)
			}
			*list.into = append(*list.into, rule.Name)
		}
	}
	for i, name := range opt.Enable {
		if slices.Contains(opt.Disable, name) {
			return at(conf.Enable[i], fmt.Errorf("rule %q is both enabled and disabled", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(conf.Severity)) {
		rule, err := set.Rule(name)
		if err != nil {
			return at(name, err)
		}
		level, err := rules.ParseSeverity(conf.Severity[name])
		if err != nil {
			return at(name, err)
		}
		opt.Severity[rule.Name] = level
	}
	return nil
}

// names turns names and aliases into names.
func names(set *rules.Set, given []string) ([]string, error) {
	var out []string
	for _, name := range given {
		rule, err := set.Rule(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		out = append(out, rule.Name)
	}
	return out, nil
}

func severityPair(set *rules.Set, pair string) (string, rules.Severity, error) {
	name, level, ok := strings.Cut(pair, "=")
	if !ok {
		return "", 0, fmt.Errorf("want RULE=LEVEL, as in %s=error", strings.TrimSpace(name))
	}
	rule, err := set.Rule(strings.TrimSpace(name))
	if err != nil {
		return "", 0, err
	}
	severity, err := rules.ParseSeverity(strings.TrimSpace(level))
	return rule.Name, severity, err
}
