package rules

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// TestNeedsHideNothing asks every rule about every example, with and without what its metadata says it needs: needs save
// work and change no finding.
func TestNeedsHideNothing(t *testing.T) {
	t.Parallel()
	set, all := shipped(t), shipped(t)
	all.rules = slices.Clone(all.rules)
	needing := 0
	for i := range all.rules {
		if all.rules[i].Needs != 0 {
			needing++
		}
		all.rules[i].Needs = 0
	}
	if needing == 0 {
		t.Fatal("no rule needs anything")
	}
	var files []*loader.File
	var subjects []facts.Subject
	for _, name := range exampleFiles(t) {
		src, err := os.ReadFile(policyDir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		file, about := collect(name, unmarked(name, src))
		files, subjects = append(files, file...), append(subjects, about...)
	}
	findings := func(set *Set) []string {
		report, err := set.Check(t.Context(), files, subjects, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range report.Findings {
			out = append(out, fmt.Sprintf("%s:%s %s %s %s", f.File.Name, position(f.Span), f.Severity, f.Rule, f.Message))
		}
		return out
	}
	if diff := cmp.Diff(findings(all), findings(set)); diff != "" {
		t.Errorf("findings (-without needs +with):\n%s", diff)
	}
}

func position(s loader.Span) string { return fmt.Sprintf("%d:%d", s.Start.Line, s.Start.Column) }
