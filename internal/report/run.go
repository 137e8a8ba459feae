// Package report writes findings for people and for programs.
package report

import (
	"fmt"
	"io"

	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

// Run is one run of the tool: what was read, what was found.
type Run struct {
	Tool Tool
	// Findings are in order (rules.Finding.Compare), suppressed ones included.
	Findings []rules.Finding
	// Files and Objects count what was checked.
	Files, Objects int
	Skipped        []loader.Skip
}

// Tool names the program that made a report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Format is a way to write a run.
type Format string

// The formats.
const (
	Text   Format = "text"
	JSON   Format = "json"
	GitHub Format = "github"
)

// Formats lists the formats.
func Formats() []Format { return []Format{Text, JSON, GitHub} }

// Describe says what f is for, in a few words.
func (f Format) Describe() string {
	switch f {
	case Text:
		return "for people: excerpt, trace, effect, fix"
	case JSON:
		return "one document, described by hclint schema findings"
	case GitHub:
		return "workflow commands: annotations on a pull request"
	}
	return ""
}

// Options say how a run is shown. They never change what is found.
type Options struct {
	// Color is for text only.
	Color bool
	// Width is the number of columns that prose is wrapped to; 0 means 100.
	Width int
	// Quiet leaves out the last lines of text, which say what was checked and skipped.
	Quiet bool
	// FullFrom is the lowest severity that text shows whole; what is below takes one line, and more than 20 infos below
	// it only are counted. 0 shows everything whole.
	FullFrom rules.Severity
	// Rename gives a file its name in formats that a forge reads; nil keeps names.
	Rename func(string) string
}

// Write writes run to w.
func Write(w io.Writer, format Format, run Run, opt Options) error {
	switch format {
	case Text:
		return writeText(w, run, opt)
	case JSON:
		return writeJSON(w, run)
	case GitHub:
		return writeGitHub(w, run, opt)
	}
	return fmt.Errorf("unknown format %q", format)
}

// Worst is the highest severity among the findings that stand; 0 when there is none.
func (r Run) Worst() rules.Severity {
	var worst rules.Severity
	for _, f := range r.Findings {
		if f.Suppressed == nil {
			worst = max(worst, f.Severity)
		}
	}
	return worst
}

func fileName(f *loader.File) string {
	if f == nil {
		return ""
	}
	return f.Name
}
