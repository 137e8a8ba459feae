package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/loader"
)

// twoRules say "one" and "two" about every workload; one has the alias "uno".
func twoRules(t *testing.T) *Set {
	t.Helper()
	set, err := Load(ruleFS(t, map[string]string{
		"a/one/rule.rego": head("workload", "#   aliases: [uno]\n") + "package policies.a.one\n\nfindings contains {\"path\": [], \"message\": \"one\"}\n",
		"a/two/rule.rego": head("workload, pdb", "") + "package policies.a.two\n\nfindings contains {\"path\": [], \"message\": \"two\"}\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestOptionsChooseRulesAndSeverities(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		opt  Options
		want []string
	}{
		"nothing said":              {Options{}, []string{"one error", "two error"}},
		"enabled by name":           {Options{Enable: []string{"two"}}, []string{"two error"}},
		"enabled by alias":          {Options{Enable: []string{"uno"}}, []string{"one error"}},
		"disabled":                  {Options{Disable: []string{"uno"}}, []string{"two error"}},
		"disabled wins":             {Options{Enable: []string{"one", "two"}, Disable: []string{"two"}}, []string{"one error"}},
		"severity by alias":         {Options{Severity: map[string]Severity{"uno": Info}}, []string{"one info", "two error"}},
		"one worker":                {Options{Jobs: 1}, []string{"one error", "two error"}},
		"more workers than objects": {Options{Jobs: 64}, []string{"one error", "two error"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := twoRules(t).Check(t.Context(), nil, subjectsNamed(&loader.File{Name: "a.yaml"}, "web"), tc.opt)
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, f := range got.Findings {
				said = append(said, f.Message+" "+f.Severity.String())
			}
			if diff := cmp.Diff(tc.want, said); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOptionsThatNameAnUnknownRuleAreAnError(t *testing.T) {
	t.Parallel()
	for _, opt := range []Options{
		{Enable: []string{"tow"}}, {Disable: []string{"tow"}}, {Severity: map[string]Severity{"tow": Info}},
	} {
		_, err := twoRules(t).Check(t.Context(), nil, nil, opt)
		if want := `unknown rule "tow"`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
