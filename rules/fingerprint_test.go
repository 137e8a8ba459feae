package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/loader"
)

func TestFingerprintsForgetLinesAndNothingElse(t *testing.T) {
	t.Parallel()
	object := &loader.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "api"}
	of := func(change func(*Finding)) string {
		found := []Finding{{
			Rule: "r", File: &loader.File{Name: "a.yaml"}, Object: object, Container: "app", Path: loader.Path{"spec", 0}, Message: "m",
			Span: loader.Span{Start: loader.Pos{Line: 3}},
		}}
		if change != nil {
			change(&found[0])
		}
		fingerprint(found)
		return found[0].Fingerprint
	}
	same := of(nil)
	if len(same) != 32 {
		t.Errorf("%q has not 32 digits", same)
	}
	for name, change := range map[string]func(*Finding){
		"line":     func(f *Finding) { f.Span.Start.Line = 99 },
		"message":  func(f *Finding) { f.Message = "other words" },
		"severity": func(f *Finding) { f.Severity = Info },
	} {
		if of(change) != same {
			t.Errorf("another %s gives another fingerprint", name)
		}
	}
	for name, change := range map[string]func(*Finding){
		"rule":      func(f *Finding) { f.Rule = "s" },
		"file":      func(f *Finding) { f.File = &loader.File{Name: "b.yaml"} },
		"object":    func(f *Finding) { f.Object = &loader.Object{Kind: "Deployment", Name: "web"} },
		"container": func(f *Finding) { f.Container = "" },
		"path":      func(f *Finding) { f.Path = loader.Path{"spec", 1} },
		"no object": func(f *Finding) { f.Object = nil },
	} {
		if of(change) == same {
			t.Errorf("another %s gives the same fingerprint", name)
		}
	}
}

func TestDuplicatesHaveFingerprintsOfTheirOwn(t *testing.T) {
	t.Parallel()
	file := &loader.File{Name: "a.yaml"}
	three := []Finding{{Rule: "r", File: file}, {Rule: "r", File: file}, {Rule: "r", File: file}}
	fingerprint(three)
	seen := map[string]bool{}
	for _, f := range three {
		seen[f.Fingerprint] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d fingerprints for 3 findings", len(seen))
	}
	two := []Finding{{Rule: "r", File: file}, {Rule: "r", File: file}}
	fingerprint(two)
	if diff := cmp.Diff(three[0].Fingerprint+three[1].Fingerprint, two[0].Fingerprint+two[1].Fingerprint); diff != "" {
		t.Errorf("the first two depend on the third (-want +got):\n%s", diff)
	}
}
