package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/report"
	"github.com/hclint/hclint/rules"
)

// outputOptions are the flags that say how findings are written.
type outputOptions struct {
	format  string
	outputs []string
	color   string
	quiet   bool
}

// output is one report: a format and the file it goes to, "" for stdout.
type output struct {
	format report.Format
	file   string
}

func (o *outputOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.format, "format", string(report.Text), "write `FORMAT` to stdout: text, json or github")
	f.StringArrayVar(&o.outputs, "output", nil, "write a further report: `FORMAT[:FILE]`; without FILE it takes the place of --format (repeatable)")
	f.StringVar(&o.color, "color", "auto", "color the text `WHEN`: auto (a terminal, without NO_COLOR), always or never")
	f.BoolVar(&o.quiet, "quiet", false, "write findings only, not what was checked and skipped")
	complete(cmd, "format", completeFormats)
	complete(cmd, "output", completeFormats)
	complete(cmd, "color", completeWords("auto", "always", "never"))
}

// parse turns the flags into the reports to write; one of them goes to stdout.
func (o *outputOptions) parse(cmd *cobra.Command) ([]output, error) {
	if err := oneOf(o.color, "auto", "always", "never"); err != nil {
		return nil, usage(cmd, "--color: %w", err)
	}
	if err := validFormat(o.format); err != nil {
		return nil, usage(cmd, "--format: %w", err)
	}
	stdout := output{format: report.Format(o.format)}
	taken := cmd.Flags().Changed("format")
	var files []output
	for _, value := range o.outputs {
		format, file, _ := strings.Cut(value, ":")
		if err := validFormat(format); err != nil {
			return nil, usage(cmd, "--output: %w", err)
		}
		if file != "" && file != "-" {
			if slices.ContainsFunc(files, func(other output) bool { return filepath.Clean(other.file) == filepath.Clean(file) }) {
				return nil, usage(cmd, "--output: two reports go to %s", file)
			}
			files = append(files, output{report.Format(format), file})
			continue
		}
		if taken {
			return nil, usage(cmd, "--output %s: stdout holds one report; give the other a file, as in --output %s:FILE", value, format)
		}
		stdout.format, taken = report.Format(format), true
	}
	return append(files, stdout), nil
}

func validFormat(format string) error {
	var all []string
	for _, f := range report.Formats() {
		all = append(all, string(f))
	}
	return oneOf(format, all...)
}

// write writes all reports. Files come first: they are there even when stdout is closed early. Text shows whole what is worth
// acting on: warnings, errors, and infos when they count (--fail-on info).
func (a *app) write(outputs []output, run report.Run, o *outputOptions, failOn rules.Severity) error {
	for _, out := range outputs {
		opt := report.Options{Quiet: o.quiet, FullFrom: min(failOn, rules.Warning), Rename: a.workspaceName()}
		if out.file != "" {
			opt.Color = o.color == "always"
			var buf bytes.Buffer
			if err := report.Write(&buf, out.format, run, opt); err != nil {
				return err
			}
			if err := os.WriteFile(out.file, buf.Bytes(), 0o644); err != nil {
				return fmt.Errorf("--output: %w", err)
			}
			continue
		}
		opt.Color, opt.Width = a.colored(o.color), terminalWidth(a.stdout)
		if err := report.Write(a.stdout, out.format, run, opt); err != nil {
			return err
		}
		// Workflow commands have no place for it, and the log of a green step has to say what was checked.
		if out.format == report.GitHub && !o.quiet {
			if err := report.WriteSummary(a.stderr, run); err != nil {
				return err
			}
		}
	}
	return nil
}
