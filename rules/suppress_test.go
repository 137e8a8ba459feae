package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// suppressionRules find: "probe" every liveness probe, "whole" every workload as a whole, "absent" every container
// (something it lacks), and report what is wrong with suppressions.
func suppressionRules(t *testing.T) *Set {
	t.Helper()
	about := func(subjects, path, body string) string {
		return head(subjects, "") + "package policies." + path + "\n\n" + body + "\n"
	}
	set, err := Load(ruleFS(t, map[string]string{
		"t/probe/rule.rego": about("workload", "t.probe", `findings contains {"path": probe.path, "message": "probe", "container": c.name} if {
	some c in input.containers
	some probe in c.probes
}`),
		"t/whole/rule.rego": about("workload", "t.whole", `findings contains {"path": [], "message": input.name}`),
		"t/absent/rule.rego": about("workload", "t.absent", `findings contains {"path": array.concat(c.path, ["readinessProbe"]), "message": "absent", "container": c.name} if {
	some c in input.containers
}`),
		"t/budget/rule.rego":     about("pdb", "t.budget", `findings contains {"path": [], "message": "budget"}`),
		"t/bad_notes/rule.rego":  about("suppression", "t.bad_notes", `findings contains {"path": [], "message": input.message} if input.state == "invalid"`),
		"t/idle_notes/rule.rego": about("suppression", "t.idle_notes", `findings contains {"path": [], "message": input.rule} if input.state == "unused"`),
	}))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// deployment has two containers; what stands between the lines comes from notes, by name.
func deployment(notes map[string]string) string {
	out := strings.TrimLeft(`
%above%
apiVersion: apps/v1%first%
kind: Deployment%kind%
metadata:
  name: api
  annotations:
    team: shop%annotations%
spec:
  template:
    metadata:
      annotations:
        team: shop%pod%
    spec:
      containers:
        %aboveitem%
        - name: app%item%
          image: app
          %aboveprobe%
          livenessProbe:%probe%
            %inprobe%
            tcpSocket: {port: 80}%handler%
        - name: side
          image: side
          livenessProbe:%sideprobe%
            tcpSocket: {port: 81}
%end%
`, "\n")
	for key, text := range notes {
		out = strings.ReplaceAll(out, "%"+key+"%", text)
	}
	var kept []string
	for line := range strings.SplitSeq(out, "\n") {
		for {
			before, rest, ok := strings.Cut(line, "%")
			if !ok {
				break
			}
			_, after, _ := strings.Cut(rest, "%")
			line = before + after
		}
		if strings.TrimSpace(line) != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n") + "\n"
}

// outcome runs the suppression rules and renders each finding: rule, container, and the reason when suppressed.
func outcome(t *testing.T, src string, opt Options) []string {
	t.Helper()
	file, _ := loader.Parse("a.yaml", []byte(src), loader.Options{})
	files := []*loader.File{file}
	report, err := suppressionRules(t).Check(t.Context(), files, facts.Collect(files, facts.Options{}), opt)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range report.Findings {
		line := f.Rule
		switch {
		case f.Rule == "bad-notes" || f.Rule == "idle-notes":
			line = fmt.Sprintf("%s:%d %s", f.Rule, f.Span.Start.Line, f.Message)
		case f.Container != "":
			line += " " + f.Container
		}
		if f.Suppressed != nil {
			line += fmt.Sprintf(" (%s: %s)", f.Suppressed.Source, f.Suppressed.Reason)
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func TestDirectivesSuppressWhatTheyCover(t *testing.T) {
	t.Parallel()
	all := []string{"absent app", "absent side", "probe app", "probe side", "whole"}
	// with returns all findings with some replaced, and more added.
	with := func(changes ...string) []string {
		out := slices.Clone(all)
		for _, c := range changes {
			before, after, replaces := strings.Cut(c, " => ")
			if i := slices.Index(out, before); replaces && i >= 0 {
				out[i] = after
				continue
			}
			out = append(out, c)
		}
		slices.Sort(out)
		return out
	}
	for name, tc := range map[string]struct {
		notes map[string]string
		want  []string
	}{
		"nothing is said":               {nil, all},
		"at the end of the line":        {map[string]string{"probe": " # hclint:ignore probe -- r"}, with("probe app => probe app (comment: r)")},
		"alone on the line above":       {map[string]string{"aboveprobe": "# hclint:ignore probe -- r"}, with("probe app => probe app (comment: r)")},
		"in a block of comments above":  {map[string]string{"aboveprobe": "# hclint:ignore probe -- r\n          # more words"}, with("probe app => probe app (comment: r)")},
		"a block with a blank line":     {map[string]string{"aboveprobe": "# hclint:ignore probe -- r\n\n          # more words"}, with("probe app => probe app (comment: r)")},
		"two directives in one block":   {map[string]string{"aboveprobe": "# hclint:ignore probe -- r\n          # hclint:ignore probe -- s"}, with("probe app => probe app (comment: r)", "idle-notes:17 probe")},
		"above the list item":           {map[string]string{"aboveitem": "# hclint:ignore probe, absent -- r"}, with("probe app => probe app (comment: r)", "absent app => absent app (comment: r)")},
		"on the list item":              {map[string]string{"item": " # hclint:ignore absent probe -- r"}, with("probe app => probe app (comment: r)", "absent app => absent app (comment: r)")},
		"above the object":              {map[string]string{"above": "# hclint:ignore probe -- r"}, with("probe app => probe app (comment: r)", "probe side => probe side (comment: r)")},
		"above the first marker":        {map[string]string{"above": "# hclint:ignore whole -- r\n---"}, with("whole => whole (comment: r)")},
		"on the first line":             {map[string]string{"first": " # hclint:ignore absent -- r"}, with("absent app => absent app (comment: r)", "absent side => absent side (comment: r)")},
		"on the kind":                   {map[string]string{"kind": " # hclint:ignore whole -- r"}, with("whole => whole (comment: r)")},
		"below the line is too late":    {map[string]string{"inprobe": "# hclint:ignore probe -- r"}, with("idle-notes:17 probe")},
		"inside is too deep":            {map[string]string{"handler": " # hclint:ignore probe -- r"}, with("idle-notes:17 probe")},
		"another rule of the same line": {map[string]string{"probe": " # hclint:ignore whole -- r"}, with("idle-notes:16 whole")},
		"at the end of the file":        {map[string]string{"end": "# hclint:ignore probe -- r"}, with("idle-notes:22 probe")},
		"the nearest counts": {
			map[string]string{"above": "# hclint:ignore probe -- far", "probe": " # hclint:ignore probe -- near"},
			with("probe app => probe app (comment: near)", "probe side => probe side (comment: far)"),
		},
		"a far one that is not needed": {
			map[string]string{"aboveitem": "# hclint:ignore probe -- far", "probe": " # hclint:ignore probe -- near"},
			with("probe app => probe app (comment: near)", "idle-notes:14 probe"),
		},
		"annotation":                   {map[string]string{"annotations": "\n    hclint.dev/ignore: probe -- r"}, with("probe app => probe app (annotation: r)", "probe side => probe side (annotation: r)")},
		"annotation of the pod":        {map[string]string{"pod": "\n        hclint.dev/ignore: whole -- r"}, with("whole => whole (annotation: r)")},
		"annotation for one container": {map[string]string{"annotations": "\n    hclint.dev/ignore.side: probe -- r"}, with("probe side => probe side (annotation: r)")},
		"annotation with two entries":  {map[string]string{"annotations": "\n    hclint.dev/ignore: probe,absent -- r; or s; whole -- t"}, []string{"absent app (annotation: r; or s)", "absent side (annotation: r; or s)", "probe app (annotation: r; or s)", "probe side (annotation: r; or s)", "whole (annotation: t)"}},
		"annotation over lines":        {map[string]string{"annotations": "\n    hclint.dev/ignore: |\n      probe -- r\n      whole -- t"}, with("probe app => probe app (annotation: r)", "probe side => probe side (annotation: r)", "whole => whole (annotation: t)")},
		"annotation before container":  {map[string]string{"annotations": "\n    hclint.dev/ignore: probe -- all\n    hclint.dev/ignore.app: probe -- one"}, with("probe app => probe app (annotation: one)", "probe side => probe side (annotation: all)")},
		"annotation not needed":        {map[string]string{"annotations": "\n    hclint.dev/ignore: budget -- r"}, all},
		"rule that had nothing to do":  {map[string]string{"probe": " # hclint:ignore budget -- r"}, all},
		"text in a value":              {map[string]string{"annotations": "\n    note: '# hclint:ignore probe -- r'"}, all},
		"prose about hclint":           {map[string]string{"probe": " # hclint found this fine"}, all},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcome(t, deployment(tc.notes), Options{})); diff != "" {
				t.Errorf("findings (-want +got):\n%s\nof\n%s", diff, deployment(tc.notes))
			}
		})
	}
}

func TestMalformedDirectivesAreFindings(t *testing.T) {
	t.Parallel()
	for note, want := range map[string]string{
		"# hclint:ignore probe":                    "no reason is given for ignoring probe, want hclint:ignore RULE -- reason",
		"# hclint:ignore probe --":                 "no reason is given for ignoring probe, want hclint:ignore RULE -- reason",
		"# hclint:ignore":                          "no rule is named, want hclint:ignore RULE -- reason",
		"# hclint:ignore -- because":               "no rule is named, want hclint:ignore RULE -- reason",
		"# hclint:ignore prode -- r":               `unknown rule "prode", did you mean "probe"`,
		"# hclint:ignore all -- r":                 `unknown rule "all"`,
		"# hclint:ignore bad-notes -- r":           "findings of bad-notes cannot be ignored",
		"# hclint:ignroe probe -- r":               `unknown directive "hclint:ignroe", want hclint:ignore RULE -- reason`,
		"# hclint: ignore probe -- r":              `unknown directive "hclint:", want hclint:ignore RULE -- reason`,
		"# hclint:ignore-file probe -- r":          `unknown directive "hclint:ignore-file", want hclint:ignore RULE -- reason`,
		"# hclint:ignore[probe] -- r":              `unknown directive "hclint:ignore[probe]", want hclint:ignore RULE -- reason`,
		"# hclint-ignore probe -- r":               `unknown directive "hclint-ignore", want hclint:ignore RULE -- reason`,
		"# hclint ignore probe -- r":               `unknown directive "hclint", want hclint:ignore RULE -- reason`,
		"# hclint:ignore probe \u2014 r s":         "no reason is given for ignoring probe, want hclint:ignore RULE -- reason",
		"# hclint:ignore probe \u2013 r":           "no reason is given for ignoring probe, want hclint:ignore RULE -- reason",
		"# hclint:ignore probe - r":                "no reason is given for ignoring probe, want hclint:ignore RULE -- reason",
		"# hclint:ignore probe: r":                 "no reason is given for ignoring probe, want hclint:ignore RULE -- reason",
		"# hclint:ignore probe # and another note": "no reason is given for ignoring probe, want hclint:ignore RULE -- reason",
	} {
		got := outcome(t, deployment(map[string]string{"probe": " " + note}), Options{})
		if diff := cmp.Diff([]string{"absent app", "absent side", "bad-notes:16 " + want, "probe app", "probe side", "whole"}, got); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", note, diff)
		}
	}
	for note, want := range map[string]string{
		`hclint.dev/ignore: probe`:            `no reason is given for ignoring probe, want "RULE -- reason"`,
		`hclint.dev/ignore: ""`:               `no rule is named, want "RULE -- reason"`,
		`hclint.dev/ignore: true`:             `annotation "hclint.dev/ignore" is not a string, want "RULE -- reason"`,
		`hclint.dev/ignore: [probe]`:          `annotation "hclint.dev/ignore" is not a string, want "RULE -- reason"`,
		`hclint.dev/ignored: probe -- r`:      `unknown annotation "hclint.dev/ignored", want hclint.dev/ignore or hclint.dev/ignore.CONTAINER`,
		`hclint.dev/ignore.ap: probe -- r`:    `annotation "hclint.dev/ignore.ap": no container is named "ap"`,
		`hclint.dev/ignore.: probe -- r`:      `annotation "hclint.dev/ignore.": no container is named ""`,
		`hclint.dev/ignore: prode -- r`:       `unknown rule "prode", did you mean "probe"`,
		`hclint.dev/ignore: probe -- r; who`:  ``,
		`hclint.dev/ignore: idle-notes -- r`:  "findings of idle-notes cannot be ignored",
		`hclint.dev/ignore.app: whole; probe`: `no reason is given for ignoring whole, want "RULE -- reason"`,
	} {
		got := slices.DeleteFunc(outcome(t, deployment(map[string]string{"annotations": "\n    " + note}), Options{}), func(s string) bool {
			return !strings.HasPrefix(s, "bad-notes")
		})
		switch {
		case want == "" && len(got) > 0:
			t.Errorf("%s: got %q, want nothing", note, got)
		case want != "" && !slices.Contains(got, "bad-notes:7 "+want):
			t.Errorf("%s: got %q, want %q", note, got, want)
		}
	}
}

func TestInlineIgnoresCanBeForbidden(t *testing.T) {
	t.Parallel()
	src := deployment(map[string]string{
		"probe": " # hclint:ignore probe -- r", "item": " # hclint:ignore prode", "annotations": "\n    hclint.dev/ignore: whole -- r",
	})
	want := []string{"absent app", "absent side", "probe app", "probe side", "whole"}
	if diff := cmp.Diff(want, outcome(t, src, Options{NoInlineIgnores: true})); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestADisabledRuleIsNotMissedByItsDirective(t *testing.T) {
	t.Parallel()
	src := deployment(map[string]string{"probe": " # hclint:ignore probe -- r"})
	want := []string{"absent app", "absent side", "whole"}
	if diff := cmp.Diff(want, outcome(t, src, Options{Disable: []string{"probe"}})); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestNothingIsUnusedInAFileThatIsPartlyBroken(t *testing.T) {
	t.Parallel()
	src := deployment(map[string]string{"handler": " # hclint:ignore probe -- r"}) + "---\napiVersion: v1\nkind: Pod\nspec: [\n"
	for _, line := range outcome(t, src, Options{}) {
		if strings.HasPrefix(line, "idle-notes") {
			t.Errorf("got %s", line)
		}
	}
}

func FuzzDirective(f *testing.F) {
	for _, s := range []string{"probe -- r", "probe,whole -- r; s", "", "--", "a\nb -- c", "probe--r", "; ;"} {
		f.Add(s)
	}
	set := &Set{rules: []Rule{{Name: "probe"}, {Name: "whole"}}}
	if err := set.index(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ds := &directives{set: set}
		for _, entry := range ds.entries(text) {
			ds.add(directive{}, entry)
		}
		if len(ds.all)+len(ds.wrong) == 0 {
			t.Errorf("%q is neither used nor complained about", text)
		}
		for _, d := range ds.all {
			if strings.TrimSpace(d.Reason) == "" {
				t.Errorf("%q suppresses %s without a reason", text, d.rule)
			}
		}
	})
}
