package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

const probeHelp = `probe shows, for each probe of a file, what hclint knows of it, whether that is a finding or not: what it
touches, the steps that lead there, what the probe does when each target is down, what its endpoint is known to
check and where that was read, how long an outage may last, or why the check could not be followed.

The directory of the file is read as context, so that Services, ConfigMaps and Secrets beside it are seen.`

func (a *app) probeCommand() *cobra.Command {
	var (
		input  inputOptions
		format string
	)
	cmd := &cobra.Command{
		Use:     "probe FILE[:LINE]",
		Aliases: []string{"explain-probe"},
		Short:   "Show what each probe of a file touches, step by step",
		Long:    probeHelp,
		Example: "  hclint probe deploy/api.yaml\n  hclint probe deploy/api.yaml:42",
		Args:    args(one("a file, or FILE:LINE")),
		RunE: func(cmd *cobra.Command, given []string) error {
			if err := textOrJSON(cmd, format); err != nil {
				return err
			}
			if err := input.validate(cmd); err != nil {
				return err
			}
			return a.probe(cmd, &input, given[0], format)
		},
	}
	input.register(cmd)
	formatFlag(cmd, &format)
	return cmd
}

func (a *app) probe(cmd *cobra.Command, o *inputOptions, target, format string) error {
	name, line := fileAndLine(target)
	res, subjects, err := a.probed(cmd, o, name)
	if err != nil {
		return err
	}
	var found []probeReport
	for i := range subjects {
		if w, ok := subjects[i].Input.(*facts.Workload); ok && slices.Contains(res.Files, subjects[i].File) {
			found = append(found, probesOf(&subjects[i], w, line)...)
		}
	}
	if len(found) == 0 {
		return noProbe(res, name, line)
	}
	if format == "json" {
		return a.writeJSON(struct {
			SchemaVersion int           `json:"schema_version"`
			Probes        []probeReport `json:"probes"`
		}{1, found})
	}
	return a.print(probeText(found))
}

// probed reads a file with its context, and prepares the facts.
func (a *app) probed(cmd *cobra.Command, o *inputOptions, name string) (*loader.Result, []facts.Subject, error) {
	conf, err := o.readConfig()
	if err != nil {
		return nil, nil, err
	}
	set, err := ruleSet()
	if err != nil {
		return nil, nil, err
	}
	opt, err := factsOptions(o, set, conf)
	if err != nil {
		return nil, nil, err
	}
	if len(o.context) == 0 && name != "-" {
		o.context = []string{filepath.Dir(name)}
	}
	res, files, err := a.loadBoth(cmd.Context(), o, conf, []string{name})
	if err != nil {
		return nil, nil, err
	}
	return res, facts.Collect(files, opt), nil
}

// fileAndLine takes FILE:LINE apart; a file whose name really ends like that is taken whole.
func fileAndLine(target string) (name string, line int) {
	if _, err := os.Stat(target); err == nil {
		return target, 0
	}
	i := strings.LastIndexByte(target, ':')
	if i < 0 {
		return target, 0
	}
	n, err := strconv.Atoi(target[i+1:])
	if err != nil || n < 1 {
		return target, 0
	}
	return target[:i], n
}

func noProbe(res *loader.Result, name string, line int) error {
	for _, f := range res.Files {
		for _, p := range f.Problems {
			return fmt.Errorf("%s:%d: %s", f.Name, p.Span.Start.Line, p.Message)
		}
	}
	if line > 0 {
		return fmt.Errorf("%s:%d: no probe stands there", name, line)
	}
	return errors.New(name + ": no probe is there")
}
