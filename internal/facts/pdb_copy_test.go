package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// counted is what copies leave of a budget.
type counted struct {
	Expected  facts.Count
	Workloads []string
	Overlaps  int
}

func TestCopiesOfAnObjectCountOnce(t *testing.T) {
	t.Parallel()
	of := func(n int) facts.Count { return facts.Count{Known: true, Value: n, From: "replicas"} }
	three, four := deployment("api", "replicas: 3", ""), deployment("api", "replicas: 4", "")
	limit := budget("b", selecting("app: api"))
	for name, tc := range map[string]struct {
		files map[string]string
		want  counted
	}{
		"of a Deployment": {
			map[string]string{"all/a.yaml": three, "all/b.yaml": three, "pdb/a.yaml": limit},
			counted{Expected: of(3), Workloads: []string{"Deployment api scale"}},
		},
		"with other replicas": {
			map[string]string{"all/a.yaml": three, "all/b.yaml": four, "pdb/a.yaml": limit},
			counted{Workloads: []string{"Deployment api unknown"}},
		},
		"either one kind or another": {
			map[string]string{"all/a.yaml": three, "all/b.yaml": daemon("api"), "pdb/a.yaml": limit},
			counted{Workloads: []string{"Deployment api unknown", "DaemonSet api unknown"}},
		},
		"of the budget, one of which meets another budget": {
			map[string]string{"all/a.yaml": three + limit, "all/b.yaml": limit, "all/c.yaml": budget("c", selecting("app: api"))},
			counted{Expected: of(3), Workloads: []string{"Deployment api scale"}},
		},
		"of the budget, beside the workload": {
			map[string]string{"all/a.yaml": limit, "all/b.yaml": limit, "all/c.yaml": three},
			counted{Workloads: []string{"Deployment api unknown"}},
		},
		"of the budget, each with its workload": {
			map[string]string{"all/a.yaml": three + limit, "all/b.yaml": four + limit},
			counted{Expected: of(3), Workloads: []string{"Deployment api scale"}},
		},
		"of none of them": {
			map[string]string{"all/a.yaml": three + limit, "all/c.yaml": budget("c", selecting("app: api"))},
			counted{Expected: of(3), Workloads: []string{"Deployment api scale"}, Overlaps: 1},
		},
		"of another environment": {
			map[string]string{"all/a.yaml": three + limit, "all/c.yaml": budget("c", selecting("app: api")), "prod/b.yaml": limit},
			counted{Expected: of(3), Workloads: []string{"Deployment api scale"}, Overlaps: 1},
		},
	} {
		var order []string
		for _, file := range []string{"all/a.yaml", "all/b.yaml", "all/c.yaml", "pdb/a.yaml", "prod/b.yaml"} {
			if _, ok := tc.files[file]; ok {
				order = append(order, file)
			}
		}
		var got counted
		for _, s := range collect(t, tc.files, order...) {
			p, ok := s.Input.(*facts.PDB)
			if !ok || p.Name != "b" || strings.HasPrefix(s.File.Name, "prod/") || got.Workloads != nil {
				continue
			}
			got.Expected, got.Overlaps = p.Expected, len(p.Overlaps)
			for _, w := range p.Workloads {
				got.Workloads = append(got.Workloads, w.Kind+" "+w.Name+" "+w.Scale)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// judged is what is left of a budget and of its patch.
type judged struct {
	File                     string
	SelectsNone, Known, Read bool
	Workloads                int
}

func TestAPatchOfABudgetSelectsWhatTheBudgetSelects(t *testing.T) {
	t.Parallel()
	base := deployment("api", "replicas: 3", "") + budget("b", selecting("app: api"))
	patch := "minAvailable: 0\nmaxUnavailable: null"
	for name, tc := range map[string]struct {
		patch string
		want  []judged
	}{
		"of its limits": {
			budget("b", patch),
			[]judged{{"base/a.yaml", false, false, false, 1}, {"patches/b.yaml", false, true, true, 1}},
		},
		"of something else": {
			budget("b", "unhealthyPodEvictionPolicy: AlwaysAllow"),
			[]judged{{"base/a.yaml", false, true, true, 1}},
		},
		"of none that is there": {
			budget("c", patch),
			[]judged{{"base/a.yaml", false, true, true, 1}, {"patches/b.yaml", true, true, false, 0}},
		},
		"of one in another namespace": {
			strings.Replace(budget("b", patch), "{name: b}", "{name: b, namespace: other}", 1),
			[]judged{{"base/a.yaml", false, true, true, 1}, {"patches/b.yaml", true, true, false, 0}},
		},
	} {
		files := map[string]string{"base/a.yaml": strings.ReplaceAll(base, "{name: b}", "{name: b, namespace: shop}"), "patches/b.yaml": tc.patch}
		var got []judged
		for _, s := range collect(t, files, "base/a.yaml", "patches/b.yaml") {
			if p, ok := s.Input.(*facts.PDB); ok {
				got = append(got, judged{s.File.Name, p.SelectsNone, p.MinAvailable.Known || p.MaxUnavailable.Known, p.Resolved, len(p.Workloads)})
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
