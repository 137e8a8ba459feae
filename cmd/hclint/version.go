package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// The version is a file because a build from a checkout without tags (as pre-commit makes) knows no other.
//
//go:embed VERSION
var versionFile string

func toolVersion() string { return strings.TrimSpace(versionFile) }

// build is what is known of this executable.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Date     string `json:"date"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	b := build{Version: toolVersion(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	parts := []string{}
	if b.Commit != "" {
		commit := b.Commit[:min(12, len(b.Commit))]
		if b.Modified {
			commit += ", modified"
		}
		parts = append(parts, "commit "+commit)
	}
	if b.Date != "" {
		parts = append(parts, b.Date)
	}
	return fmt.Sprintf("hclint %s (%s)", b.Version, strings.Join(append(parts, b.Go, b.Platform), ", "))
}

func (a *app) versionCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := textOrJSON(cmd, format); err != nil {
				return err
			}
			if format == "json" {
				return a.writeJSON(thisBuild())
			}
			return a.print(thisBuild().String() + "\n")
		},
	}
	formatFlag(cmd, &format)
	return cmd
}

// formatFlag gives cmd the flag --format text|json.
func formatFlag(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "text", "`FORMAT`: text or json")
	complete(cmd, "format", completeWords("text", "json"))
}

func textOrJSON(cmd *cobra.Command, format string) error {
	if err := oneOf(format, "text", "json"); err != nil {
		return usage(cmd, "--format: %w", err)
	}
	return nil
}

func (a *app) print(text string) error {
	_, err := fmt.Fprint(a.stdout, text)
	return err
}

func (a *app) writeJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
