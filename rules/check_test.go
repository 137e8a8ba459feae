package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// head is the METADATA of a test rule about subjects.
func head(subjects, extra string) string {
	return `# METADATA
# title: A title
# description: What happens
# related_resources:
# - ref: https://example.com/why
#   description: why
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [` + subjects + `]
#   kinds: [Deployment]
#   fix: display
` + extra
}

// ruleFS makes a tree with one rule for each pair of path (topic/rule_name) and Rego body.
func ruleFS(t *testing.T, rules map[string]string) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	for path, text := range rules {
		fsys[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// aRule is a whole rule.rego about workloads.
func aRule(path, body string) string {
	return head("workload", "") + "package policies." + strings.ReplaceAll(path, "/", ".") + "\n\n" + body + "\n"
}

func subjectsNamed(file *loader.File, names ...string) []facts.Subject {
	var out []facts.Subject
	for _, name := range names {
		out = append(out, facts.Subject{
			Kind: facts.SubjectWorkload, File: file,
			Span:  loader.Span{Start: loader.Pos{Line: len(out) + 1, Column: 1}, End: loader.Pos{Line: len(out) + 1, Column: 5}},
			Input: &facts.Workload{Subject: "workload", Kind: "Deployment", Name: name},
			Evidence: [][]reach.Step{
				{{Span: loader.Span{Start: loader.Pos{Line: 7}}, Text: "runs a"}},
				{{Span: loader.Span{Start: loader.Pos{Line: 7}}, Text: "runs a"}, {Span: loader.Span{Start: loader.Pos{Line: 8}}, Text: "asks b"}},
			},
		})
	}
	return out
}

func TestCheckFillsInEveryFieldOfAFinding(t *testing.T) {
	t.Parallel()
	const body = `findings contains {
	"path": ["spec", "replicas", 0],
	"message": sprintf("%s is here", [input.name]),
	"effect": "an effect",
	"evidence": [0, 1],
	"confidence": "likely",
	"container": "api",
	"fixes": [
		{"title": "say it"},
		{"title": "do it", "safety": "unsafe", "suggestion": {"spec": {"replicas": 2}, "kind": "Deployment"}},
	],
} if {
	input.kind == "Deployment"
}
`
	for _, trusted := range []bool{true, false} {
		set, err := load(ruleFS(t, map[string]string{"reach/a_rule/rule.rego": aRule("reach/a_rule", body)}), trusted)
		if err != nil {
			t.Fatal(err)
		}
		file := &loader.File{Name: "a.yaml"}
		got, err := set.Check(t.Context(), nil, subjectsNamed(file, "web"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		url := "https://example.com/why"
		if trusted {
			url = docsURL + "a-rule.md"
		}
		line := func(n int) loader.Span { return loader.Span{Start: loader.Pos{Line: n}} }
		want := &Report{Findings: []Finding{{
			Rule: "a-rule", Severity: Warning, Likely: true, Message: "web is here", File: file,
			Span:      loader.Span{Start: loader.Pos{Line: 1, Column: 1}, End: loader.Pos{Line: 1, Column: 5}},
			Path:      loader.Path{"spec", "replicas", 0},
			Container: "api",
			Trace:     []Step{{File: file, Span: line(7), Text: "runs a"}, {File: file, Span: line(8), Text: "asks b"}},
			Effect:    "an effect", Help: "A title", URL: url,
			Fixes: []Fix{
				{Title: "say it", Safety: Display},
				{Title: "do it", Safety: Unsafe, Suggestion: "kind: Deployment\nspec:\n  replicas: 2\n"},
			},
			Fingerprint: got.Findings[0].Fingerprint,
		}}}
		if diff := cmp.Diff(want, got, sameFile()); diff != "" {
			t.Errorf("trusted %v: report (-want +got):\n%s", trusted, diff)
		}
	}
}

func TestCheckRejectsABrokenFinding(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ finding, want string }{
		"no object":            {`"text"`, "a finding is no object"},
		"no path":              {`{"message": "m"}`, `no "path"`},
		"no message":           {`{"path": []}`, `no "message"`},
		"blank message":        {`{"path": [], "message": " "}`, `no "message"`},
		"path is a string":     {`{"path": "spec", "message": "m"}`, "path: no array"},
		"step is an object":    {`{"path": [{}], "message": "m"}`, "path: step {} is no string and no index"},
		"step is negative":     {`{"path": [-1], "message": "m"}`, "path: step -1 is no string and no index"},
		"message is a number":  {`{"path": [], "message": 1}`, "message: no string"},
		"unknown key":          {`{"path": [], "message": "m", "msg": "x"}`, `unknown key "msg"`},
		"unknown severity":     {`{"path": [], "message": "m", "severity": "fatal"}`, `severity "fatal": want error, warning or info`},
		"unknown confidence":   {`{"path": [], "message": "m", "confidence": "maybe"}`, `"maybe": want certain or likely`},
		"evidence beyond":      {`{"path": [], "message": "m", "evidence": [2]}`, "evidence: 2 is no index of a trace"},
		"evidence is a set":    {`{"path": [], "message": "m", "evidence": {0}}`, "evidence: no array"},
		"fix without title":    {`{"path": [], "message": "m", "fixes": [{}]}`, `fixes: no "title"`},
		"fix is a string":      {`{"path": [], "message": "m", "fixes": ["x"]}`, "fixes: a fix is no object"},
		"fix of unknown key":   {`{"path": [], "message": "m", "fixes": [{"title": "t", "edit": 1}]}`, `fixes: unknown key "edit"`},
		"fix of no safety":     {`{"path": [], "message": "m", "fixes": [{"title": "t", "safety": "sure"}]}`, `want safe, unsafe or display`},
		"container is a null":  {`{"path": [], "message": "m", "container": null}`, "container: no string"},
		"key that is a number": {`{"path": [], "message": "m", 1: 2}`, "key: no string"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := Load(ruleFS(t, map[string]string{
				"reach/a_rule/rule.rego": aRule("reach/a_rule", "findings contains "+tc.finding),
			}))
			if err != nil {
				t.Fatal(err)
			}
			_, err = set.Check(t.Context(), nil, subjectsNamed(&loader.File{Name: "a.yaml"}, "web"), Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "rule a-rule") {
				t.Errorf("got %v, want an error of rule a-rule with %q", err, tc.want)
			}
		})
	}
}

func TestCheckRejectsAPolicyThatDoesNotCompile(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ body, want string }{
		"misspelt fact":   {`findings contains {"path": [], "message": "m"} if input.contianers[_].name == "x"`, "undefined ref: input.contianers"},
		"misspelt deep":   {`findings contains {"path": [], "message": "m"} if input.containers[_].label == "x"`, "undefined ref: input.containers"},
		"wrong type":      {`findings contains {"path": [], "message": "m"} if startswith(input.replicas.value, "x")`, "rego_type_error"},
		"network":         {`findings contains {"path": [], "message": "m"} if http.send({"url": "x", "method": "get"})`, "undefined function http.send"},
		"clock":           {`findings contains {"path": [], "message": "m"} if time.now_ns() > 1`, "undefined function time.now_ns"},
		"randomness":      {`findings contains {"path": [], "message": "m"} if rand.intn("x", 2) > 1`, "undefined function rand.intn"},
		"look-up":         {`findings contains {"path": [], "message": "m"} if net.lookup_ip_addr("x") == {"x"}`, "undefined function net.lookup_ip_addr"},
		"process":         {`findings contains {"path": [], "message": "m"} if opa.runtime().env.HOME`, "undefined function opa.runtime"},
		"unused variable": {`findings contains {"path": [], "message": "m"} if x := 1`, "assigned var x unused"},
		"unused import":   {"import data.policies.lib\nfindings contains {\"path\": [], \"message\": \"m\"}", "import data.policies.lib unused"},
		"syntax":          {`findings contains {`, "rego_parse_error"},
		"no findings":     {`deny contains "x"`, `no rule "findings contains`},
		"no set":          {`findings := 1`, `"findings" is not a set`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := Load(ruleFS(t, map[string]string{"reach/a_rule/rule.rego": aRule("reach/a_rule", tc.body)}))
			if err != nil {
				t.Fatal(err)
			}
			_, err = set.Check(t.Context(), nil, subjectsNamed(&loader.File{Name: "a.yaml"}, "web"), Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

func TestCheckReportsABuiltinError(t *testing.T) {
	t.Parallel()
	const body = `findings contains {"path": [], "message": "m"} if to_number(input.name) > 1`
	for _, trusted := range []bool{true, false} {
		set, err := load(ruleFS(t, map[string]string{"reach/a_rule/rule.rego": aRule("reach/a_rule", body)}), trusted)
		if err != nil {
			t.Fatal(err)
		}
		_, err = set.Check(t.Context(), nil, subjectsNamed(&loader.File{Name: "a.yaml"}, "web"), Options{})
		if err == nil || !strings.Contains(err.Error(), "to_number") {
			t.Errorf("trusted %v: got %v, want the error of to_number", trusted, err)
		}
	}
}

func TestCheckStopsWhenTheContextIsOver(t *testing.T) {
	t.Parallel()
	const body = `findings contains {"path": [], "message": "m"} if {
	some x in numbers.range(1, 10000)
	some y in numbers.range(1, 10000)
	x * y == -1
}`
	set, err := Load(ruleFS(t, map[string]string{"reach/a_rule/rule.rego": aRule("reach/a_rule", body)}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = set.Check(cancelled(t), nil, subjectsNamed(&loader.File{Name: "a.yaml"}, "web"), Options{})
	if !errors.Is(err, cancelled(t).Err()) {
		t.Errorf("got %v, want %v", err, cancelled(t).Err())
	}
}

func TestFindingsComeInOneOrderWhateverTheWorkers(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprint("w", i))
	}
	subjects := subjectsNamed(&loader.File{Name: "a.yaml"}, names...)
	want, err := twoRules(t).Check(t.Context(), nil, subjects, Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(want.Findings, Finding.Compare) || len(want.Findings) != 100 {
		t.Errorf("%d findings, sorted %v", len(want.Findings), slices.IsSortedFunc(want.Findings, Finding.Compare))
	}
	slices.Reverse(subjects)
	got, err := twoRules(t).Check(t.Context(), nil, subjects, Options{Jobs: 8})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, sameFile()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestOnlyRulesOfTheKindsThatOccurCompile(t *testing.T) {
	t.Parallel()
	set, err := Load(ruleFS(t, map[string]string{
		"a/one/rule.rego": aRule("a/one", `findings contains {"path": [], "message": "one"}`),
		"a/two/rule.rego": head("pdb", "") + "package policies.a.two\n\nthis is no Rego",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Check(t.Context(), nil, subjectsNamed(&loader.File{Name: "a.yaml"}, "web"), Options{}); err != nil {
		t.Error(err)
	}
}

func fileNamed(name string) *loader.File { return &loader.File{Name: name} }

// sameFile compares files by identity: what is inside is the loader's matter.
func sameFile() cmp.Option { return cmp.Comparer(func(a, b *loader.File) bool { return a == b }) }

func TestTheRawObjectIsThereForRulesThatMentionIt(t *testing.T) {
	t.Parallel()
	const src = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\nspec:\n  paused: yes\n  replicas: 3\n" +
		"  template:\n    spec:\n      containers:\n      - name: app\n        image: app\n"
	mention := `findings contains {"path": ["spec", "paused"], "message": sprintf("%v %v", [input.object.spec.replicas, input.name])} if {
	input.object.spec.paused == true
}`
	set, err := Load(ruleFS(t, map[string]string{
		"a/raw/rule.rego":  aRule("a/raw", mention),
		"b/walk/rule.rego": head("workload", "") + "package policies.b.walk\n\nfindings contains {\"path\": [], \"message\": \"whole\"} if {\n\tobject.get(input, \"object\", 1) != 1\n}\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	files, subjects := collect("a.yaml", []byte(src))
	report, err := set.Check(t.Context(), files, subjects, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, fmt.Sprintf("%d:%d %s %s", f.Span.Start.Line, f.Span.Start.Column, f.Path, f.Message))
	}
	if diff := cmp.Diff([]string{"2:1  whole", "6:3 /spec/paused 3 api"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestAnErrorIsTheSameWhicheverWorkerMeetsOneFirst(t *testing.T) {
	t.Parallel()
	const body = `findings contains {"path": [], "message": input.name, "odd": 1}`
	set, err := Load(ruleFS(t, map[string]string{"a/one/rule.rego": aRule("a/one", body)}))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprint("w", i))
	}
	subjects := subjectsNamed(fileNamed("a.yaml"), names...)
	for range 20 {
		_, err := set.Check(t.Context(), nil, subjects, Options{Jobs: 8})
		if want := `policy, on workload in a.yaml: rule one: unknown key "odd" in {"message": "w0", "odd": 1, "path": []}`; err == nil || err.Error() != want {
			t.Fatalf("got %v, want %s", err, want)
		}
	}
}
