package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	invopop "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite generated files")

func TestSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	r := &invopop.Reflector{Anonymous: true, AllowAdditionalProperties: true}
	schema := r.Reflect(&Document{})
	schema.Title = "what hclint --format json holds"
	want, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile("findings.schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(Schema())); diff != "" {
		t.Errorf("findings.schema.json is stale, run go test ./internal/report -update (-want +got):\n%s", diff)
	}
}

// validator is the published schema.
func validator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("findings.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("findings.json")
}

func TestJSONSatisfiesItsSchema(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]Run{"demo": demoRun(), "nothing": {}, "clean": {Tool: Tool{"hclint", "1"}, Files: 3, Objects: 4}} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(written(t, JSON, run, Options{})))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := validator(t).Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRefusesWhatIsNoReport(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(map[string]any){
		"other version":    func(d map[string]any) { d["schema_version"] = 2 },
		"no findings":      func(d map[string]any) { delete(d, "findings") },
		"findings null":    func(d map[string]any) { d["findings"] = nil },
		"unknown severity": func(d map[string]any) { first(d)["severity"] = "fatal" },
		"line as text":     func(d map[string]any) { first(d)["line"] = "42" },
		"trace null":       func(d map[string]any) { first(d)["trace"] = nil },
		"no fingerprint":   func(d map[string]any) { delete(first(d), "fingerprint") },
	} {
		var doc map[string]any
		if err := json.Unmarshal([]byte(written(t, JSON, demoRun(), Options{})), &doc); err != nil {
			t.Fatal(err)
		}
		change(doc)
		if err := validator(t).Validate(doc); err == nil {
			t.Errorf("%s: the schema accepts it", name)
		}
	}
}

func first(doc map[string]any) map[string]any {
	return doc["findings"].([]any)[0].(map[string]any)
}

func TestJSONBeginsWithItsVersionAndHasEmptyLists(t *testing.T) {
	t.Parallel()
	compare(t, `
{
  "schema_version": 1,
  "tool": {
    "name": "hclint",
    "version": "1"
  },
  "findings": [],
  "skipped": [],
  "summary": {
    "files": 1,
    "objects": 2,
    "errors": 0,
    "warnings": 0,
    "infos": 0,
    "suppressed": 0,
    "fixable": 0
  }
}
`, written(t, JSON, Run{Tool: Tool{"hclint", "1"}, Files: 1, Objects: 2}, Options{}))
}

func TestDocumentHoldsTheWholeFinding(t *testing.T) {
	t.Parallel()
	doc := NewDocument(demoRun())
	want := []Finding{
		{
			Rule: "liveness-remote-dependency", Severity: "error", Confidence: "certain",
			Message: `liveness of container "api" fails when PostgreSQL at orders-db:5432 is down`,
			File:    "deploy/api.yaml", Line: 42, Column: 13, EndLine: 42, EndColumn: 20, Path: "/spec/containers/0/livenessProbe",
			Object: &Object{APIVersion: "apps/v1", Kind: "Deployment", Name: "api", Container: "api"},
			Trace: []Step{
				{"deploy/api.yaml", 42, 22, "runs /scripts/alive.sh, from ConfigMap api-scripts"},
				{"deploy/scripts.yaml", 2, 3, `pg_isready -h "$DB_HOST", which is orders-db, and the Service orders-db selects StatefulSet orders-db`},
			},
			Effect: "an outage of 20 s restarts nobody; one of 30 s or more restarts all 6 replicas within 10 s of each other, and no PDB or maxUnavailable limits that",
			Help:   "Liveness depends on another service", URL: "https://example.com/liveness-remote-dependency.md",
			Fixes: []Fix{{
				Title: "move this check to readinessProbe and probe port 8080 for liveness", Safety: "display",
				Suggestion: "livenessProbe:\n  tcpSocket:\n    port: 8080\n", Edits: []Edit{},
			}},
			Fingerprint: "f1",
		},
		{
			Rule: "pdb-no-floor", Severity: "warning", Confidence: "likely", Message: "minAvailable 0 protects nothing",
			File: "deploy/api.yaml", Line: 43, Column: 3, EndLine: 43, EndColumn: 15, Path: "/spec/minAvailable",
			Object: &Object{APIVersion: "apps/v1", Kind: "Deployment", Name: "api"}, Trace: []Step{},
			Fixes: []Fix{{
				Title: "delete it", Safety: "unsafe",
				Edits: []Edit{{File: "deploy/api.yaml", Start: Position{43, 3, 127}, End: Position{43, 18, 142}}},
			}},
			Fingerprint: "f2",
		},
		{
			Rule: "pdb-missing", Severity: "warning", Confidence: "certain", Message: "suppressed one",
			File: "deploy/api.yaml", Line: 43, Column: 3, EndLine: 43, EndColumn: 15, Trace: []Step{}, Fixes: []Fix{},
			Suppressed: &Suppression{"comment", "known", "deploy/scripts.yaml", 2}, Fingerprint: "f3",
		},
		{
			Rule: "single-replica", Severity: "info", Confidence: "certain", Message: "one replica",
			File: "deploy/api.yaml", Line: 44, Column: 10, EndLine: 44, EndColumn: 14, Trace: []Step{}, Fixes: []Fix{}, Fingerprint: "f4",
		},
	}
	if diff := cmp.Diff(want, doc.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Summary{Files: 5, Objects: 14, Errors: 1, Warnings: 1, Infos: 1, Suppressed: 1, Fixable: 1}, doc.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestAllFormatsReportTheSameFindings(t *testing.T) {
	t.Parallel()
	run := demoRun()
	for _, f := range run.Findings {
		for _, format := range []Format{Text, GitHub} {
			out := written(t, format, run, Options{})
			if got, want := strings.Contains(out, f.Message), f.Suppressed == nil; got != want {
				t.Errorf("%s: %s is there: %v, want %v", format, f.Rule, got, want)
			}
		}
	}
	if got := NewDocument(run).Findings[2].Suppressed; got == nil {
		t.Error("json: the suppressed finding is not marked")
	}
}
