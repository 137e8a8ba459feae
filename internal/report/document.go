package report

import (
	_ "embed"
	"encoding/json"
	"io"

	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

// Version is the version of the JSON document. It changes when a field is removed or changes its meaning; fields may be
// added without it.
const Version = 1

// Document is what the format json holds.
type Document struct {
	SchemaVersion int       `json:"schema_version" jsonschema:"enum=1"`
	Tool          Tool      `json:"tool"`
	Findings      []Finding `json:"findings" jsonschema:"description=sorted by file; line; column; rule; message"`
	Skipped       []Skip    `json:"skipped" jsonschema:"description=what was not checked and why"`
	Summary       Summary   `json:"summary"`
}

// Finding is a finding in a Document. Lines and columns are 1-based; columns count Unicode code points; ends are exclusive.
type Finding struct {
	Rule        string       `json:"rule"`
	Severity    string       `json:"severity" jsonschema:"enum=error,enum=warning,enum=info"`
	Confidence  string       `json:"confidence" jsonschema:"enum=certain,enum=likely"`
	Message     string       `json:"message"`
	File        string       `json:"file" jsonschema:"description=slash-separated; relative when the argument was"`
	Line        int          `json:"line"`
	Column      int          `json:"column" jsonschema:"description=in Unicode code points"`
	EndLine     int          `json:"end_line"`
	EndColumn   int          `json:"end_column" jsonschema:"description=exclusive"`
	Path        string       `json:"path" jsonschema:"description=JSON pointer into the object"`
	Object      *Object      `json:"object" jsonschema:"nullable,description=null for a problem of the input"`
	Trace       []Step       `json:"trace" jsonschema:"description=the evidence; from the probe to what it touches"`
	Effect      string       `json:"effect"`
	Help        string       `json:"help" jsonschema:"description=title of the rule"`
	URL         string       `json:"url"`
	Fixes       []Fix        `json:"fixes"`
	Suppressed  *Suppression `json:"suppressed" jsonschema:"nullable,description=null when the finding stands"`
	Fingerprint string       `json:"fingerprint" jsonschema:"description=names the finding without its line"`
}

// Object names the object that a finding is about.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	Container  string `json:"container"`
}

// Step is one step of a trace.
type Step struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Fix is one way out.
type Fix struct {
	Title      string `json:"title"`
	Safety     string `json:"safety" jsonschema:"enum=safe,enum=unsafe,enum=display"`
	Suggestion string `json:"suggestion" jsonschema:"description=YAML to adapt; empty when the title says it all"`
	Edits      []Edit `json:"edits"`
}

// Edit replaces a range of a file by text.
type Edit struct {
	File  string   `json:"file"`
	Start Position `json:"start"`
	End   Position `json:"end" jsonschema:"description=exclusive"`
	Text  string   `json:"text"`
}

// Position is a place in a file.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset" jsonschema:"description=in bytes from 0"`
}

// Suppression says where and why a finding was suppressed.
type Suppression struct {
	Source string `json:"source" jsonschema:"description=comment or annotation"`
	Reason string `json:"reason"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// Skip names a file or a part of one that was not checked.
type Skip struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty" jsonschema:"description=where the part begins; absent for a whole file"`
	Reason string `json:"reason"`
}

//go:embed findings.schema.json
var findingsSchema []byte

// Schema is the JSON Schema of a Document. It is generated from the structs above; a test keeps it current.
func Schema() []byte { return findingsSchema }

func writeJSON(w io.Writer, run Run) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(NewDocument(run))
}

// NewDocument turns run into the document that the format json holds.
func NewDocument(run Run) Document {
	doc := Document{
		SchemaVersion: Version,
		Tool:          run.Tool,
		Findings:      make([]Finding, 0, len(run.Findings)),
		Skipped:       make([]Skip, 0, len(run.Skipped)),
		Summary:       summarize(run),
	}
	for i := range run.Findings {
		doc.Findings = append(doc.Findings, newFinding(&run.Findings[i]))
	}
	for _, s := range run.Skipped {
		doc.Skipped = append(doc.Skipped, Skip(s))
	}
	return doc
}

func newFinding(f *rules.Finding) Finding {
	out := Finding{
		Rule:        f.Rule,
		Severity:    f.Severity.String(),
		Confidence:  "certain",
		Message:     f.Message,
		File:        fileName(f.File),
		Line:        f.Span.Start.Line,
		Column:      f.Span.Start.Column,
		EndLine:     f.Span.End.Line,
		EndColumn:   f.Span.End.Column,
		Path:        f.Path.String(),
		Trace:       make([]Step, 0, len(f.Trace)),
		Effect:      f.Effect,
		Help:        f.Help,
		URL:         f.URL,
		Fixes:       make([]Fix, 0, len(f.Fixes)),
		Fingerprint: f.Fingerprint,
	}
	if f.Likely {
		out.Confidence = "likely"
	}
	if o := f.Object; o != nil {
		out.Object = &Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Container: f.Container}
	}
	for _, s := range f.Trace {
		out.Trace = append(out.Trace, Step{File: fileName(s.File), Line: s.Span.Start.Line, Column: s.Span.Start.Column, Message: s.Text})
	}
	for _, fix := range f.Fixes {
		out.Fixes = append(out.Fixes, newFix(fix))
	}
	if s := f.Suppressed; s != nil {
		out.Suppressed = &Suppression{Source: s.Source, Reason: s.Reason, File: fileName(s.File), Line: s.Span.Start.Line}
	}
	return out
}

func newFix(fix rules.Fix) Fix {
	out := Fix{Title: fix.Title, Safety: string(fix.Safety), Suggestion: fix.Suggestion, Edits: make([]Edit, 0, len(fix.Edits))}
	for _, e := range fix.Edits {
		out.Edits = append(out.Edits, Edit{File: fileName(e.File), Start: newPosition(e.Span.Start), End: newPosition(e.Span.End), Text: e.Text})
	}
	return out
}

func newPosition(p loader.Pos) Position {
	return Position{Line: p.Line, Column: p.Column, Offset: p.Offset}
}
