package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

func virtualService(spec string) string {
	return "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: v}\nspec:\n" + indent(spec, 2) + "---\n"
}

func httpRoute(spec string) string {
	return "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: v}\nspec:\n" + indent(spec, 2) + "---\n"
}

func backendPolicy(spec string) string {
	return "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: v}\nspec:\n" + indent(spec, 2) + "---\n"
}

// retries are those of the only policy in a manifest that has any.
func retries(t *testing.T, manifest string) []facts.Retry {
	t.Helper()
	var out []facts.Retry
	for _, p := range traffic(one(t, manifest)) {
		out = append(out, p.Retries...)
	}
	return out
}

func TestARetryOfAVirtualServiceIsReadWhole(t *testing.T) {
	t.Parallel()
	got := retries(t, virtualService(`http:
- name: charge
  timeout: 4s
  retries: {attempts: 5, retryOn: 5xx}
  route:
  - destination: {host: payments}
  - destination: {host: payments-v2}
  - destination: {host: payments}`))
	want := []facts.Retry{{
		Path: facts.Path{"spec", "http", 0, "retries"}, Route: `route "charge"`, Attempts: 5, Known: true, AttemptsField: "attempts",
		AttemptsPath: facts.Path{"spec", "http", 0, "retries", "attempts"}, Timed: "yes", Backends: []string{"payments", "payments-v2"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("retries (-want +got):\n%s", diff)
	}
}

// summary is what the rules decide by.
type summary struct {
	Attempts int
	Known    bool
	Timed    string
	Usual    bool
	Parallel int
}

func TestRetriesOfEachKindHaveTheirOwnDefaults(t *testing.T) {
	t.Parallel()
	vs := func(route string) string {
		return virtualService("http:\n- {route: [{destination: {host: cart}}], " + route + "}")
	}
	gw := func(rule string) string { return httpRoute("rules:\n- {backendRefs: [{name: cart}], " + rule + "}") }
	for name, tc := range map[string]struct {
		manifest string
		want     []summary
	}{
		"attempts with perTryTimeout":         {vs("retries: {attempts: 3, perTryTimeout: 2s}"), []summary{{3, true, "yes", false, 0}}},
		"attempts with a route timeout":       {vs("retries: {attempts: 3}, timeout: 9s"), []summary{{3, true, "yes", false, 0}}},
		"attempts alone":                      {vs("retries: {attempts: 3}"), []summary{{3, true, "no", false, 0}}},
		"what the mesh does anyway":           {vs("retries: {attempts: 2}"), []summary{{2, true, "no", true, 0}}},
		"a condition of one's own":            {vs("retries: {attempts: 2, retryOn: 5xx}"), []summary{{2, true, "no", false, 0}}},
		"a timeout of 0s is none":             {vs("retries: {attempts: 3}, timeout: 0s"), []summary{{3, true, "no", false, 0}}},
		"a templated timeout":                 {vs("retries: {attempts: 3}, timeout: \"${T}\""), []summary{{3, true, "unknown", false, 0}}},
		"a templated timeout and a known one": {vs("retries: {attempts: 3, perTryTimeout: 1s}, timeout: \"${T}\""), []summary{{3, true, "yes", false, 0}}},
		"templated attempts":                  {vs("retries: {attempts: \"${N}\"}"), []summary{{0, false, "no", false, 0}}},
		"0 switches off":                      {vs("retries: {attempts: 0}"), nil},
		"left out switches off":               {vs("retries: {perTryTimeout: 1s}"), nil},
		"null is left out":                    {vs("retries: {attempts: null}"), nil},
		"below 0 switches off":                {vs("retries: {attempts: -1}"), nil},
		"no mapping":                          {vs("retries: 3"), nil},
		"a route of the Gateway API":          {gw("retry: {attempts: 4}, timeouts: {request: 10s}"), []summary{{4, true, "yes", false, 0}}},
		"a timeout for a try":                 {gw("retry: {attempts: 4}, timeouts: {backendRequest: 500ms}"), []summary{{4, true, "yes", false, 0}}},
		"timeouts that are off":               {gw("retry: {attempts: 4}, timeouts: {request: 0s, backendRequest: 0s}"), []summary{{4, true, "no", false, 0}}},
		"the implementation decides":          {gw("retry: {codes: [503]}"), []summary{{0, false, "no", false, 0}}},
		"no attempt":                          {gw("retry: {attempts: 0}"), nil},
		"Envoy Gateway's defaults":            {backendPolicy("retry: {}"), []summary{{2, true, "yes", true, 3}}},
		"Envoy Gateway with a number":         {backendPolicy("retry: {numRetries: 7, retryOn: {triggers: [5xx]}}"), []summary{{7, true, "yes", false, 3}}},
		"a request that never ends":           {backendPolicy("retry: {numRetries: 3}\ntimeout: {http: {requestTimeout: 0s}}"), []summary{{3, true, "no", false, 3}}},
		"a try that ends":                     {backendPolicy("retry: {numRetries: 3, perRetry: {timeout: 1s}}\ntimeout: {http: {requestTimeout: 0s}}"), []summary{{3, true, "yes", false, 3}}},
		"a breaker with its default":          {backendPolicy("retry: {numRetries: 3}\ncircuitBreaker: {maxConnections: 10}"), []summary{{3, true, "yes", false, 1024}}},
		"a breaker with a number":             {backendPolicy("retry: {numRetries: 3}\ncircuitBreaker: {maxParallelRetries: 20}"), []summary{{3, true, "yes", false, 20}}},
		"a budget in its place":               {backendPolicy("retry: {numRetries: 3}\ncircuitBreaker: {retryBudget: {percent: 20}}"), []summary{{3, true, "yes", false, 0}}},
		"Envoy Gateway without retries":       {backendPolicy("retry: {numRetries: 0}"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []summary
			for _, r := range retries(t, tc.manifest) {
				got = append(got, summary{r.Attempts, r.Known, r.Timed, r.Usual, r.Parallel})
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("retries (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinkerdAnnotationsCountUnlessAServiceProfileStandsThere(t *testing.T) {
	t.Parallel()
	annotated := func(notes string) string {
		return "apiVersion: v1\nkind: Service\nmetadata:\n  name: cart\n  namespace: shop\n  annotations: {" + notes + "}\nspec: {selector: {app: cart}}\n---\n"
	}
	route := func(apiVersion, kind string) string {
		return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata:\n  name: cart\n  namespace: shop\n" +
			"  annotations: {retry.linkerd.io/http: 5xx, retry.linkerd.io/limit: \"6\"}\n" +
			"spec: {parentRefs: [{kind: Service, name: cart}], rules: [{backendRefs: [{name: cart}]}]}\n---\n"
	}
	profile := func(name string) string {
		return "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: " + name + ", namespace: client}\nspec: {routes: []}\n---\n"
	}
	on := annotated(`retry.linkerd.io/http: 5xx, retry.linkerd.io/limit: "6"`)
	for name, tc := range map[string]struct {
		manifest string
		want     []summary
	}{
		"a limit":                         {on, []summary{{6, true, "yes", false, 0}}},
		"gRPC":                            {annotated(`retry.linkerd.io/grpc: internal, retry.linkerd.io/limit: "6"`), []summary{{6, true, "yes", false, 0}}},
		"the default":                     {annotated("retry.linkerd.io/http: 5xx"), []summary{{1, true, "yes", false, 0}}},
		"0 is the default":                {annotated(`retry.linkerd.io/http: 5xx, retry.linkerd.io/limit: "0"`), []summary{{1, true, "yes", false, 0}}},
		"no number":                       {annotated(`retry.linkerd.io/http: 5xx, retry.linkerd.io/limit: "${N}"`), []summary{{1, false, "yes", false, 0}}},
		"no condition":                    {annotated(`retry.linkerd.io/limit: "6"`), nil},
		"other annotations":               {annotated("team: shop"), nil},
		"a ServiceProfile":                {on + profile("cart.shop.svc.cluster.local"), nil},
		"a ServiceProfile of another one": {on + profile("cart.web.svc.cluster.local"), []summary{{6, true, "yes", false, 0}}},
		"an HTTPRoute":                    {route("gateway.networking.k8s.io/v1", "HTTPRoute"), []summary{{6, true, "yes", false, 0}}},
		"Linkerd's own HTTPRoute":         {route("policy.linkerd.io/v1beta3", "HTTPRoute"), []summary{{6, true, "yes", false, 0}}},
		"a GRPCRoute":                     {route("gateway.networking.k8s.io/v1", "GRPCRoute"), []summary{{6, true, "yes", false, 0}}},
		"a route with a ServiceProfile":   {route("gateway.networking.k8s.io/v1", "GRPCRoute") + profile("cart.shop.svc.cluster.local"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []summary
			for _, r := range retries(t, tc.manifest) {
				got = append(got, summary{r.Attempts, r.Known, r.Timed, r.Usual, r.Parallel})
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("retries (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARetryBudgetNamesTheRoutesItIsFor(t *testing.T) {
	t.Parallel()
	got := traffic(one(t, `apiVersion: linkerd.io/v1alpha2
kind: ServiceProfile
metadata: {name: cart.shop.svc.cluster.local}
spec:
  retryBudget: {retryRatio: 0.5}
  routes:
  - {name: read, isRetryable: true}
  - {name: write}
`))["ServiceProfile cart.shop.svc.cluster.local"].RetryBudgets
	want := []facts.RetryBudget{{Path: facts.Path{"spec", "retryBudget", "retryRatio"}, Ratio: 0.5, Text: "0.5", Routes: []string{"read"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("budgets (-want +got):\n%s", diff)
	}
}

func TestAHealthCheckOfEnvoyGatewayIsReadWithItsDefaults(t *testing.T) {
	t.Parallel()
	workload := deployment("cart", "replicas: 3", "") + service("cart") + deployment("stock", "replicas: 5", "") + service("stock")
	route := func(rules string) string { return httpRoute("rules:\n" + rules) }
	target := "targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: v}]\n"
	type check struct {
		Detector                string
		Limit, Panic, Ejectable int
		Known                   bool
		Least, Most             int
	}
	for name, tc := range map[string]struct {
		manifest, policy string
		want             check
	}{
		"passive defaults": {
			workload + route("- {backendRefs: [{name: cart}]}"), target + "healthCheck: {passive: {}}",
			check{"5xx", 10, 50, 0, true, 3, 3},
		},
		"one may always be out": {
			workload + route("- {backendRefs: [{name: cart}]}"), target + "healthCheck: {passive: {alwaysEjectOneEndpoint: true}}",
			check{"5xx", 10, 50, 1, true, 3, 3},
		},
		"0 is 0 here": {
			workload + route("- {backendRefs: [{name: cart}]}"), target + "healthCheck: {passive: {maxEjectionPercent: 0}}",
			check{"5xx", 0, 50, 0, true, 3, 3},
		},
		"active takes out all": {
			workload + route("- {backendRefs: [{name: cart}]}"), target + "healthCheck: {panicThreshold: 0, active: {type: TCP}}",
			check{"active", 100, 0, 3, true, 3, 3},
		},
		"the backends of a rule are one cluster": {
			workload + route("- {backendRefs: [{name: cart}, {name: stock}]}"), target + "healthCheck: {passive: {}}",
			check{"5xx", 10, 50, 0, true, 8, 8},
		},
		"each rule is a cluster": {
			workload + route("- {backendRefs: [{name: cart}]}\n- {backendRefs: [{name: stock}]}"), target + "healthCheck: {passive: {}}",
			check{"5xx", 10, 50, 0, true, 3, 5},
		},
		"a backend that is no Service": {
			workload + route("- {backendRefs: [{group: gateway.envoyproxy.io, kind: Backend, name: cart}]}"), target + "healthCheck: {passive: {}}",
			check{"5xx", 10, 50, 0, false, 0, 0},
		},
		"a Service of which nothing is known": {
			route("- {backendRefs: [{name: cart}]}"), target + "healthCheck: {passive: {}}",
			check{"5xx", 10, 50, 0, false, 0, 0},
		},
		"a route that is not there": {
			workload, target + "healthCheck: {passive: {}}",
			check{"5xx", 10, 50, 0, false, 0, 0},
		},
		"a Gateway": {
			workload, "targetRef: {kind: Gateway, name: v}\nhealthCheck: {passive: {}}",
			check{"5xx", 10, 50, 0, false, 0, 0},
		},
		"no check": {
			workload, "healthCheck: {panicThreshold: 20}",
			check{"none", 0, 20, 0, false, 0, 0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := traffic(one(t, tc.manifest+backendPolicy(tc.policy)))["BackendTrafficPolicy v"].Ejections[0]
			got := check{e.Detector, e.Limit, e.Panic, e.EjectableLeast, e.Endpoints.Known, e.Endpoints.Least, e.Endpoints.Most}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("check (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCircuitBreakingOfLinkerdHasNoFloor(t *testing.T) {
	t.Parallel()
	annotated := func(notes string) string {
		return "apiVersion: v1\nkind: Service\nmetadata:\n  name: cart\n  annotations: {" + notes + "}\nspec: {selector: {app: cart}}\n---\n"
	}
	profile := "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: cart.shop.svc.cluster.local}\nspec: {routes: []}\n---\n"
	type breaker struct {
		Threshold, Seconds, Ejectable int
		Time                          string
	}
	for name, tc := range map[string]struct {
		manifest string
		want     []breaker
	}{
		"the defaults":       {annotated("balancer.linkerd.io/failure-accrual: consecutive"), []breaker{{7, 60, 3, "1m"}}},
		"the other mode":     {annotated("balancer.linkerd.io/failure-accrual: unified"), []breaker{{7, 60, 3, "1m"}}},
		"numbers of its own": {annotated("balancer.linkerd.io/failure-accrual: consecutive, balancer.linkerd.io/failure-accrual-consecutive-max-failures: \"3\", balancer.linkerd.io/failure-accrual-consecutive-max-penalty: 90s"), []breaker{{3, 90, 3, "90s"}}},
		"a templated time":   {annotated("balancer.linkerd.io/failure-accrual: consecutive, balancer.linkerd.io/failure-accrual-consecutive-max-penalty: \"${T}\""), []breaker{{7, 0, 3, "${T}"}}},
		"another mode":       {annotated("balancer.linkerd.io/failure-accrual: none"), nil},
		"without the mode":   {annotated("balancer.linkerd.io/failure-accrual-consecutive-max-failures: \"3\""), nil},
		"a ServiceProfile":   {annotated("balancer.linkerd.io/failure-accrual: consecutive") + profile, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []breaker
			for _, p := range traffic(one(t, deployment("cart", "replicas: 3", "")+tc.manifest)) {
				for _, e := range p.Ejections {
					got = append(got, breaker{e.Threshold, e.Seconds, e.EjectableLeast, e.Time})
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("breakers (-want +got):\n%s", diff)
			}
		})
	}
}
