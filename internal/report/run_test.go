package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

// spanOf is the place of the first occurrence of text in f.
func spanOf(f *loader.File, text string) loader.Span {
	at := bytes.Index(f.Source, []byte(text))
	return loader.Span{Start: posAt(f, at), End: posAt(f, at+len(text))}
}

func posAt(f *loader.File, offset int) loader.Pos {
	before := f.Source[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return loader.Pos{Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[start:]) + 1, Offset: offset}
}

// demoRun is a run with one finding of each kind that formats treat differently.
func demoRun() Run {
	api := &loader.File{Name: "deploy/api.yaml", Source: []byte(strings.Repeat("#\n", 41) +
		"            command: [\"/scripts/alive.sh\"]\n  minAvailable: 0\nsecond: \"käse\"\n")}
	scripts := &loader.File{Name: "deploy/scripts.yaml", Source: []byte("alive.sh: |\n  pg_isready -h \"$DB_HOST\"\n")}
	object := &loader.Object{File: api, APIVersion: "apps/v1", Kind: "Deployment", Name: "api"}
	return Run{
		Tool:  Tool{Name: "hclint", Version: "1.2.3"},
		Files: 5, Objects: 14,
		Skipped: []loader.Skip{{File: "a.txt", Reason: "not YAML"}, {File: "b.yaml", Line: 7, Reason: "a template"}, {File: "c.txt", Reason: "not YAML"}},
		Findings: []rules.Finding{
			{
				Rule: "liveness-remote-dependency", Severity: rules.Error,
				Message: `liveness of container "api" fails when PostgreSQL at orders-db:5432 is down`,
				File:    api, Span: spanOf(api, "command"), Object: object, Container: "api",
				Path: loader.Path{"spec", "containers", 0, "livenessProbe"},
				Trace: []rules.Step{
					{File: api, Span: spanOf(api, "[\""), Text: "runs /scripts/alive.sh, from ConfigMap api-scripts"},
					{File: scripts, Span: spanOf(scripts, "pg_isready"), Text: `pg_isready -h "$DB_HOST", which is orders-db, and the Service orders-db selects StatefulSet orders-db`},
				},
				Effect: "an outage of 20 s restarts nobody; one of 30 s or more restarts all 6 replicas within 10 s of each other, and no PDB or maxUnavailable limits that",
				Help:   "Liveness depends on another service", URL: "https://example.com/liveness-remote-dependency.md",
				Fixes: []rules.Fix{{
					Title: "move this check to readinessProbe and probe port 8080 for liveness", Safety: rules.Display,
					Suggestion: "livenessProbe:\n  tcpSocket:\n    port: 8080\n",
				}},
				Fingerprint: "f1",
			},
			{
				Rule: "pdb-no-floor", Severity: rules.Warning, Likely: true, Message: "minAvailable 0 protects nothing",
				File: api, Span: spanOf(api, "minAvailable"), Object: object, Path: loader.Path{"spec", "minAvailable"},
				Fixes:       []rules.Fix{{Title: "delete it", Safety: rules.Unsafe, Edits: []rules.Edit{{File: api, Span: spanOf(api, "minAvailable: 0")}}}},
				Fingerprint: "f2",
			},
			{
				Rule: "pdb-missing", Severity: rules.Warning, Message: "suppressed one", File: api, Span: spanOf(api, "minAvailable"),
				Suppressed: &rules.Suppression{Source: "comment", Reason: "known", File: scripts, Span: spanOf(scripts, "pg_isready")}, Fingerprint: "f3",
			},
			{Rule: "single-replica", Severity: rules.Info, Message: "one replica", File: api, Span: spanOf(api, "käse"), Fingerprint: "f4"},
		},
	}
}

func written(t *testing.T, format Format, run Run, opt Options) string {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, format, run, opt); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func compare(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func TestWorstIsTheHighestSeverityThatStands(t *testing.T) {
	t.Parallel()
	run := demoRun()
	if got := run.Worst(); got != rules.Error {
		t.Errorf("worst of the demo: got %v", got)
	}
	run.Findings[0].Suppressed = &rules.Suppression{}
	if got := run.Worst(); got != rules.Warning {
		t.Errorf("worst with the error suppressed: got %v", got)
	}
	if got := (Run{}).Worst(); got != 0 {
		t.Errorf("worst of nothing: got %v", got)
	}
}

func TestAnUnknownFormatIsAnError(t *testing.T) {
	t.Parallel()
	if err := Write(&bytes.Buffer{}, "xml", demoRun(), Options{}); err == nil {
		t.Error("format xml: no error")
	}
}
