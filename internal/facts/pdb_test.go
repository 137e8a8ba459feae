package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

func budget(name, spec string) string {
	return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: " + name + "}\nspec:\n" + indent(spec, 2) + "---\n"
}

func selecting(labels string) string {
	return "maxUnavailable: 1\nselector: {matchLabels: {" + labels + "}}"
}

func daemon(name string) string {
	return "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: " + name + "}\nspec:\n  selector: {matchLabels: {app: api}}\n" +
		"  template: {metadata: {labels: {app: api}}, spec: {containers: [{name: a, image: a:1}]}}\n---\n"
}

// arithmetic is what a budget comes to.
type arithmetic struct {
	Expected         facts.Count
	Desired, Allowed int
	Resolved         bool
}

func TestABudgetIsCountedAsTheControllerDoes(t *testing.T) {
	t.Parallel()
	of := func(n int) facts.Count { return facts.Count{Known: true, Value: n, From: "replicas"} }
	pods := facts.Count{Known: true, Value: 2, From: "Pod"}
	two := barePodNamed("a") + barePodNamed("b")
	for name, tc := range map[string]struct {
		workloads, limit string
		want             arithmetic
	}{
		"a percentage rounds up":           {deployment("api", "replicas: 7", ""), "minAvailable: 50%", arithmetic{of(7), 4, 3, true}},
		"so does the other":                {deployment("api", "replicas: 3", ""), "maxUnavailable: 30%", arithmetic{of(3), 2, 1, true}},
		"one percent is one pod":           {deployment("api", "replicas: 3", ""), "maxUnavailable: 1%", arithmetic{of(3), 2, 1, true}},
		"more than there are":              {deployment("api", "replicas: 3", ""), "maxUnavailable: 9", arithmetic{of(3), 0, 3, true}},
		"all needed":                       {deployment("api", "replicas: 3", ""), "minAvailable: 4", arithmetic{of(3), 4, 0, true}},
		"bare pods count for an integer":   {two, "minAvailable: 1", arithmetic{pods, 1, 1, true}},
		"bare pods count for nothing else": {two, "maxUnavailable: 1", arithmetic{}},
		"a DaemonSet has no number":        {daemon("api"), "minAvailable: 1", arithmetic{}},
		"a templated number is unknown":    {deployment("api", "replicas: ${N}", ""), "minAvailable: 1", arithmetic{}},
		"no workload is unknown":           {"", "minAvailable: 1", arithmetic{}},
		"neither field":                    {deployment("api", "replicas: 3", ""), "unhealthyPodEvictionPolicy: AlwaysAllow", arithmetic{Expected: of(3)}},
		"both fields":                      {deployment("api", "replicas: 3", ""), "minAvailable: 1\nmaxUnavailable: 1", arithmetic{Expected: of(3)}},
		"a templated field":                {deployment("api", "replicas: 3", ""), "minAvailable: ${N}", arithmetic{Expected: of(3)}},
	} {
		p := budgets(one(t, tc.workloads+budget("b", tc.limit+"\nselector: {matchLabels: {app: api}}")))["b"]
		got := arithmetic{p.Expected, p.Desired, p.Allowed, p.Resolved}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func barePodNamed(name string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", labels: {app: api}}\nspec: {containers: [{name: a, image: a:1}]}\n---\n"
}

func TestHooksAreNotCovered(t *testing.T) {
	t.Parallel()
	hook := "apiVersion: v1\nkind: Pod\nmetadata: {name: test, labels: {app: api}, annotations: {helm.sh/hook: test}}\n" +
		"spec: {containers: [{name: a, image: a:1}]}\n---\n"
	p := budgets(one(t, deployment("api", "replicas: 3", "")+hook+budget("b", selecting("app: api"))))["b"]
	if len(p.Workloads) != 1 || p.Workloads[0].Kind != "Deployment" || !p.Resolved {
		t.Errorf("workloads %+v, resolved %v", p.Workloads, p.Resolved)
	}
}

// sibling is another part of the application api.
func sibling(name string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + "}\nspec:\n  selector: {matchLabels: {app: api}}\n" +
		"  template: {metadata: {labels: {app: api, tier: " + name + "}}, spec: {containers: [{name: a, image: a:1}]}}\n---\n"
}

// unlabelled is a Deployment that a Kustomization gives its labels.
func unlabelled(name string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + "}\nspec:\n" +
		"  template: {spec: {containers: [{name: a, image: a:1}]}}\n---\n"
}

func TestALabelThatManyShareSinglesNothingOut(t *testing.T) {
	t.Parallel()
	for parts, want := range map[string]bool{sibling("worker"): true, sibling("worker") + sibling("mail"): false} {
		subjects := collect(t, map[string]string{"a/a.yaml": parts, "b/b.yaml": budget("b", selecting("app: api, tier: web"))}, "a/a.yaml", "b/b.yaml")
		if got := budgets(subjects)["b"].Near.Set; got != want {
			t.Errorf("beside %s a near miss %v, want %v", parts, got, want)
		}
	}
}

func TestALabelThatAKustomizationMayAddIsNotMissed(t *testing.T) {
	t.Parallel()
	limit := budget("api", selecting("release: one"))
	for file, want := range map[string]bool{"base/b.yaml": true, "components/b.yaml": false} {
		subjects := collect(t, map[string]string{"base/a.yaml": deployment("api", "replicas: 3", ""), file: limit}, "base/a.yaml", file)
		if got := budgets(subjects)["api"].Near.Set; got != want {
			t.Errorf("a budget in %s: a near miss %v, want %v", file, got, want)
		}
	}
}

func TestANearMissIsFound(t *testing.T) {
	t.Parallel()
	api := deployment("api", "replicas: 3", "")
	custom := "apiVersion: monitoring.example.com/v1\nkind: Prometheus\nmetadata: {name: p}\n---\n"
	for name, tc := range map[string]struct {
		manifest string
		want     string // workload, key, want, have
	}{
		"a misspelt value":           {api + budget("b", selecting("app: apii")), "Deployment api app apii api"},
		"another value in one file":  {api + budget("b", selecting("app: frontend")), "Deployment api app frontend api"},
		"the name of the budget":     {api + budget("api-pdb", selecting("component: x")), "Deployment api component x "},
		"one label of two":           {api + budget("b", selecting("app: api, tier: web")), "Deployment api tier web "},
		"and the other misspelt":     {api + sibling("worker") + budget("b", selecting("app: api, tier: workers")), "Deployment worker tier workers worker"},
		"no labels yet":              {unlabelled("api") + budget("api", selecting("app: api")), ""},
		"an expression":              {api + budget("b", "maxUnavailable: 1\nselector: {matchExpressions: [{key: app, operator: In, values: [web]}]}"), "Deployment api app web api"},
		"nothing alike":              {api + budget("b", selecting("component: x")), ""},
		"an operator's pods":         {api + custom + budget("b", selecting("app: prometheus")), ""},
		"an operator's pods by name": {api + custom + budget("api", selecting("app: prometheus")), "Deployment api app prometheus api"},
		"only the release in common": {api + budget("b", selecting("release: x, component: y")), ""},
		"a workload with a budget":   {api + budget("a", selecting("app: api")) + budget("b", selecting("app: apii")), ""},
		"a match":                    {api + budget("b", selecting("app: api")), ""},
		"a templated selector":       {api + budget("api", selecting("app: '${APP}'")), ""},
		"no selector":                {api + budget("api", "maxUnavailable: 1"), ""},
		"an empty selector":          {api + budget("api", "maxUnavailable: 1\nselector: {}"), ""},
	} {
		var got string
		if n := budgets(one(t, tc.manifest))["b"]; n != nil && n.Near.Set {
			got = n.Near.Kind + " " + n.Near.Name + " " + n.Near.Key + " " + n.Near.Want + " " + n.Near.Have
		}
		for _, other := range []string{"api", "api-pdb"} {
			if n := budgets(one(t, tc.manifest))[other]; n != nil && n.Near.Set {
				got = n.Near.Kind + " " + n.Near.Name + " " + n.Near.Key + " " + n.Near.Want + " " + n.Near.Have
			}
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestBudgetsOverlapOnlyOnTheSamePods(t *testing.T) {
	t.Parallel()
	api := deployment("api", "replicas: 3", "")
	for name, tc := range map[string]struct {
		files map[string]string
		want  []facts.Overlap
	}{
		"two for one workload": {
			map[string]string{"a.yaml": api + budget("a", selecting("app: api")) + budget("b", "maxUnavailable: 1\nselector: {}")},
			[]facts.Overlap{{Name: "a", Workloads: []string{"Deployment api"}}},
		},
		"in two files of a directory": {
			map[string]string{"a.yaml": api + budget("a", selecting("app: api")), "b.yaml": budget("b", selecting("app: api"))},
			[]facts.Overlap{{Name: "a", Workloads: []string{"Deployment api"}}},
		},
		"of two environments": {
			map[string]string{"base/a.yaml": api, "dev/b.yaml": budget("b", selecting("app: api")), "prod/b.yaml": budget("a", selecting("app: api"))},
			[]facts.Overlap{},
		},
		"copies of one": {
			map[string]string{"a.yaml": api + budget("b", selecting("app: api")), "b.yaml": budget("b", selecting("app: api"))},
			[]facts.Overlap{},
		},
		"for two workloads": {
			map[string]string{"a.yaml": api + deployment("web", "", "") + budget("a", selecting("app: web")) + budget("b", selecting("app: api"))},
			[]facts.Overlap{},
		},
		"one of which is templated": {
			map[string]string{"a.yaml": api + budget("a", selecting("app: '${APP}'")) + budget("b", selecting("app: api"))},
			[]facts.Overlap{},
		},
	} {
		var order []string
		for _, file := range []string{"a.yaml", "b.yaml", "base/a.yaml", "dev/b.yaml", "prod/b.yaml"} {
			if _, ok := tc.files[file]; ok {
				order = append(order, file)
			}
		}
		got := budgets(collect(t, tc.files, order...))["b"].Overlaps
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestABudgetKnowsWhatItsPodsDependOn(t *testing.T) {
	t.Parallel()
	probe := "readinessProbe:\n  exec: {command: [pg_isready, -h, db.example.com, -p, \"5432\"]}\nlivenessProbe:\n  tcpSocket: {port: 80}"
	got := budgets(one(t, deployment("api", "replicas: 3", probe)+budget("b", selecting("app: api"))))["b"].Workloads[0].Dependencies
	want := []facts.PDBDependency{{
		Container: "main", Probe: "readiness", Product: "PostgreSQL", Address: "db.example.com:5432", Certain: true,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
}

func TestAPatchMakesTheNumberOfReplicasUnknown(t *testing.T) {
	t.Parallel()
	patch := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec: {replicas: 4}\n"
	for name, tc := range map[string]struct {
		patch string
		want  facts.Count
	}{
		"a patch":              {patch, facts.Count{From: "replicas"}},
		"of something else":    {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec: {paused: true}\n", facts.Count{Known: true, Value: 1, From: "default"}},
		"of another name":      {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 4}\n", facts.Count{Known: true, Value: 1, From: "default"}},
		"a whole copy":         {deployment("api", "replicas: 4", ""), facts.Count{Known: true, Value: 1, From: "default"}},
		"in another namespace": {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: x}\nspec: {replicas: 4}\n", facts.Count{Known: true, Value: 1, From: "default"}},
	} {
		base := deployment("api", "", "")
		if name == "in another namespace" {
			base = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: y}\n" + base[len("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\n"):]
		}
		var got facts.Count
		for _, s := range collect(t, map[string]string{"base/a.yaml": base, "prod/p.yaml": tc.patch}, "base/a.yaml", "prod/p.yaml") {
			if w, ok := s.Input.(*facts.Workload); ok && s.File.Name == "base/a.yaml" {
				got = w.Replicas
			}
		}
		if got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
}
