package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLoadReadsMetadata(t *testing.T) {
	t.Parallel()
	const text = `# METADATA
# title: A title
# description: |
#   First line
#   second line.
#
#   Another paragraph: with a colon.
# related_resources:
# - ref: https://example.com/a
#   description: about a
# - https://example.com/b
# custom:
#   severity: warning
#   since: 0.2.0
#   subjects: [workload, pdb]
#   kinds: [Deployment, Pod]
#   aliases: [old-name]
#   fix: unsafe
package policies.some_topic.a_rule # why not

findings contains 1
`
	set, err := Load(ruleFS(t, map[string]string{
		"some_topic/a_rule/rule.rego": text,
		"lib/lib.rego":                "package policies.lib\n",
		"lib/lib_test.rego":           "package policies.lib_test\n",
		"some_topic/a_rule/bad.yaml":  "a: b\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{{
		Name: "a-rule", Topic: "some_topic", Title: "A title", Severity: Warning, Since: "0.2.0", Fix: "unsafe",
		Description: "First line\nsecond line.\n\nAnother paragraph: with a colon.",
		Subjects:    []string{"workload", "pdb"}, Kinds: []string{"Deployment", "Pod"}, Aliases: []string{"old-name"},
		Links: []Link{{Ref: "https://example.com/a", Description: "about a"}, {Ref: "https://example.com/b"}},
		URL:   "https://example.com/a",
	}}
	if diff := cmp.Diff(want, set.Rules()); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

func TestLoadRejectsABrokenRule(t *testing.T) {
	t.Parallel()
	good := aRule("a/one", "findings contains 1")
	for name, tc := range map[string]struct {
		path, text, want string
	}{
		"other package":      {"a/two/rule.rego", good, `package "policies.a.one": the folder asks for policies.a.two`},
		"no package":         {"a/one/rule.rego", head("workload", ""), `package ""`},
		"hyphen in folder":   {"a/on-e/rule.rego", good, `folder "on-e": want lower-case words joined by _`},
		"capital in topic":   {"A/one/rule.rego", good, `folder "A"`},
		"no metadata":        {"a/one/rule.rego", "package policies.a.one\n", "no METADATA block stands above the package"},
		"metadata below":     {"a/one/rule.rego", "package policies.a.one\n" + head("workload", ""), "no METADATA block stands above the package"},
		"empty file":         {"a/one/rule.rego", "", `package ""`},
		"unknown custom key": {"a/one/rule.rego", strings.Replace(good, "#   since", "#   from", 1), "from"},
		"unknown key":        {"a/one/rule.rego", strings.Replace(good, "# title", "# titel", 1), "titel"},
		"broken YAML":        {"a/one/rule.rego", strings.Replace(good, "# title: A", "# title: [A", 1), "METADATA"},
		"no title":           {"a/one/rule.rego", strings.Replace(good, "# title: A title\n", "", 1), "title is missing"},
		"no description":     {"a/one/rule.rego", strings.Replace(good, "# description: What happens\n", "", 1), "description is missing"},
		"no severity":        {"a/one/rule.rego", strings.Replace(good, "#   severity: error\n", "", 1), "custom.severity is missing"},
		"odd severity":       {"a/one/rule.rego", strings.Replace(good, "severity: error", "severity: fatal", 1), `severity "fatal": want error, warning or info`},
		"no since":           {"a/one/rule.rego", strings.Replace(good, "#   since: 0.1.0\n", "", 1), "custom.since is missing"},
		"no subjects":        {"a/one/rule.rego", strings.Replace(good, "[workload]", "[]", 1), "custom.subjects is missing"},
		"odd subject":        {"a/one/rule.rego", strings.Replace(good, "[workload]", "[pod]", 1), `custom.subjects: "pod" is not one of workload, pdb`},
		"no kinds":           {"a/one/rule.rego", strings.Replace(good, "[Deployment]", "[]", 1), "custom.kinds is missing"},
		"odd fix":            {"a/one/rule.rego", strings.Replace(good, "fix: display", "fix: maybe", 1), `custom.fix "maybe": want one of none, display, safe, unsafe`},
		"scope":              {"a/one/rule.rego", strings.Replace(good, "# title", "# scope: rule\n# title", 1), `scope "rule"`},
		"lib elsewhere":      {"lib/a.rego", "package other\n", `package "other": want policies.lib or a package below it`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(ruleFS(t, map[string]string{tc.path: tc.text}))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), tc.path) {
				t.Errorf("got %v, want an error of %s with %q", err, tc.path, tc.want)
			}
		})
	}
}

func TestARuleNameMeansOneRule(t *testing.T) {
	t.Parallel()
	one := head("workload", "#   aliases: [two]\n") + "package policies.a.one\n\nfindings contains 1\n"
	_, err := Load(ruleFS(t, map[string]string{
		"a/one/rule.rego": one,
		"b/two/rule.rego": aRule("b/two", "findings contains 1"),
	}))
	if want := `rule b/two: the name "two" belongs to a/one`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestUnknownRulesAreAnsweredWithTheNearestName(t *testing.T) {
	t.Parallel()
	set, err := Load(ruleFS(t, map[string]string{
		"a/pdb_missing/rule.rego": head("workload", "#   aliases: [no-budget]\n") + "package policies.a.pdb_missing\n\nfindings contains 1\n",
		"a/pdb_overlap/rule.rego": aRule("a/pdb_overlap", "findings contains 1"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"pdb-mising":      `unknown rule "pdb-mising", did you mean "pdb-missing"`,
		"pdb_missing":     `unknown rule "pdb_missing", did you mean "pdb-missing"`,
		"PDB-Overlap":     `unknown rule "PDB-Overlap", did you mean "pdb-overlap"`,
		"no-budgte":       `unknown rule "no-budgte", did you mean "no-budget"`,
		"something-else":  `unknown rule "something-else"`,
		"":                `unknown rule ""`,
		"p":               `unknown rule "p"`,
		"liveness-remote": `unknown rule "liveness-remote"`,
	} {
		if _, err := set.Rule(name); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
	if got, err := set.Rule("no-budget"); err != nil || got.Name != "pdb-missing" {
		t.Errorf("alias: got %q, %v", got.Name, err)
	}
}

func TestRulesOfAPersonCanUseTheShippedLib(t *testing.T) {
	t.Parallel()
	shippedFS := ruleFS(t, map[string]string{
		"lib/lib.rego":    "package policies.lib\n\nword := \"shipped\"\n",
		"a/one/rule.rego": aRule("a/one", `findings contains {"path": [], "message": "one"}`),
	})
	own := ruleFS(t, map[string]string{
		"lib/own.rego": "package policies.lib.own\n\nword := \"own\"\n",
		"mine/it/rule.rego": aRule("mine/it", "import data.policies.lib\nimport data.policies.lib.own\n\n"+
			`findings contains {"path": [], "message": concat(" ", [lib.word, own.word])}`),
	})
	first, err := LoadTrusted(shippedFS)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Load(own)
	if err != nil {
		t.Fatal(err)
	}
	both, err := first.With(second)
	if err != nil {
		t.Fatal(err)
	}
	report, err := both.Check(t.Context(), nil, subjectsNamed(fileNamed("a.yaml"), "web"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.Rule+": "+f.Message)
	}
	if diff := cmp.Diff([]string{"it: shipped own", "one: one"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if _, err := both.With(second); err == nil {
		t.Error("a rule came in twice")
	}
}

func TestQuickRuleAgrees(t *testing.T) {
	t.Parallel()
	set := shipped(t)
	for _, quick := range set.rules {
		whole := set.whole(quick)
		if whole.Description == "" || len(whole.Links) == 0 {
			t.Errorf("%s: not all of METADATA was read", quick.Name)
		}
		want := Rule{
			Name: whole.Name, Topic: whole.Topic, Title: whole.Title, Severity: whole.Severity, Subjects: whole.Subjects,
			Needs: whole.Needs, Aliases: whole.Aliases, URL: whole.URL,
		}
		if len(want.Aliases) == 0 {
			want.Aliases = quick.Aliases
		}
		if diff := cmp.Diff(want, quick); diff != "" {
			t.Errorf("%s: rule (-whole +quick):\n%s", quick.Name, diff)
		}
	}
}

func TestQuickRuleLeavesWhatIsNotPlainToTheParser(t *testing.T) {
	t.Parallel()
	good := aRule("a/one", "findings contains 1")
	if _, ok := quickRule("a/one/rule.rego", []byte(good)); !ok {
		t.Error("the plain form is not read")
	}
	for old, odd := range map[string]string{
		"title: A title":       "title: \"A title\"",
		"# title: A title":     "# title: |\n#   A title",
		"A title":              "A title # with a comment",
		"[workload]":           "[\"workload\"]",
		"subjects: [workload]": "subjects:\n#   - workload",
		"severity: error":      "severity: 'error'",
	} {
		if got, ok := quickRule("a/one/rule.rego", []byte(strings.Replace(good, old, odd, 1))); ok {
			t.Errorf("%s: read as %+v", odd, got)
		}
		set, err := LoadTrusted(ruleFS(t, map[string]string{"a/one/rule.rego": strings.Replace(good, old, odd, 1)}))
		if err != nil {
			t.Fatal(err)
		}
		if got := set.rules[0]; got.Title != "A title" || got.Severity != Error || cmp.Diff([]string{"workload"}, got.Subjects) != "" {
			t.Errorf("%s: read as %+v", odd, got)
		}
	}
}

func TestCommentsAreBlankedButNotInRawStrings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# METADATA\n# a: b\npackage x\n\n\t# why\na := 1 # stays\n": "\n\npackage x\n\n\na := 1 # stays\n",
		"# METADATA\npackage x\n\na := `\n# text\n`\n":               "\npackage x\n\na := `\n# text\n`\n",
		"": "",
	} {
		if diff := cmp.Diff(want, string(withoutComments([]byte(text)))); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
	}
}
