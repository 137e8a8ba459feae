package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func docSet(t *testing.T) *Set {
	t.Helper()
	set, err := Load(ruleFS(t, map[string]string{
		"a/no_threshold/rule.rego": head("workload", "#   aliases: [thresholdless]\n") + `package policies.a.no_threshold

findings contains {"path": probe.path, "message": "no threshold"} if {
	some c in input.containers
	some probe in c.probes
}
`,
		"a/no_threshold/bad.yaml":  deployment(map[string]string{"probe": " # want no-threshold", "sideprobe": "  # want no-threshold other-rule"}),
		"a/no_threshold/good.yaml": "apiVersion: v1\nkind: Pod\n",
		"b/bare/rule.rego":         head("suppression", "") + "package policies.b.bare\n\nfindings contains 1\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestPageShowsTheToolsOwnOutput(t *testing.T) {
	t.Parallel()
	set := docSet(t)
	page, err := set.Page(t.Context(), "thresholdless", func(r *Report) string {
		var b strings.Builder
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "%s:%d: %s\n", f.File.Name, f.Span.Start.Line, f.Message)
		}
		return b.String()
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "# no-threshold\n\nA title.\n\n" +
		"| severity | since | looks at | fix |\n| --- | --- | --- | --- |\n| error | 0.1.0 | Deployment | shown, to be adapted by hand |\n\n" +
		"What happens\n\nAlso known as thresholdless.\n\n" +
		"## Avoid\n\n```yaml\n" + deployment(nil) + "```\n\nhclint says:\n\n" +
		"```text\nbad.yaml:16: no threshold\nbad.yaml:20: no threshold\n```\n\n" +
		"## Prefer\n\n```yaml\napiVersion: v1\nkind: Pod\n```\n\n" +
		"## Suppressing it\n\nOn the line of the finding, or alone on the line above it, the key or the list item that it stands in:\n\n" +
		"```yaml\n# hclint:ignore no-threshold -- why this is right here\n```\n\n" +
		"Or for the whole object, in its annotations:\n\n" +
		"```yaml\nmetadata:\n  annotations:\n    hclint.dev/ignore: no-threshold -- why this is right here\n```\n\n" +
		"## Links\n\n- [why](https://example.com/why)\n"
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func TestPageOfARuleWithoutExamplesIsShorter(t *testing.T) {
	t.Parallel()
	page, err := docSet(t).Page(t.Context(), "bare", func(*Report) string { return "unused" })
	if err != nil {
		t.Fatal(err)
	}
	want := "# bare\n\nA title.\n\n" +
		"| severity | since | looks at | fix |\n| --- | --- | --- | --- |\n| error | 0.1.0 | Deployment | shown, to be adapted by hand |\n\n" +
		"What happens\n\n## Suppressing it\n\n" +
		"Its findings cannot be ignored one by one. `hclint --disable bare` turns the rule off.\n\n" +
		"## Links\n\n- [why](https://example.com/why)\n"
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	if _, err := docSet(t).Page(t.Context(), "baer", nil); err == nil || err.Error() != `unknown rule "baer"` {
		t.Errorf("got %v", err)
	}
}

func TestIndexListsTheRulesByTopic(t *testing.T) {
	t.Parallel()
	want := "### a\n\n| rule | severity | finds |\n| --- | --- | --- |\n| [no-threshold](docs/no-threshold.md) | error | A title |\n\n" +
		"### b\n\n| rule | severity | finds |\n| --- | --- | --- |\n| [bare](docs/bare.md) | error | A title |\n"
	if diff := cmp.Diff(want, docSet(t).Index("docs/")); diff != "" {
		t.Errorf("index (-want +got):\n%s", diff)
	}
}

// TestEveryPageRenders makes the page of every shipped rule; a bad.yaml without findings would say nothing.
func TestEveryPageRenders(t *testing.T) {
	t.Parallel()
	set := shipped(t)
	for _, r := range set.Rules() {
		page, err := set.Page(t.Context(), r.Name, func(r *Report) string { return strings.Repeat("finding\n", len(r.Findings)) })
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(page, "# want ") {
			t.Errorf("%s: the page shows a mark", r.Name)
		}
	}
}
