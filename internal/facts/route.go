package facts

import (
	"fmt"
	"time"

	"github.com/hclint/hclint/loader"
)

// Retry is how one route, or every route of a policy, retries a request.
type Retry struct {
	Path  Path   `json:"path" jsonschema:"description=of the block that asks for retries"`
	Route string `json:"route" jsonschema:"description=the part of the object that it is about; empty for all"`
	// Attempts is how many retries follow a failed request, so that one request becomes at most 1 + attempts.
	Attempts      int    `json:"attempts"`
	Known         bool   `json:"known" jsonschema:"description=false when templated or left to the implementation"`
	AttemptsField string `json:"attempts_field" jsonschema:"description=the name of the field; an annotation for Linkerd"`
	AttemptsPath  Path   `json:"attempts_path"`
	// Timed says whether a try or the whole request ends after some time.
	Timed string `json:"timed" jsonschema:"enum=yes,enum=no,enum=unknown,description=whether a timeout bounds a try or the whole request"`
	// Usual: no more than the mesh does when nothing is written.
	Usual    bool     `json:"usual" jsonschema:"description=no more retries than the mesh makes by default"`
	Backends []string `json:"backends" jsonschema:"description=the hosts or Services that get the requests"`
	// Parallel is the proxy's cap on retries that are under way at once; 0 when there is none or it is unknown.
	Parallel int `json:"parallel" jsonschema:"description=cap on retries under way at once in each proxy; 0 without one"`
}

// RetryBudget is the retryBudget of a Linkerd ServiceProfile.
type RetryBudget struct {
	Path  Path    `json:"path" jsonschema:"description=of the ratio"`
	Ratio float64 `json:"ratio" jsonschema:"description=retries for each request"`
	Text  string  `json:"text"`
	// Routes that may be retried; without any the budget has no effect.
	Routes []string `json:"routes"`
}

// virtualService prepares an Istio VirtualService. Attempts below 1 switch retries off (istio.io/istio
// pilot/pkg/networking/core/route/retry/retry.go, ConvertPolicy), and so does a block without them.
func (b *bundle) virtualService(o *loader.Object) any {
	t := b.newTraffic(o)
	for i, route := range o.Root().Get("spec", "http").Items() {
		n := route.Get("retries")
		if n.Type() != loader.Map {
			continue
		}
		r := newRetry(n, "attempts", routeName(route, "http", i))
		if attempts := n.Get("attempts"); !attempts.Present() || switchedOff(attempts) {
			continue
		}
		r.Timed = timed(n.Get("perTryTimeout"), route.Get("timeout"))
		// The default of the mesh: 2 retries of what was certainly not processed.
		r.Usual = r.Known && r.Attempts <= 2 && !n.Get("retryOn").Present()
		for _, d := range route.Get("route").Items() {
			if host := d.Get("destination", "host").Text(); host != "" {
				r.Backends = appendNew(r.Backends, host)
			}
		}
		t.Retries = append(t.Retries, r)
	}
	return t.input()
}

// gatewayRoute prepares an HTTPRoute or GRPCRoute of the Gateway API: its retry fields, and Linkerd's annotations. How often an
// implementation retries when attempts is left out is its own affair.
func (b *bundle) gatewayRoute(o *loader.Object) any {
	t := b.newTraffic(o)
	backends := []string{}
	for i, rule := range o.Root().Get("spec", "rules").Items() {
		backends = append(backends, backendNames(rule)...)
		n := rule.Get("retry")
		if n.Type() != loader.Map {
			continue
		}
		r := newRetry(n, "attempts", routeName(rule, "rules", i))
		r.Known = r.Known && n.Get("attempts").Present()
		if switchedOff(n.Get("attempts")) {
			continue
		}
		r.Timed = timed(rule.Get("timeouts", "backendRequest"), rule.Get("timeouts", "request"))
		r.Backends = backendNames(rule)
		t.Retries = append(t.Retries, r)
	}
	if !b.parentProfiled(o) {
		t.addLinkerdRetry(o, backends)
	}
	return t.input()
}

// backendTrafficPolicy prepares a BackendTrafficPolicy of Envoy Gateway: numRetries is 2 in a retry block that leaves it out, and
// without a timeout of its own a request ends after 15 s, Envoy's default for a route.
func (b *bundle) backendTrafficPolicy(o *loader.Object) any {
	t := b.newTraffic(o)
	spec := o.Root().Get("spec")
	t.Target = policyTarget(spec)
	if n := spec.Get("retry"); n.Type() == loader.Map {
		r := newRetry(n, "numRetries", "")
		if !n.Get("numRetries").Present() {
			r.Attempts, r.Known = 2, true
		}
		r.Timed = timed(n.Get("perRetry", "timeout"), spec.Get("timeout", "http", "requestTimeout"))
		if r.Timed == "no" && !spec.Get("timeout", "http", "requestTimeout").Present() {
			r.Timed = "yes"
		}
		r.Usual = r.Known && r.Attempts <= 2 && !n.Get("retryOn").Present()
		r.Parallel = parallelRetries(spec.Get("circuitBreaker"))
		if !switchedOff(n.Get("numRetries")) {
			t.Retries = append(t.Retries, r)
		}
	}
	if n := spec.Get("healthCheck"); n.Type() == loader.Map {
		t.addHealthCheck(n, b.policyEndpoints(o))
	}
	return t.input()
}

// parallelRetries is the cap on concurrent retries in Envoy Gateway: Envoy's 3 without a circuitBreaker, 1024 in one that leaves
// maxParallelRetries out, none where a retryBudget takes its place (api/v1alpha1/circuitbreaker_types.go).
func parallelRetries(n loader.Node) int {
	switch field := n.Get("maxParallelRetries"); {
	case n.Get("retryBudget").Present() || field.Unknown():
		return 0
	case field.Present():
		v, _ := field.Int()
		return v
	case n.Present():
		return 1024
	}
	return 3
}

// addHealthCheck reads the healthCheck of a BackendTrafficPolicy. Active checks take out any number of endpoints, passive ones up to
// maxEjectionPercent, which is 10 by default; panicThreshold is 50 by default (api/v1alpha1/healthcheck_types.go).
func (t *Traffic) addHealthCheck(n loader.Node, endpoints Endpoints) {
	passive, active := n.Get("passive"), n.Get("active")
	e := Ejection{
		Path: n.Path(), Detector: "none", Endpoints: endpoints, Time: textOr(passive.Get("baseEjectionTime"), "30s"),
		PanicField: quantity(n.Get("panicThreshold")), PanicPath: pathOr(n.Get("panicThreshold"), n.Path()), MaxPath: n.Path(),
	}
	e.Seconds = seconds(e.Time)
	e.Panic, e.PanicKnown = effective(e.PanicField, 50)
	switch {
	case active.Type() == loader.Map:
		e.Detector, e.Limit, e.LimitKnown = "active", 100, true
	case passive.Type() == loader.Map:
		e.Detector = "5xx"
		e.Threshold, _ = effective(quantity(passive.Get("consecutive5XxErrors")), 5)
		e.MaxPercent = quantity(passive.Get("maxEjectionPercent"))
		e.MaxPath = pathOr(passive.Get("maxEjectionPercent"), passive.Path())
		e.Limit, e.LimitKnown = effective(e.MaxPercent, 10)
		e.AlwaysOne, _ = passive.Get("alwaysEjectOneEndpoint").Bool()
	}
	e.count()
	t.Ejections = append(t.Ejections, e)
}

// policyEndpoints counts the endpoints behind each rule of the routes that a BackendTrafficPolicy is attached to: Envoy Gateway makes
// one cluster of each rule.
func (b *bundle) policyEndpoints(o *loader.Object) Endpoints {
	out := Endpoints{Services: []string{}}
	for _, ref := range targetRefs(o.Root().Get("spec")) {
		route := b.objectNear(o, ref.Get("kind").Text(), o.Namespace, ref.Get("name").Text())
		if route == nil || group(route.APIVersion) != groupGateway {
			return Endpoints{Services: []string{}}
		}
		for _, rule := range route.Root().Get("spec", "rules").Items() {
			of := b.ruleEndpoints(route, rule)
			if !of.Known {
				return Endpoints{Services: []string{}}
			}
			if !out.Known || of.Least < out.Least {
				out.Least = of.Least
			}
			out.Known, out.Most = true, max(out.Most, of.Most)
			for _, s := range of.Services {
				out.Services = appendNew(out.Services, s)
			}
		}
	}
	return out
}

func (b *bundle) ruleEndpoints(route *loader.Object, rule loader.Node) Endpoints {
	out := Endpoints{Services: []string{}}
	for _, ref := range rule.Get("backendRefs").Items() {
		name, namespace, ok := serviceRef(route, ref)
		if !ok {
			return Endpoints{}
		}
		of := b.serviceEndpoints(route, name, namespace, nil)
		if !of.Known {
			return Endpoints{}
		}
		out.Known = true
		out.Least += of.Least
		out.Most += of.Most
		out.Services = append(out.Services, name)
	}
	return out
}

func targetRefs(spec loader.Node) []loader.Node {
	var out []loader.Node
	if n := spec.Get("targetRef"); n.Present() {
		out = append(out, n)
	}
	for _, n := range spec.Get("targetRefs").Items() {
		out = append(out, n)
	}
	return out
}

// policyTarget names what a policy is attached to: HTTPRoute web.
func policyTarget(spec loader.Node) string {
	refs := targetRefs(spec)
	if len(refs) == 0 {
		return ""
	}
	return refs[0].Get("kind").Text() + " " + refs[0].Get("name").Text()
}

// backendNames lists the backends of one rule of a route, each once.
func backendNames(rule loader.Node) []string {
	names := []string{}
	for _, ref := range rule.Get("backendRefs").Items() {
		if name := ref.Get("name").Text(); name != "" {
			names = appendNew(names, name)
		}
	}
	return names
}

func newRetry(n loader.Node, field, route string) Retry {
	q := quantity(n.Get(field))
	attempts, known := effective(q, 0)
	return Retry{
		Path: n.Path(), Route: route, Attempts: attempts, Known: known, AttemptsField: field,
		AttemptsPath: pathOr(n.Get(field), n.Path()), Backends: []string{},
	}
}

// switchedOff reports whether a number of retries is written that leaves none.
func switchedOff(attempts loader.Node) bool {
	n, ok := attempts.Int()
	return ok && n <= 0
}

// routeName is how a person finds a route: its name, else its place in the list.
func routeName(n loader.Node, list string, i int) string {
	if name := n.Get("name").Text(); name != "" {
		return fmt.Sprintf("route %q", name)
	}
	return fmt.Sprintf("%s[%d]", list, i)
}

// timed reports whether one of the timeouts is set; 0s is how to write that there is none.
func timed(timeouts ...loader.Node) string {
	state := "no"
	for _, n := range timeouts {
		if !n.Present() {
			continue
		}
		d, err := time.ParseDuration(n.Text())
		switch {
		case err != nil || n.Unknown():
			state = "unknown"
		case d > 0:
			return "yes"
		}
	}
	return state
}
