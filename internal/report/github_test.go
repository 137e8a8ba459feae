package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

func TestGitHubWritesOneCommandPerFinding(t *testing.T) {
	t.Parallel()
	compare(t, `
::error file=deploy/api.yaml,line=42,endLine=42,col=13,endColumn=20,title=liveness-remote-dependency::liveness of container "api" fails when PostgreSQL at orders-db:5432 is down%0Atrace: deploy/api.yaml:42 runs /scripts/alive.sh, from ConfigMap api-scripts%0A       deploy/scripts.yaml:2 pg_isready -h "$DB_HOST", which is orders-db, and the Service orders-db selects StatefulSet orders-db%0Aeffect: an outage of 20 s restarts nobody; one of 30 s or more restarts all 6 replicas within 10 s of each other, and no PDB or maxUnavailable limits that%0Afix: move this check to readinessProbe and probe port 8080 for liveness%0Adocs: hclint explain liveness-remote-dependency
::warning file=deploy/api.yaml,line=43,endLine=43,col=3,endColumn=15,title=pdb-no-floor::minAvailable 0 protects nothing%0Aconfidence: likely, not certain%0Afix: delete it%0Adocs: hclint explain pdb-no-floor
::notice file=deploy/api.yaml,line=44,endLine=44,col=10,endColumn=14,title=single-replica::one replica%0Adocs: hclint explain single-replica
`, written(t, GitHub, demoRun(), Options{}))
}

func TestGitHubEscapesDataAndProperties(t *testing.T) {
	t.Parallel()
	f := &loader.File{Name: "a,b:c%.yaml"}
	run := Run{Findings: []rules.Finding{{
		Rule: "r", Severity: rules.Error, Message: "100%: a, b\n::error::x", File: f,
		Span: loader.Span{Start: loader.Pos{Line: 2, Column: 9}, End: loader.Pos{Line: 4, Column: 1}},
	}}}
	// The columns of a range over several lines would be dropped, so they are not there.
	compare(t, `
::error file=x/a%2Cb%3Ac%25.yaml,line=2,endLine=4,title=r::100%25: a, b\n::error::x%0Adocs: hclint explain r
`, written(t, GitHub, run, Options{Rename: func(s string) string { return "x/" + s }}))
}

func TestGitHubSaysHowManyAnnotationsAreDropped(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		errs, warns, infos int
		want               string
	}{
		{10, 10, 10, ""},
		{11, 0, 0, "1 more without an annotation (1 error)"},
		{0, 12, 10, "3 more without an annotation (2 warnings, 1 info)"},
		{0, 0, 11, "2 more without an annotation (2 infos)"},
	} {
		run := Run{}
		for severity, n := range map[rules.Severity]int{rules.Error: tc.errs, rules.Warning: tc.warns, rules.Info: tc.infos} {
			for range n {
				run.Findings = append(run.Findings, rules.Finding{Rule: "r", Severity: severity, Message: "m", File: &loader.File{Name: "f"}})
			}
		}
		got := written(t, GitHub, run, Options{})
		notices, seen := 0, ""
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, "::notice") {
				notices++
				if rest, ok := strings.CutPrefix(line, "::notice title=hclint::"); ok {
					seen, _, _ = strings.Cut(rest, ":")
					if notices > 1 {
						t.Errorf("%d %d %d: the notice about the rest is not the first", tc.errs, tc.warns, tc.infos)
					}
				}
			}
		}
		if seen != tc.want {
			t.Errorf("%d %d %d: got %q, want %q", tc.errs, tc.warns, tc.infos, seen, tc.want)
		}
	}
}

func TestGitHubPutsErrorsFirst(t *testing.T) {
	t.Parallel()
	run := Run{}
	for i, severity := range []rules.Severity{rules.Info, rules.Error, rules.Warning, rules.Error} {
		run.Findings = append(run.Findings, rules.Finding{Rule: fmt.Sprint("r", i), Severity: severity, File: &loader.File{}})
	}
	var got []string
	for line := range strings.Lines(written(t, GitHub, run, Options{})) {
		got = append(got, strings.TrimSpace(line[strings.LastIndex(line, " "):]))
	}
	compare(t, "r1 r3 r2 r0", strings.Join(got, " "))
}

func TestCutCountsUTF16AndKeepsRunesWhole(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "short", strings.Repeat("a", 10), strings.Repeat("a", 11), strings.Repeat("😀", 5), strings.Repeat("😀", 6), "aaaaaaaa😀", "aaaaaaaaa😀"} {
		got := cut(s, 10)
		if n := len(utf16.Encode([]rune(got))); n > 10 {
			t.Errorf("%q: %d code units", s, n)
		}
		if whole := len(utf16.Encode([]rune(s))) <= 10; whole != (got == s) {
			t.Errorf("%q: got %q", s, got)
		}
		if strings.ContainsRune(got, '\ufffd') {
			t.Errorf("%q: got half a rune: %q", s, got)
		}
	}
}
