package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// collect parses named manifests as one bundle and prepares their subjects.
func collect(t *testing.T, files map[string]string, order ...string) []facts.Subject {
	t.Helper()
	var opt facts.Options
	var parsed []*loader.File
	for _, name := range order {
		f, _ := loader.Parse(name, []byte(files[name]), loader.Options{Keep: facts.Keep(opt), Keys: facts.DocumentKeys()})
		parsed = append(parsed, f)
	}
	return facts.Collect(parsed, opt)
}

func one(t *testing.T, manifest string) []facts.Subject {
	t.Helper()
	return collect(t, map[string]string{"a.yaml": manifest}, "a.yaml")
}

func workloads(subjects []facts.Subject) map[string]*facts.Workload {
	out := map[string]*facts.Workload{}
	for _, s := range subjects {
		if w, ok := s.Input.(*facts.Workload); ok {
			out[w.Kind+" "+w.Name] = w
		}
	}
	return out
}

func budgets(subjects []facts.Subject) map[string]*facts.PDB {
	out := map[string]*facts.PDB{}
	for _, s := range subjects {
		if p, ok := s.Input.(*facts.PDB); ok {
			out[p.Name] = p
		}
	}
	return out
}

// deployment is a small whole Deployment; extra lines go under spec, container lines under the container.
func deployment(name, spec, container string) string {
	return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ` + name + `}
spec:
` + indent(spec, 2) + `  selector: {matchLabels: {app: ` + name + `}}
  template:
    metadata: {labels: {app: ` + name + `}}
    spec:
      containers:
      - name: main
        image: example/` + name + `:1
` + indent(container, 8) + "---\n"
}

func indent(text string, by int) string {
	if text == "" {
		return ""
	}
	pad := strings.Repeat(" ", by)
	return pad + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+pad) + "\n"
}

func TestAProbeIsSeenWithTheDefaultsOfTheAPIServer(t *testing.T) {
	t.Parallel()
	got := workloads(one(t, deployment("api", "", `ports:
- {name: http, containerPort: 8080}
livenessProbe:
  tcpSocket: {port: http}`)))["Deployment api"]
	want := &facts.Workload{
		Subject: "workload", APIVersion: "apps/v1", Kind: "Deployment", Name: "api", Class: "worker",
		Replicas: facts.Count{Known: true, Value: 1, From: "default"},
		PodPath:  facts.Path{"spec", "template", "spec"},
		Labels:   map[string]string{"app": "api"}, RestartPolicy: "Always",
		PodRestart: facts.Field{Type: "absent"},
		Selector:   map[string]any{"matchLabels": map[string]any{"app": "api"}},
		Written:    facts.Number{Known: true, Value: 1},
		Kube:       facts.Version{Minor: 37, Assumed: true},
		Services:   []string{}, SoleServices: []string{}, PDBs: []string{},
		Containers: []facts.Container{{
			Name: "main", Image: "example/api:1", Type: "app",
			Path:  facts.Path{"spec", "template", "spec", "containers", 0},
			Ports: []facts.Port{{Name: "http", Number: 8080, Protocol: "TCP"}}, Restart: facts.Field{Type: "absent"},
			Probes: []facts.Probe{{
				Type: "liveness", Field: "livenessProbe", Handler: "tcpSocket", Restarts: true,
				Path:   facts.Path{"spec", "template", "spec", "containers", 0, "livenessProbe"},
				Period: 10, Timeout: 1, FailureThreshold: 3, SuccessThreshold: 1, Known: true,
				Written: []string{}, Command: []string{}, Programs: []string{},
				Budget:   facts.Budget{Harmless: 20, Fatal: 30, Earliest: 21, Latest: 31, Spread: 10},
				Port:     facts.PortRef{Name: "http", Number: 8080, Declared: true, Known: true},
				Endpoint: facts.Endpoint{Alternative: facts.Alternative{Command: []string{}}, Evidence: -1},
				Targets: []facts.Target{{
					Port: "8080", Scheme: "tcp", Place: "self", Via: "tcpSocket", Decides: true, Confidence: "certain",
				}},
			}},
		}},
	}
	got.Job, got.Rollout = facts.Job{}, facts.Rollout{} // tested by themselves
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("workload (-want +got):\n%s", diff)
	}
}

func TestTheBudgetFollowsTheKubeletsArithmetic(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		timing string
		want   facts.Budget
	}{
		"defaults":                     {"", facts.Budget{Harmless: 20, Fatal: 30, Earliest: 21, Latest: 31, Spread: 10}},
		"zero means unset":             {"periodSeconds: 0\nfailureThreshold: 0\ntimeoutSeconds: 0", facts.Budget{Harmless: 20, Fatal: 30, Earliest: 21, Latest: 31, Spread: 10}},
		"one strike":                   {"failureThreshold: 1", facts.Budget{Harmless: 0, Fatal: 10, Earliest: 1, Latest: 11, Spread: 10}},
		"slow checks run back to back": {"timeoutSeconds: 30\nfailureThreshold: 2", facts.Budget{Harmless: 10, Fatal: 40, Earliest: 60, Latest: 70, Spread: 10}},
		"templated":                    {"periodSeconds: ${PERIOD}", facts.Budget{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := workloads(one(t, deployment("api", "", "livenessProbe:\n  exec: {command: [\"true\"]}\n"+indent(tc.timing, 2))))
			got := w["Deployment api"].Containers[0].Probes[0].Budget
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("budget (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReplicasAreTheAutoscalersMinimumElseReplicasElseOne(t *testing.T) {
	t.Parallel()
	hpa := func(spec string) string {
		return "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: scale}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: api}\n  maxReplicas: 9\n" + indent(spec, 2)
	}
	keda := func(spec string) string {
		return "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: queue}\nspec:\n  scaleTargetRef: {name: api}\n" + indent(spec, 2)
	}
	for name, tc := range map[string]struct {
		manifest string
		want     facts.Count
	}{
		"unset":                       {deployment("api", "", ""), facts.Count{Known: true, Value: 1, From: "default"}},
		"null":                        {deployment("api", "replicas: null", ""), facts.Count{Known: true, Value: 1, From: "default"}},
		"written":                     {deployment("api", "replicas: 4", ""), facts.Count{Known: true, Value: 4, From: "replicas"}},
		"templated":                   {deployment("api", "replicas: ${N}", ""), facts.Count{From: "replicas"}},
		"HPA wins":                    {deployment("api", "replicas: 4", "") + hpa("minReplicas: 2"), facts.Count{Known: true, Value: 2, From: "HorizontalPodAutoscaler scale"}},
		"HPA default":                 {deployment("api", "replicas: 4", "") + hpa(""), facts.Count{Known: true, Value: 1, From: "HorizontalPodAutoscaler scale"}},
		"HPA templated":               {deployment("api", "replicas: 4", "") + hpa("minReplicas: ${N}"), facts.Count{From: "HorizontalPodAutoscaler scale"}},
		"KEDA default is zero":        {deployment("api", "replicas: 4", "") + keda(""), facts.Count{Known: true, Value: 0, From: "ScaledObject queue"}},
		"KEDA minimum":                {deployment("api", "replicas: 4", "") + keda("minReplicaCount: 3"), facts.Count{Known: true, Value: 3, From: "ScaledObject queue"}},
		"another workload's HPA":      {deployment("api", "replicas: 4", "") + strings.Replace(hpa("minReplicas: 2"), "name: api", "name: web", 1), facts.Count{Known: true, Value: 4, From: "replicas"}},
		"an HPA in another namespace": {strings.Replace(deployment("api", "replicas: 4", ""), "{name: api}", "{name: api, namespace: a}", 1) + strings.Replace(hpa("minReplicas: 2"), "{name: scale}", "{name: scale, namespace: b}", 1), facts.Count{Known: true, Value: 4, From: "replicas"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := workloads(one(t, tc.manifest))["Deployment api"].Replicas
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("replicas (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPDBArithmeticRoundsUp(t *testing.T) {
	t.Parallel()
	type result struct {
		Desired, Allowed int
		Resolved         bool
	}
	for name, tc := range map[string]struct {
		replicas, spec string
		want           result
	}{
		"minAvailable 50% of 7":          {"7", "minAvailable: 50%", result{4, 3, true}},
		"minAvailable 80% of 1":          {"1", "minAvailable: 80%", result{1, 0, true}},
		"minAvailable above replicas":    {"2", "minAvailable: 5", result{5, 0, true}},
		"maxUnavailable 30% of 3":        {"3", "maxUnavailable: 30%", result{2, 1, true}},
		"maxUnavailable 1% of 5":         {"5", "maxUnavailable: 1%", result{4, 1, true}},
		"maxUnavailable 0% of 5":         {"5", "maxUnavailable: 0%", result{5, 0, true}},
		"maxUnavailable of all":          {"2", "maxUnavailable: 2", result{0, 2, true}},
		"a string that is a number":      {"2", "maxUnavailable: \"1\"", result{}},
		"both fields":                    {"2", "maxUnavailable: 1\nminAvailable: 1", result{}},
		"neither field":                  {"2", "", result{}},
		"templated":                      {"2", "maxUnavailable: ${N}", result{}},
		"replicas templated":             {"${N}", "maxUnavailable: 1", result{}},
		"minAvailable 0 is no floor":     {"3", "minAvailable: 0", result{0, 3, true}},
		"minAvailable 100% blocks all":   {"3", "minAvailable: 100%", result{3, 0, true}},
		"maxUnavailable 100% frees all":  {"3", "maxUnavailable: 100%", result{0, 3, true}},
		"minAvailable 1 of one replica":  {"1", "minAvailable: 1", result{1, 0, true}},
		"maxUnavailable 1 of one":        {"1", "maxUnavailable: 1", result{0, 1, true}},
		"minAvailable 51% of 2 is two":   {"2", "minAvailable: 51%", result{2, 0, true}},
		"minAvailable 34% of 3 is two":   {"3", "minAvailable: 34%", result{2, 1, true}},
		"maxUnavailable 34% of 3 is two": {"3", "maxUnavailable: 34%", result{1, 2, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pdb := "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: api}\nspec:\n  selector: {matchLabels: {app: api}}\n" + indent(tc.spec, 2)
			p := budgets(one(t, deployment("api", "replicas: "+tc.replicas, "")+pdb))["api"]
			got := result{p.Desired, p.Allowed, p.Resolved}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("budget (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelectorsJoinByNamespaceAndAllTheirTerms(t *testing.T) {
	t.Parallel()
	pdb := func(apiVersion, meta, selector string) string {
		return "apiVersion: " + apiVersion + "\nkind: PodDisruptionBudget\nmetadata: {" + meta + "}\nspec:\n  maxUnavailable: 1\n" + indent(selector, 2)
	}
	for name, tc := range map[string]struct {
		pdb  string
		want []string
	}{
		"matchLabels":                {pdb("policy/v1", "name: p", "selector: {matchLabels: {app: api}}"), []string{"p"}},
		"one label too many":         {pdb("policy/v1", "name: p", "selector: {matchLabels: {app: api, tier: web}}"), []string{}},
		"In":                         {pdb("policy/v1", "name: p", "selector: {matchExpressions: [{key: app, operator: In, values: [web, api]}]}"), []string{"p"}},
		"NotIn":                      {pdb("policy/v1", "name: p", "selector: {matchExpressions: [{key: app, operator: NotIn, values: [api]}]}"), []string{}},
		"Exists":                     {pdb("policy/v1", "name: p", "selector: {matchExpressions: [{key: app, operator: Exists}]}"), []string{"p"}},
		"DoesNotExist":               {pdb("policy/v1", "name: p", "selector: {matchExpressions: [{key: app, operator: DoesNotExist}]}"), []string{}},
		"empty in v1 selects all":    {pdb("policy/v1", "name: p", "selector: {}"), []string{"p"}},
		"empty in v1beta1 is none":   {pdb("policy/v1beta1", "name: p", "selector: {}"), []string{}},
		"absent selects none":        {pdb("policy/v1", "name: p", ""), []string{}},
		"another namespace":          {pdb("policy/v1", "name: p, namespace: other", "selector: {matchLabels: {app: api}}"), []string{}},
		"namespace left to kubectl":  {pdb("policy/v1", "name: p", "selector: {matchLabels: {app: api}}"), []string{"p"}},
		"an unknown operator may":    {pdb("policy/v1", "name: p", "selector: {matchExpressions: [{key: app, operator: \"${OP}\"}]}"), []string{"p"}},
		"labels and expressions AND": {pdb("policy/v1", "name: p", "selector: {matchLabels: {app: api}, matchExpressions: [{key: app, operator: NotIn, values: [api]}]}"), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := strings.Replace(deployment("api", "replicas: 2", ""), "{name: api}", "{name: api, namespace: shop}", 1)
			got := workloads(one(t, api+tc.pdb))["Deployment api"].PDBs
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("PDBs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheNearestCopyInTheTreeJoins(t *testing.T) {
	t.Parallel()
	service := "apiVersion: v1\nkind: Service\nmetadata: {name: api}\nspec: {selector: {app: api}}\n"
	pdb := "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: api}\nspec: {minAvailable: 1, selector: {matchLabels: {app: api}}}\n"
	files := map[string]string{
		"base/service.yaml":    service,
		"prod/api.yaml":        deployment("api", "replicas: 3", ""),
		"prod/pdb.yaml":        pdb,
		"staging/api.yaml":     deployment("api", "replicas: 1", ""),
		"staging/pdb.yaml":     pdb,
		"elsewhere/other.yaml": deployment("other", "", ""),
	}
	type joined struct {
		File     string
		Class    string
		Expected facts.Count
	}
	var got []joined
	for _, s := range collect(t, files, "base/service.yaml", "elsewhere/other.yaml", "prod/api.yaml", "prod/pdb.yaml", "staging/api.yaml", "staging/pdb.yaml") {
		switch in := s.Input.(type) {
		case *facts.Workload:
			got = append(got, joined{File: s.File.Name, Class: in.Class})
		case *facts.PDB:
			got = append(got, joined{File: s.File.Name, Expected: in.Expected})
		}
	}
	want := []joined{
		{File: "elsewhere/other.yaml", Class: "worker"},
		{File: "prod/api.yaml", Class: "service"},
		{File: "staging/api.yaml", Class: "service"},
		{File: "prod/pdb.yaml", Expected: facts.Count{Known: true, Value: 3, From: "replicas"}},
		{File: "staging/pdb.yaml", Expected: facts.Count{Known: true, Value: 1, From: "replicas"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("joins (-want +got):\n%s", diff)
	}
}

func TestNamedPortsAreLookedUpInTheSameContainerOnly(t *testing.T) {
	t.Parallel()
	manifest := deployment("api", "", `ports: [{name: http, containerPort: 8080}]
livenessProbe: {httpGet: {port: metrics, path: /}}
readinessProbe: {tcpSocket: {port: 9999}}
startupProbe: {grpc: {port: 8080}}`)
	manifest = strings.TrimSuffix(manifest, "---\n") + "      - name: proxy\n        image: example/proxy:1\n        ports: [{name: metrics, containerPort: 9090}]\n"
	var got []facts.PortRef
	for _, p := range workloads(one(t, manifest))["Deployment api"].Containers[0].Probes {
		got = append(got, p.Port)
	}
	want := []facts.PortRef{
		{Name: "metrics", Known: true, DeclaredBy: "proxy"},
		{Number: 9999, Known: true},
		{Number: 8080, Known: true, Declared: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
}

func TestClassSaysWhatAWorkloadIsFor(t *testing.T) {
	t.Parallel()
	service := "---\napiVersion: v1\nkind: Service\nmetadata: {name: api}\nspec: {selector: {app: api}}\n"
	job := "apiVersion: batch/v1\nkind: Job\nmetadata: {name: api}\nspec: {template: {metadata: {labels: {app: api}}, spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: api, labels: {app: api}, annotations: {helm.sh/hook: test}}\nspec: {containers: [{name: a, image: b}]}\n"
	daemon := strings.Replace(deployment("api", "", ""), "kind: Deployment", "kind: DaemonSet", 1)
	for name, tc := range map[string]struct{ manifest, key, want string }{
		"selected":         {deployment("api", "", "") + service, "Deployment api", "service"},
		"not selected":     {deployment("api", "", ""), "Deployment api", "worker"},
		"batch":            {job + service, "Job api", "batch"},
		"a Helm test":      {pod + service, "Pod api", "hook"},
		"one on each node": {daemon + service, "DaemonSet api", "daemon"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := workloads(one(t, tc.manifest))[tc.key].Class; got != tc.want {
				t.Errorf("class is %q, want %q", got, tc.want)
			}
		})
	}
}

func TestWhatJoinsDoesNotDependOnWhereHclintRuns(t *testing.T) {
	t.Parallel()
	service := "apiVersion: v1\nkind: Service\nmetadata: {name: api}\nspec: {selector: {app: api}}\n"
	for _, prefix := range []string{"", "repo/", "/srv/repo/"} {
		files := map[string]string{
			prefix + "service.yaml": service, prefix + "prod/api.yaml": deployment("api", "", ""),
			prefix + "test/eu/api.yaml": deployment("api", "", ""),
		}
		var got []string
		for _, s := range collect(t, files, prefix+"service.yaml", prefix+"prod/api.yaml", prefix+"test/eu/api.yaml") {
			if w, ok := s.Input.(*facts.Workload); ok {
				got = append(got, w.Class)
			}
		}
		if diff := cmp.Diff([]string{"service", "worker"}, got); diff != "" {
			t.Errorf("in %q (-want +got):\n%s", prefix, diff)
		}
	}
}

func TestAnInputProblemSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text            string
		lost, duplicate bool
	}{
		"a syntax error":       {"apiVersion: v1\nkind: Service\nmetadata: {name: a\n", true, false},
		"a key given twice":    {"apiVersion: v1\nkind: Service\nmetadata: {name: a, name: b}\n", false, true},
		"a key that is a list": {"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {[x, y]: z}\n", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, ok := one(t, tc.text)[0].Input.(*facts.Input)
			if !ok || in.Lost != tc.lost || in.Duplicate != tc.duplicate {
				t.Errorf("input is %+v, want lost %v, duplicate %v", in, tc.lost, tc.duplicate)
			}
		})
	}
}
