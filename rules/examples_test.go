package rules

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// shipped loads the rules as the command does.
func shipped(tb testing.TB) *Set {
	tb.Helper()
	set, err := LoadTrusted(os.DirFS(policyDir))
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// factsOptions are the facts' options with the shipped endpoint data.
func factsOptions() facts.Options {
	known, err := endpoints.Load(os.DirFS(policyDir), endpointDir)
	if err != nil {
		panic(err)
	}
	return facts.Options{Endpoints: known}
}

// collect runs the stages before the rules.
func collect(name string, src []byte) ([]*loader.File, []facts.Subject) {
	file, _ := loader.Parse(name, src, loader.Options{Keep: facts.Keep(facts.Options{}), Keys: facts.DocumentKeys()})
	files := []*loader.File{file}
	return files, facts.Collect(files, factsOptions())
}

// exampleFiles lists the manifests beside the rules.
func exampleFiles(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(os.DirFS(policyDir), "*/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	units, err := fs.Glob(os.DirFS(policyDir), "*/*/*.service")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, units...)
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "data/") })
}

// isGood reports whether name is the example of how to do it, which has to be clean under all rules.
func isGood(name string) bool { return name == "good.yaml" || name == "good.service" }

// unmarked is an example as the loader gets it. In a systemd unit a mark would be a part of the value.
func unmarked(name string, src []byte) []byte {
	if path.Ext(name) == ".service" {
		return mark.ReplaceAll(src, nil)
	}
	return src
}

// wants reads the marks of an example: "line: rule", sorted.
func wants(src []byte) []string {
	want := []string{}
	line := 0
	for text := range bytes.Lines(src) {
		line++
		if m := mark.FindSubmatch(text); m != nil {
			for rule := range strings.FieldsSeq(string(m[1])) {
				want = append(want, fmt.Sprintf("%4d: %s", line, rule))
			}
		}
	}
	slices.Sort(want)
	return want
}

// TestExamples compares what is found in every example with its marks, both ways: good.yaml, which the documentation shows,
// under all rules; the others under their own rule and those that their marks name.
func TestExamples(t *testing.T) {
	t.Parallel()
	set := shipped(t)
	for _, name := range exampleFiles(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(policyDir + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			want := wants(src)
			rule := strings.ReplaceAll(path.Base(path.Dir(name)), "_", "-")
			checkMarks(t, rule, path.Base(name), want)
			judged := append(marked(want), rule)
			files, subjects := collect(name, unmarked(name, src))
			report, err := set.Check(t.Context(), files, subjects, Options{Enable: enabledFor(set, path.Base(name), judged)})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, f := range report.Findings {
				if f.Suppressed == nil && (isGood(path.Base(name)) || slices.Contains(judged, f.Rule)) {
					got = append(got, fmt.Sprintf("%4d: %s", f.Span.Start.Line, f.Rule))
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// enabledFor returns the rules that an example runs under: all for good.yaml and for the rules about suppressions, which judge
// what the others leave; else those judged.
func enabledFor(set *Set, name string, judged []string) []string {
	aboutSuppressions := slices.ContainsFunc(judged, func(rule string) bool {
		r, err := set.Rule(rule)
		return err == nil && slices.Contains(r.Subjects, facts.SubjectSuppression)
	})
	if isGood(name) || aboutSuppressions {
		return nil
	}
	return judged
}

// marked lists the rules that the marks name.
func marked(want []string) []string {
	var rules []string
	for _, w := range want {
		_, rule, _ := strings.Cut(w, ": ")
		rules = append(rules, rule)
	}
	return rules
}

// checkMarks makes sure that a bad example expects its rule and a good one expects nothing.
func checkMarks(t *testing.T, rule, name string, want []string) {
	t.Helper()
	switch bad, good := strings.HasPrefix(name, "bad"), strings.HasPrefix(name, "good"); {
	case bad && !slices.Contains(marked(want), rule):
		t.Errorf("no line is marked # want %s", rule)
	case good && len(want) > 0:
		t.Errorf("a good example is marked %v", want)
	}
}

// TestFastCompileFindsTheSame holds the compiler stages that the shipped rules skip to those that people's rules get.
func TestFastCompileFindsTheSame(t *testing.T) {
	t.Parallel()
	full, err := Load(os.DirFS(policyDir))
	if err != nil {
		t.Fatal(err)
	}
	fast := shipped(t)
	var files []*loader.File
	for _, name := range exampleFiles(t) {
		src, err := os.ReadFile(policyDir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		file, _ := loader.Parse(name, unmarked(name, src), loader.Options{Keep: facts.Keep(facts.Options{}), Keys: facts.DocumentKeys()})
		files = append(files, file)
	}
	subjects := facts.Collect(files, factsOptions())
	want, err := full.Check(t.Context(), files, subjects, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := fast.Check(t.Context(), files, subjects, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
		t.Errorf("findings (-full +fast):\n%s", diff)
	}
}

// lines renders a report for comparing: all that a person reads of it.
func lines(r *Report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s:%d:%d %s %s %v %s | %s | %v | %v | %s", f.File.Name, f.Span.Start.Line, f.Span.Start.Column,
			f.Severity, f.Rule, f.Likely, f.Message, f.Effect, f.Fixes, f.Path, f.Fingerprint))
	}
	return out
}

// TestFolders holds every rule's folder to its form.
func TestFolders(t *testing.T) {
	t.Parallel()
	set := shipped(t)
	for _, r := range set.Rules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			folder := r.Topic + "/" + strings.ReplaceAll(r.Name, "-", "_")
			entries, err := os.ReadDir(policyDir + "/" + folder)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
				if ok := slices.ContainsFunc(
					[]string{"rule.rego", "rule_test.rego", "bad.yaml", "good.yaml", "bad_*.yaml", "good_*.yaml", "*.service"},
					func(pattern string) bool { ok, err := path.Match(pattern, e.Name()); return ok && err == nil },
				); !ok {
					t.Errorf("%s/%s does not belong there", folder, e.Name())
				}
			}
			for _, must := range []string{"rule.rego", "rule_test.rego", "bad.yaml", "good.yaml"} {
				unit := strings.TrimSuffix(must, ".yaml") + ".service"
				if !slices.Contains(names, must) && !slices.Contains(names, unit) {
					t.Errorf("%s/%s is missing", folder, must)
				}
			}
			if strings.HasSuffix(r.Title, ".") || strings.Contains(r.Title, "\n") {
				t.Errorf("title %q: want one line without a full stop", r.Title)
			}
			if len(r.Links) == 0 {
				t.Error("no related_resources")
			}
		})
	}
}

// TestEveryRuleFolderIsLoaded finds rules that the loader would pass over: a folder without a rule.rego.
func TestEveryRuleFolderIsLoaded(t *testing.T) {
	t.Parallel()
	folders, err := fs.Glob(os.DirFS(policyDir), "*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range folders {
		if path.Dir(path.Dir(name)) == "data" {
			continue
		}
		if _, err := os.Stat(policyDir + "/" + path.Dir(name) + "/rule.rego"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
