package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// limits is what the rollout of one workload comes to.
type limits struct {
	Style               string
	Unavailable, Surge  int
	UnavailableKnown    bool
	SurgeKnown, Ignored bool
}

func rolloutFor(t *testing.T, version, apiVersion, kind, spec string) facts.Rollout {
	t.Helper()
	src := "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: a}\nspec:\n" + indent(spec, 2) +
		"  selector: {matchLabels: {app: a}}\n  template:\n    metadata: {labels: {app: a}}\n    spec:\n      containers: [{name: a, image: a:1}]\n"
	opt := facts.Options{KubeVersion: version}
	f, _ := loader.Parse("a.yaml", []byte(src), loader.Options{Keep: facts.Keep(opt)})
	for _, w := range workloads(facts.Collect([]*loader.File{f}, opt)) {
		return w.Rollout
	}
	t.Fatal("no workload")
	return facts.Rollout{}
}

func limitsOf(r facts.Rollout) limits {
	return limits{
		Style: r.Style, Unavailable: r.Unavailable.Value, UnavailableKnown: r.Unavailable.Known,
		Surge: r.Surge.Value, SurgeKnown: r.Surge.Known, Ignored: r.Ignored,
	}
}

func rolling(unavailable, surge int) limits {
	return limits{Style: "rolling", Unavailable: unavailable, UnavailableKnown: true, Surge: surge, SurgeKnown: true}
}

func TestADeploymentRoundsDownAndUp(t *testing.T) {
	t.Parallel()
	strategy := func(replicas, limits string) string {
		return "replicas: " + replicas + "\nstrategy: {rollingUpdate: {" + limits + "}}"
	}
	for spec, want := range map[string]limits{
		"replicas: 3":                                     rolling(0, 1),
		"replicas: 4":                                     rolling(1, 1),
		"replicas: 10":                                    rolling(2, 3),
		strategy("3", "maxUnavailable: 99%"):              rolling(2, 1),
		strategy("3", "maxUnavailable: 100%"):             rolling(3, 1),
		strategy("3", "maxUnavailable: 10%, maxSurge: 0"): rolling(1, 0), // both round to 0
		strategy("3", "maxUnavailable: 5"):                rolling(5, 1),
		strategy("${N}", "maxUnavailable: 100%"):          {Style: "rolling"},
		strategy("3", "maxUnavailable: '${N}'"):           {Style: "rolling", Surge: 1, SurgeKnown: true},
		"replicas: 3\nstrategy: {type: Recreate}":         {Style: "recreate"},
		"replicas: 3\nstrategy: {type: rolling}":          {},
		"replicas: 3\nstrategy: {type: '${T}'}":           {Style: "unknown"},
	} {
		if diff := cmp.Diff(want, limitsOf(rolloutFor(t, "", "apps/v1", "Deployment", spec))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", spec, diff)
		}
	}
}

func TestAStatefulSetCountsSinceItsVersion(t *testing.T) {
	t.Parallel()
	spec := "replicas: 3\nupdateStrategy: {rollingUpdate: {maxUnavailable: 100%}}"
	small := "replicas: 3\nupdateStrategy: {rollingUpdate: {maxUnavailable: 1%}}"
	older := limits{Style: "rolling", Unavailable: 1, UnavailableKnown: true, SurgeKnown: true, Ignored: true}
	for _, tc := range []struct {
		version, spec string
		want          limits
	}{
		{"", spec, rolling(3, 0)},
		{"1.37", spec, rolling(3, 0)},
		{"1.36.4", spec, older},
		{"", small, rolling(1, 0)},
		{"", "replicas: 3", rolling(1, 0)},
		{"", "replicas: 3\nupdateStrategy: {type: OnDelete}", limits{Style: "on-delete"}},
		{"", "replicas: 3\nupdateStrategy: {type: Recreate}", limits{}},
	} {
		if diff := cmp.Diff(tc.want, limitsOf(rolloutFor(t, tc.version, "apps/v1", "StatefulSet", tc.spec))); diff != "" {
			t.Errorf("%s at %q (-want +got):\n%s", tc.spec, tc.version, diff)
		}
	}
}

func TestOtherControllersCountInTheirWay(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		apiVersion, kind, spec string
		want                   limits
	}{
		{"apps/v1", "DaemonSet", "", rolling(1, 0)},
		{"apps/v1", "DaemonSet", "updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}", limits{Style: "rolling", SurgeKnown: true}},
		{"argoproj.io/v1alpha1", "Rollout", "replicas: 4\nstrategy: {canary: {maxUnavailable: 100%}}", rolling(4, 1)},
		{"argoproj.io/v1alpha1", "Rollout", "replicas: 4\nstrategy: {blueGreen: {activeService: a}}", limits{Style: "blue-green"}},
		{"argoproj.io/v1alpha1", "Rollout", "replicas: 4", limits{Style: "other"}},
		{"apps.openshift.io/v1", "DeploymentConfig", "replicas: 4\nstrategy: {rollingParams: {maxUnavailable: 60%}}", rolling(2, 1)},
		{"apps.openshift.io/v1", "DeploymentConfig", "replicas: 4\nstrategy: {type: Custom}", limits{Style: "other"}},
		{"apps.kruise.io/v1alpha1", "CloneSet", "replicas: 4\nupdateStrategy: {maxUnavailable: 100%}", rolling(4, 0)},
		{"apps.kruise.io/v1alpha1", "CloneSet", "replicas: 4\nupdateStrategy: {maxUnavailable: 50%}", limits{Style: "rolling", SurgeKnown: true}},
		{"batch/v1", "Job", "", limits{}},
	} {
		if diff := cmp.Diff(tc.want, limitsOf(rolloutFor(t, "", tc.apiVersion, tc.kind, tc.spec))); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tc.kind, tc.spec, diff)
		}
	}
}

func TestAStrategyOfAnotherKindIsStray(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"Deployment": "updateStrategy", "StatefulSet": "strategy", "DaemonSet": "strategy"} {
		spec := "strategy: {type: RollingUpdate}\nupdateStrategy: {type: RollingUpdate}"
		if got := rolloutFor(t, "", "apps/v1", kind, spec).Stray; got != want {
			t.Errorf("%s: stray %q, want %q", kind, got, want)
		}
	}
}

func TestAVersionIsRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]facts.Version{
		"":               {Minor: 37, Assumed: true},
		"1.34":           {Minor: 34},
		"v1.36.2":        {Minor: 36},
		"1.33.5-gke.100": {Minor: 33},
		"1.29+":          {Minor: 29},
	} {
		got, err := facts.ParseVersion(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"2", "2.1", "1", "1.x", "latest", "1.-3", "37"} {
		if got, err := facts.ParseVersion(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, got)
		}
	}
}
