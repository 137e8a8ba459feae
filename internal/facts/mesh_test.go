package facts_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// traffic finds the policies by kind and name.
func traffic(subjects []facts.Subject) map[string]*facts.Traffic {
	out := map[string]*facts.Traffic{}
	for _, s := range subjects {
		if p, ok := s.Input.(*facts.Traffic); ok {
			out[p.Kind+" "+p.Name] = p
		}
	}
	return out
}

func service(name string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {selector: {app: " + name + "}}\n---\n"
}

// destinationRule is one for host with lines under trafficPolicy.
func destinationRule(host, policy string) string {
	return "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: rule}\nspec:\n  host: " + host +
		"\n  trafficPolicy:\n" + indent(policy, 4) + "---\n"
}

func TestOutlierDetectionIsSeenAsIstioTranslatesIt(t *testing.T) {
	t.Parallel()
	manifest := deployment("cart", "replicas: 4", "") + service("cart") +
		destinationRule("cart", "outlierDetection:\n  consecutive5xxErrors: 3\n  baseEjectionTime: 1m\n  maxEjectionPercent: 60")
	got := traffic(one(t, manifest))["DestinationRule rule"]
	block := facts.Path{"spec", "trafficPolicy", "outlierDetection"}
	want := &facts.Traffic{
		Subject: "traffic", APIVersion: "networking.istio.io/v1", Kind: "DestinationRule", Name: "rule", Target: "cart",
		Ejections: []facts.Ejection{{
			Path: block, Detector: "5xx", Threshold: 3, Time: "1m", Seconds: 60,
			MaxPercent: facts.Quantity{Set: true, Known: true, Text: "60", Value: 60},
			MaxPath:    facts.Path{"spec", "trafficPolicy", "outlierDetection", "maxEjectionPercent"},
			Limit:      60, LimitKnown: true, PanicPath: block, PanicKnown: true,
			Endpoints:      facts.Endpoints{Known: true, Least: 4, Most: 4, Services: []string{"cart"}},
			EjectableLeast: 2, EjectableMost: 2,
		}},
		Pools: []facts.ConnectionPool{}, Retries: []facts.Retry{}, RetryBudgets: []facts.RetryBudget{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("traffic (-want +got):\n%s", diff)
	}
}

func TestEjectableEndpointsRoundDown(t *testing.T) {
	t.Parallel()
	type result struct{ Limit, Panic, Ejectable int }
	for name, tc := range map[string]struct {
		replicas int
		fields   string
		want     result
	}{
		"the default of 10% of 9":        {9, "interval: 5s", result{10, 0, 0}},
		"the default of 10% of 10":       {10, "interval: 5s", result{10, 0, 1}},
		"0 counts as unset":              {20, "maxEjectionPercent: 0", result{10, 0, 2}},
		"33% of 3 is none":               {3, "maxEjectionPercent: 33", result{33, 0, 0}},
		"34% of 3 is one":                {3, "maxEjectionPercent: 34", result{34, 0, 1}},
		"50% of 3 is one":                {3, "maxEjectionPercent: 50", result{50, 0, 1}},
		"99% of 2 is one":                {2, "maxEjectionPercent: 99", result{99, 0, 1}},
		"100% of 2 is both":              {2, "maxEjectionPercent: 100", result{100, 0, 2}},
		"more than 100% is no more":      {2, "maxEjectionPercent: 150", result{150, 0, 2}},
		"minHealthPercent is the panic":  {2, "minHealthPercent: 30", result{10, 30, 0}},
		"a templated limit is not known": {4, "maxEjectionPercent: ${MAX}", result{0, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			manifest := deployment("cart", fmt.Sprintf("replicas: %d", tc.replicas), "") + service("cart") +
				destinationRule("cart", "outlierDetection:\n"+indent(tc.fields, 2))
			e := traffic(one(t, manifest))["DestinationRule rule"].Ejections[0]
			got := result{e.Limit, e.Panic, e.EjectableLeast}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("ejection (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheDetectorThatEjectsIsNamed(t *testing.T) {
	t.Parallel()
	type result struct {
		Detector  string
		Threshold int
	}
	for fields, want := range map[string]result{
		"interval: 1s":            {"5xx", 5},
		"consecutive5xxErrors: 7": {"5xx", 7},
		"consecutiveErrors: 2":    {"5xx", 2},
		"consecutive5xxErrors: ${ERRORS}\nconsecutiveGatewayErrors: 3":                                                 {"5xx", 0},
		"consecutive5xxErrors: 0":                                                                                      {"none", 0},
		"consecutive5xxErrors: 0\nconsecutiveGatewayErrors: 0":                                                         {"none", 0},
		"consecutive5xxErrors: 0\nconsecutiveGatewayErrors: 3":                                                         {"gateway", 3},
		"consecutive5xxErrors: 0\nconsecutiveLocalOriginFailures: 4":                                                   {"none", 0},
		"consecutive5xxErrors: 0\nsplitExternalLocalOriginErrors: true\nconsecutiveLocalOriginFailures: 4":             {"local", 4},
		"consecutive5xxErrors: 0\nsplitExternalLocalOriginErrors: true":                                                {"none", 0},
		"splitExternalLocalOriginErrors: true\nconsecutive5xxErrors: 0\nconsecutiveLocalOriginFailures: ${LOCAL_FAIL}": {"local", 0},
	} {
		t.Run(fields, func(t *testing.T) {
			t.Parallel()
			e := traffic(one(t, destinationRule("cart", "outlierDetection:\n"+indent(fields, 2))))["DestinationRule rule"].Ejections[0]
			if diff := cmp.Diff(want, result{e.Detector, e.Threshold}); diff != "" {
				t.Errorf("detector (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEndpointsAreCountedBehindAHost(t *testing.T) {
	t.Parallel()
	cart := deployment("cart", "replicas: 3", "") + service("cart")
	hpa := "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: scale}\nspec:\n  scaleTargetRef: {kind: Deployment, name: cart}\n"
	keda := "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: scale}\nspec:\n  scaleTargetRef: {name: cart}\n  minReplicaCount: 2\n"
	known := func(least, most int) facts.Endpoints {
		return facts.Endpoints{Known: true, Least: least, Most: most, Services: []string{"cart"}}
	}
	nothing := facts.Endpoints{Services: []string{}}
	unknown := facts.Endpoints{Services: []string{"cart"}}
	for name, tc := range map[string]struct {
		manifest, host string
		want           facts.Endpoints
	}{
		"a short name":                    {cart, "cart", known(3, 3)},
		"a whole name":                    {cart, "cart.shop.svc.cluster.local", known(3, 3)},
		"a domain of one's own":           {cart, "cart.shop.svc.corp.example", known(3, 3)},
		"half a name is another host":     {cart, "cart.shop", nothing},
		"no domain is another host":       {cart, "cart.shop.svc", nothing},
		"a wildcard":                      {cart, "'*.shop.svc.cluster.local'", nothing},
		"a templated host":                {cart, "${HOST}", nothing},
		"no host":                         {cart, "''", nothing},
		"no such Service":                 {cart, "basket", nothing},
		"a Service without a workload":    {service("cart"), "cart", unknown},
		"a Service without a selector":    {"apiVersion: v1\nkind: Service\nmetadata: {name: cart}\nspec: {}\n---\n", "cart", unknown},
		"an autoscaler":                   {cart + hpa + "  minReplicas: 2\n  maxReplicas: 9\n---\n", "cart", known(2, 9)},
		"an autoscaler with a template":   {cart + hpa + "  minReplicas: 2\n  maxReplicas: ${MAX}\n---\n", "cart", unknown},
		"KEDA and its default":            {cart + keda + "---\n", "cart", known(2, 100)},
		"KEDA with a number":              {cart + keda + "  maxReplicaCount: 7\n---\n", "cart", known(2, 7)},
		"templated replicas":              {deployment("cart", "replicas: ${N}", "") + service("cart"), "cart", unknown},
		"two overlays in one place":       {cart + deployment("cart", "replicas: 5", ""), "cart", unknown},
		"two Services of the same name":   {cart + service("cart"), "cart", nothing},
		"replicas left out":               {deployment("cart", "", "") + service("cart"), "cart", known(1, 1)},
		"two workloads behind a Service":  {cart + relabelled("cart-canary", "replicas: 2", "cart"), "cart", known(5, 5)},
		"a DaemonSet runs on every node":  {daemonSet("cart") + service("cart"), "cart", unknown},
		"a Pod alone":                     {"apiVersion: v1\nkind: Pod\nmetadata: {name: cart, labels: {app: cart}}\nspec: {containers: [{name: a, image: b}]}\n---\n" + service("cart"), "cart", known(1, 1)},
		"replicas of a part of an object": {"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart}\nspec: {replicas: 2, template: {metadata: {labels: {app: cart}}, spec: {containers: [{name: a}]}}}\n---\n" + service("cart"), "cart", unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := traffic(one(t, tc.manifest+destinationRule(tc.host, "outlierDetection: {}")))["DestinationRule rule"].Ejections[0].Endpoints
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("endpoints (-want +got):\n%s", diff)
			}
		})
	}
}

// relabelled is a Deployment whose pods carry the label of another one.
func relabelled(name, spec, app string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + "}\nspec:\n  " + spec +
		"\n  selector: {matchLabels: {app: " + app + "}}\n  template:\n    metadata: {labels: {app: " + app +
		"}}\n    spec: {containers: [{name: main, image: example/" + name + ":1}]}\n---\n"
}

func daemonSet(name string) string {
	return "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: " + name + "}\nspec:\n  selector: {matchLabels: {app: " + name +
		"}}\n  template:\n    metadata: {labels: {app: " + name + "}}\n    spec: {containers: [{name: main, image: example/x:1}]}\n---\n"
}

func TestEachPartOfADestinationRuleStandsForItself(t *testing.T) {
	t.Parallel()
	rule := `apiVersion: networking.istio.io/v1beta1
kind: DestinationRule
metadata: {name: rule}
spec:
  host: cart
  trafficPolicy:
    outlierDetection: {maxEjectionPercent: 20}
    portLevelSettings:
    - port: {number: 8080}
      outlierDetection: {maxEjectionPercent: 30}
    - port: {number: 9090}
      tls: {mode: DISABLE}
  subsets:
  - name: blue
    labels: {colour: blue}
    trafficPolicy:
      loadBalancer: {localityLbSetting: {enabled: false, failover: [{from: a, to: b}]}}
      outlierDetection: {maxEjectionPercent: 40}
      portLevelSettings:
      - port: {number: 8080}
        outlierDetection: {maxEjectionPercent: 50}
  - name: green
    labels: {colour: green}
`
	type part struct {
		Scope  string
		Limit  int
		Spread bool
	}
	var got []part
	for _, e := range traffic(one(t, rule))["DestinationRule rule"].Ejections {
		got = append(got, part{e.Scope, e.Limit, e.Spread})
	}
	want := []part{{"", 20, false}, {"port 8080", 30, false}, {`subset "blue"`, 40, false}, {`subset "blue", port 8080`, 50, false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
}

func TestLocalityFailoverBringsEndpointsThatTheBundleDoesNotShow(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]bool{
		"failover: [{from: a, to: b}]":                  true,
		"failoverPriority: [topology.istio.io/network]": true,
		"distribute: [{from: a, to: {b: 100}}]":         true,
		"enabled: true":                                 false,
		"enabled: false\nfailover: [{from: a, to: b}]":  false,
	} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			policy := "outlierDetection: {}\nloadBalancer:\n  localityLbSetting:\n" + indent(setting, 4)
			if got := traffic(one(t, destinationRule("cart", policy)))["DestinationRule rule"].Ejections[0].Spread; got != want {
				t.Errorf("spread is %v, want %v", got, want)
			}
		})
	}
}

func TestPoliciesThatSayNothingAreNoSubjects(t *testing.T) {
	t.Parallel()
	for name, manifest := range map[string]string{
		"a DestinationRule about TLS":       destinationRule("cart", "tls: {mode: ISTIO_MUTUAL}"),
		"a VirtualService without retries":  virtualService("http: [{route: [{destination: {host: cart}}]}]"),
		"a Service without annotations":     service("cart"),
		"an HTTPRoute without retries":      httpRoute("rules: [{backendRefs: [{name: cart, port: 80}]}]"),
		"a policy about rate limits":        backendPolicy("rateLimit: {type: Global}"),
		"a ServiceProfile without a budget": "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: cart.shop.svc.cluster.local}\nspec: {routes: []}\n",
		"a budget that is no number":        "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: cart.shop.svc.cluster.local}\nspec: {retryBudget: {retryRatio: .nan}}\n",
		"a block of the wrong type":         destinationRule("cart", "outlierDetection: 5\nconnectionPool: [1]"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(map[string]*facts.Traffic{}, traffic(one(t, manifest))); diff != "" {
				t.Errorf("subjects (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRetriesToAHostJoinItsConnectionPools(t *testing.T) {
	t.Parallel()
	pool := "connectionPool: {tcp: {maxConnections: 10}}"
	retrying := func(meta, destination string) string {
		return "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {" + meta +
			"}\nspec: {http: [{retries: {attempts: 3}, route: [{destination: {" + destination + "}}]}]}\n---\n"
	}
	by := []facts.Retrier{{Kind: "VirtualService", Name: "v", Attempts: 3}}
	mesh := "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: v}\nspec:\n  parentRefs: [{kind: %s, name: cart}]\n" +
		"  rules: [{retry: {%s}, backendRefs: [{name: cart, port: 80}]}]\n---\n"
	for name, tc := range map[string]struct {
		manifest string
		want     []facts.Retrier
	}{
		"a short name":                     {retrying("name: v", "host: cart"), by},
		"the whole name":                   {retrying("name: v", "host: cart.shop.svc.cluster.local"), by},
		"another host":                     {retrying("name: v", "host: stock"), nil},
		"another host with the same start": {retrying("name: v", "host: cart.example.com"), nil},
		"retries that are off":             {"apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: v}\nspec: {http: [{retries: {attempts: 0}, route: [{destination: {host: cart}}]}]}\n---\n", nil},
		"the same route twice":             {retrying("name: v", "host: cart}}, {destination: {host: cart"), by},
		"an HTTPRoute of the mesh":         {fmt.Sprintf(mesh, "Service", "attempts: 2"), []facts.Retrier{{Kind: "HTTPRoute", Name: "v", Attempts: 2}}},
		"an HTTPRoute that leaves it open": {fmt.Sprintf(mesh, "Service", "codes: [503]"), []facts.Retrier{{Kind: "HTTPRoute", Name: "v"}}},
		"an HTTPRoute with retries off":    {fmt.Sprintf(mesh, "Service", "attempts: 0"), nil},
		"an HTTPRoute of a Gateway":        {fmt.Sprintf(mesh, "Gateway", "attempts: 2"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := traffic(one(t, tc.manifest+destinationRule("cart", pool)))["DestinationRule rule"].Pools[0].RetriedBy
			if diff := cmp.Diff(append([]facts.Retrier{}, tc.want...), got); diff != "" {
				t.Errorf("retried by (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheMostSpecificConnectionPoolServesARoute(t *testing.T) {
	t.Parallel()
	rule := `apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: rule}
spec:
  host: cart
  trafficPolicy:
    connectionPool: {http: {maxRetries: 1}}
    portLevelSettings:
    - {port: {number: 9090}, connectionPool: {http: {maxRetries: 2}}}
  subsets:
  - {name: blue, trafficPolicy: {connectionPool: {http: {maxRetries: 3}}}}
  - {name: green, trafficPolicy: {retryBudget: {percent: 20}}}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: v}
spec:
  http:
  - retries: {attempts: 3}
    route: [{destination: {host: cart, %s}}]
`
	for destination, want := range map[string][]int{
		"subset: blue":                    {3},
		"subset: green":                   {1, 2},
		"subset: ''":                      {1, 2},
		"port: {number: 9090}":            {2},
		"port: {number: 8080}":            {1},
		"subset: x, port: {number: 8080}": {1},
	} {
		t.Run(destination, func(t *testing.T) {
			t.Parallel()
			var got []int
			for _, p := range traffic(one(t, fmt.Sprintf(rule, destination)))["DestinationRule rule"].Pools {
				if len(p.RetriedBy) > 0 {
					got = append(got, p.MaxRetries.Value)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("pools (-want +got):\n%s", diff)
			}
		})
	}
}

func TestABudgetCapsRetriesOfTheScopesBelowIt(t *testing.T) {
	t.Parallel()
	rule := destinationRule("cart", "retryBudget: {percent: 20}\nconnectionPool: {}\nportLevelSettings: [{port: {number: 80}, connectionPool: {}}]")
	for _, p := range traffic(one(t, rule))["DestinationRule rule"].Pools {
		if !p.Budget {
			t.Errorf("the pool for %q has no budget", p.Scope)
		}
	}
}
