package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/report"
	"github.com/hclint/hclint/loader"
)

// fileList is what hclint files prints with --format json.
type fileList struct {
	SchemaVersion int        `json:"schema_version"`
	Files         []fileRead `json:"files"`
	Skipped       []fileSkip `json:"skipped"`
}

type fileRead struct {
	File     string `json:"file"`
	Objects  int    `json:"objects"`
	Problems int    `json:"problems"`
}

type fileSkip struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

func (a *app) filesCommand() *cobra.Command {
	var (
		input  inputOptions
		format string
	)
	cmd := &cobra.Command{
		Use:   "files [path…]",
		Short: "List what would be checked, and what would be skipped and why",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := textOrJSON(cmd, format); err != nil {
				return err
			}
			if err := input.validate(cmd); err != nil {
				return err
			}
			conf, err := input.readConfig()
			if err != nil {
				return err
			}
			res, unread := a.load(cmd.Context(), &input, conf, paths)
			if res == nil {
				return unread
			}
			if format == "json" {
				err = a.writeJSON(newFileList(res))
			} else {
				err = a.print(fileTable(res))
			}
			return errors.Join(err, unread)
		},
	}
	input.register(cmd)
	formatFlag(cmd, &format)
	return cmd
}

func newFileList(res *loader.Result) fileList {
	list := fileList{SchemaVersion: 1, Files: []fileRead{}, Skipped: []fileSkip{}}
	for _, f := range res.Files {
		list.Files = append(list.Files, fileRead{f.Name, len(f.Objects), len(f.Problems)})
	}
	for _, s := range res.Skipped {
		list.Skipped = append(list.Skipped, fileSkip(s))
	}
	return list
}

func fileTable(res *loader.Result) string {
	var b strings.Builder
	for _, f := range res.Files {
		fmt.Fprintf(&b, "%s: %s", report.Escape(f.Name), count(len(f.Objects), "object"))
		if len(f.Problems) > 0 {
			fmt.Fprintf(&b, ", %s", count(len(f.Problems), "problem"))
		}
		b.WriteByte('\n')
	}
	for _, s := range res.Skipped {
		b.WriteString(report.Escape(s.File))
		if s.Line > 0 {
			fmt.Fprintf(&b, ":%d", s.Line)
		}
		fmt.Fprintf(&b, ": skipped: %s\n", report.Escape(s.Reason))
	}
	return b.String()
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
