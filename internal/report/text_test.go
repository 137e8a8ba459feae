package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

func TestTextShowsExcerptTraceEffectAndFix(t *testing.T) {
	t.Parallel()
	compare(t, `
deploy/api.yaml:42:13: error: liveness of container "api" fails when PostgreSQL at orders-db:5432 is down [liveness-remote-dependency]
   |
42 |             command: ["/scripts/alive.sh"]
   |             ^^^^^^^
   = trace: deploy/api.yaml:42 runs /scripts/alive.sh, from ConfigMap api-scripts
            deploy/scripts.yaml:2 pg_isready -h "$DB_HOST", which is orders-db, and the Service
              orders-db selects StatefulSet orders-db
   = effect: an outage of 20 s restarts nobody; one of 30 s or more restarts all 6 replicas within
             10 s of each other, and no PDB or maxUnavailable limits that
   = fix: move this check to readinessProbe and probe port 8080 for liveness
            livenessProbe:
              tcpSocket:
                port: 8080
   = docs: hclint explain liveness-remote-dependency

deploy/api.yaml:43:3: warning: minAvailable 0 protects nothing [pdb-no-floor]
   |
43 |   minAvailable: 0
   |   ^^^^^^^^^^^^
   = confidence: likely, not certain
   = fix: delete it
   = docs: hclint explain pdb-no-floor

deploy/api.yaml:44:10: info: one replica [single-replica]
   |
44 | second: "käse"
   |          ^^^^
   = docs: hclint explain single-replica

skipped 2 files: not YAML (first a.txt)
skipped 1 document: a template (b.yaml:7)
1 error, 1 warning, 1 info (1 suppressed) in 14 objects, 5 files; skipped 2 files and 1 document
`, written(t, Text, demoRun(), Options{}))
}

func TestTextQuietHoldsFindingsOnly(t *testing.T) {
	t.Parallel()
	if got := written(t, Text, Run{Files: 3}, Options{Quiet: true}); got != "" {
		t.Errorf("quiet and clean: got %q", got)
	}
	if got := written(t, Text, demoRun(), Options{Quiet: true}); !strings.HasSuffix(got, "hclint explain single-replica\n") {
		t.Errorf("quiet ends in %q", got[len(got)-60:])
	}
}

func TestTextIsTheSameWithAndWithoutColor(t *testing.T) {
	t.Parallel()
	colored := written(t, Text, demoRun(), Options{Color: true})
	if !strings.Contains(colored, "\x1b[") {
		t.Error("no color in colored text")
	}
	compare(t, written(t, Text, demoRun(), Options{}), regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(colored, ""))
}

func TestTextWrapsProseToTheTerminalButNeverTheFirstLine(t *testing.T) {
	t.Parallel()
	for i, line := range strings.Split(written(t, Text, demoRun(), Options{Width: 60}), "\n") {
		if width(line) > 60 && !strings.Contains(line, " [") && !strings.Contains(line, "suppressed)") && !strings.Contains(line, "|") {
			// The one line that may be longer: a title without a place to break.
			t.Errorf("line %d has %d cells: %s", i+1, width(line), line)
		}
	}
}

func TestCountLineHasCorrectPlurals(t *testing.T) {
	t.Parallel()
	finding := rules.Finding{Severity: rules.Info}
	for want, run := range map[string]Run{
		"no findings in 0 objects, 0 files":                                {},
		"no findings in 1 object, 1 file":                                  {Files: 1, Objects: 1},
		"no findings (1 suppressed) in 1 object, 1 file":                   {Files: 1, Objects: 1, Findings: []rules.Finding{{Suppressed: &rules.Suppression{}}}},
		"2 infos in 2 objects, 1 file; skipped 1 file":                     {Files: 1, Objects: 2, Findings: []rules.Finding{finding, finding}, Skipped: []loader.Skip{{}}},
		"1 info in 1 object, 2 files; skipped 1 document":                  {Files: 2, Objects: 1, Findings: []rules.Finding{finding}, Skipped: []loader.Skip{{Line: 1}}},
		"no findings in 0 objects, 0 files; skipped 1 file and 1 document": {Skipped: []loader.Skip{{Line: 1}, {}}},
	} {
		compare(t, want, countLine(run))
	}
}

func TestSkippedFilesTakeAtMostFourLines(t *testing.T) {
	t.Parallel()
	run := Run{}
	for i, reason := range []string{"a", "b", "b", "c", "d", "e", "e", "e"} {
		run.Skipped = append(run.Skipped, loader.Skip{File: string(rune('p' + i)), Reason: reason})
	}
	compare(t, `
skipped 3 files: e (first u)
skipped 2 files: b (first q)
skipped 1 file: a (p)
skipped 2 more for 2 other reasons; hclint files lists them
`, skipLines(run.Skipped))
}

func TestTextEscapesWhatMovesTheCursor(t *testing.T) {
	t.Parallel()
	evil := "\x1b]0;x\a\r\u202e\u009b31m\xff\n"
	f := &loader.File{Name: "a" + evil, Source: []byte("key: \x1b[2J\u202evalue\n")}
	run := Run{
		Skipped: []loader.Skip{{File: evil, Reason: evil}},
		Findings: []rules.Finding{{
			Rule: "r", Severity: rules.Error, Message: evil, File: f, Span: spanOf(f, "\x1b[2J"), Effect: "effect" + evil,
			Trace: []rules.Step{{File: f, Text: evil}}, Fixes: []rules.Fix{{Title: evil, Suggestion: "a: " + evil + "b: 1"}},
		}},
	}
	for _, format := range []Format{Text, GitHub} {
		got := written(t, format, run, Options{})
		if found := regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202e\ufffd]").FindString(got); found != "" {
			t.Errorf("%s: %q is not escaped in\n%q", format, found, got)
		}
	}
	if got := written(t, Text, run, Options{}); !strings.Contains(got, `1 | key: \x1b[2J\u202evalue`+"\n"+`  |      ^^^^^^^`) {
		t.Errorf("excerpt:\n%s", got)
	}
}

func TestNoFormatForALogHoldsACommandOfTheRunner(t *testing.T) {
	t.Parallel()
	f := &loader.File{Name: "::error::a", Source: []byte("::warning::b ##[add-mask]c\n")}
	long := strings.Repeat("word ", 18) + "::error::d ##[error]e"
	run := Run{
		Skipped: []loader.Skip{{File: "::error::f", Reason: "##[group]g"}},
		Findings: []rules.Finding{{
			Rule: "r", Severity: rules.Error, Message: "##[error]h", File: f, Span: spanOf(f, "warning"), Effect: long,
			Trace: []rules.Step{{File: f, Text: long}}, Fixes: []rules.Fix{{Title: long, Suggestion: "a: |\n  ::error::i\n"}},
		}},
	}
	ours := regexp.MustCompile("^::error file=.*,title=r::")
	for _, format := range []Format{Text, GitHub} {
		for line := range strings.Lines(written(t, format, run, Options{})) {
			if strings.Contains(line, "##[") || strings.HasPrefix(strings.TrimSpace(line), "::") && !ours.MatchString(line) {
				t.Errorf("%s: a command in %q", format, line)
			}
		}
	}
}
