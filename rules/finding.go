package rules

import (
	"cmp"

	"github.com/hclint/hclint/loader"
)

// Severity says how bad a finding is. The order of the values is the order of badness.
type Severity int

// The severities.
const (
	Info Severity = iota + 1
	Warning
	Error
)

// Finding is one thing that a rule says about the input.
type Finding struct {
	Rule       string
	Severity   Severity
	Likely     bool // confidence is likely, not certain
	Message    string
	File       *loader.File
	Span       loader.Span
	Path       loader.Path
	Object     *loader.Object // nil for an input problem
	Container  string         // "" when the finding is about no container
	Trace      []Step
	Effect     string
	Help       string // the rule's title
	URL        string
	Fixes      []Fix
	Suppressed *Suppression // nil when the finding stands
	// Fingerprint names the finding without its line: rule, file, object, container and path, and a count for duplicates.
	Fingerprint string
}

// Step is one step of the evidence for a finding.
type Step struct {
	File *loader.File
	Span loader.Span
	Text string
}

// Safety says what applying a fix can do.
type Safety string

// The safeties.
const (
	Safe    Safety = "safe"    // cannot change what a correct deployment does
	Unsafe  Safety = "unsafe"  // needs a look
	Display Safety = "display" // shown, to be adapted by hand
)

// Fix is one way out.
type Fix struct {
	Title  string
	Safety Safety
	// Suggestion is YAML with the manifest's own names and numbers; "" when Title says it all.
	Suggestion string
	Edits      []Edit
}

// Edit replaces the bytes of Span in File by Text.
type Edit struct {
	File *loader.File
	Span loader.Span
	Text string
}

// Suppression says why a finding does not count.
type Suppression struct {
	Source string // "comment" or "annotation"
	Reason string
	File   *loader.File
	Span   loader.Span
}

// Compare orders findings by file, line, column, rule and message.
func (f Finding) Compare(g Finding) int {
	return cmp.Or(
		cmp.Compare(f.File.Name, g.File.Name),
		cmp.Compare(f.Span.Start.Line, g.Span.Start.Line),
		cmp.Compare(f.Span.Start.Column, g.Span.Start.Column),
		cmp.Compare(f.Rule, g.Rule),
		cmp.Compare(f.Message, g.Message),
	)
}
