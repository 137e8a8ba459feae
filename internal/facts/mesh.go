package facts

import (
	"fmt"
	"time"

	"github.com/hclint/hclint/loader"
)

// SubjectTraffic is a policy of a service mesh or a gateway: DestinationRule, VirtualService, HTTPRoute, GRPCRoute,
// BackendTrafficPolicy, ServiceProfile, or a Service with annotations of Linkerd.
const SubjectTraffic = "traffic"

// The groups of the traffic policies.
const (
	groupIstio        = "networking.istio.io"
	groupGateway      = "gateway.networking.k8s.io"
	groupEnvoyGateway = "gateway.envoyproxy.io"
	groupLinkerd      = "linkerd.io"
	groupLinkerdRoute = "policy.linkerd.io"
)

// Traffic is the input for a subject of kind traffic: how a mesh or gateway retries requests and takes endpoints out.
type Traffic struct {
	Subject    string `json:"subject" jsonschema:"enum=traffic"`
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	// Target is what the policy is about: a host, a backend, a route; empty when it is not named.
	Target       string           `json:"target" jsonschema:"description=what the policy is about: a host or a backend or a route"`
	Ejections    []Ejection       `json:"ejections"`
	Pools        []ConnectionPool `json:"pools"`
	Retries      []Retry          `json:"retries"`
	RetryBudgets []RetryBudget    `json:"retry_budgets"`
	Partial      bool             `json:"partial"`
}

// Ejection is a block that takes failing endpoints out of load balancing: Istio's outlierDetection, Envoy Gateway's healthCheck, Linkerd's
// annotations for circuit breaking.
type Ejection struct {
	Path  Path   `json:"path" jsonschema:"description=of the block"`
	Scope string `json:"scope" jsonschema:"description=the part of the object that it is about such as a subset; empty for all"`
	// Detector is what takes an endpoint out: a row of 5xx responses, of gateway errors, of failed connections, of failures of any kind,
	// an active health check; none when every detector is switched off.
	Detector  string `json:"detector" jsonschema:"enum=5xx,enum=gateway,enum=local,enum=failure,enum=active,enum=none"`
	Threshold int    `json:"threshold" jsonschema:"description=failures in a row; 0 when unknown or not counted"`
	Time      string `json:"time" jsonschema:"description=how long an endpoint stays out: the first time; the longest time for Linkerd"`
	Seconds   int    `json:"seconds" jsonschema:"description=time in seconds; 0 when unknown"`
	// Limit is the effective percentage of endpoints that may be out; MaxPercent is the field as it stands.
	MaxPercent Quantity `json:"max_percent"`
	MaxPath    Path     `json:"max_path" jsonschema:"description=of the field or of the block where it is missing"`
	Limit      int      `json:"limit" jsonschema:"description=effective maximum percentage of endpoints that may be out"`
	LimitKnown bool     `json:"limit_known"`
	// Panic is the percentage of healthy endpoints under which ejections are ignored; 0 means never.
	PanicField Quantity `json:"panic_field"`
	PanicPath  Path     `json:"panic_path"`
	Panic      int      `json:"panic" jsonschema:"description=percentage of healthy endpoints under which the proxy uses all of them; 0 means never"`
	PanicKnown bool     `json:"panic_known"`
	AlwaysOne  bool     `json:"always_one" jsonschema:"description=one endpoint may always be taken out"`
	// Spread: endpoints of other localities or clusters count too, so the bundle does not show them all.
	Spread    bool      `json:"spread" jsonschema:"description=endpoints of other localities or clusters count too"`
	Endpoints Endpoints `json:"endpoints"`
	// EjectableLeast and EjectableMost are how many endpoints may be out at once, of the least and of the most endpoints.
	EjectableLeast int `json:"ejectable_least"`
	EjectableMost  int `json:"ejectable_most"`
}

// Endpoints is how many endpoints stand behind a policy's target, at least and at most.
type Endpoints struct {
	Known    bool     `json:"known"`
	Least    int      `json:"least"`
	Most     int      `json:"most" jsonschema:"description=more than least when an autoscaler decides"`
	Services []string `json:"services"`
}

// ConnectionPool is a connectionPool of an Istio DestinationRule.
type ConnectionPool struct {
	Path           Path     `json:"path"`
	Scope          string   `json:"scope"`
	MaxRetries     Quantity `json:"max_retries"`
	MaxRetriesPath Path     `json:"max_retries_path" jsonschema:"description=of the field or of the deepest parent"`
	// Budget: a retryBudget caps retries in place of maxRetries.
	Budget    bool      `json:"budget"`
	RetriedBy []Retrier `json:"retried_by"`
}

// Retrier is a route of the bundle that retries requests to a host.
type Retrier struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Attempts int    `json:"attempts" jsonschema:"description=retries of one request; 0 when the implementation decides"`
}

func (b *bundle) newTraffic(o *loader.Object) *Traffic {
	return &Traffic{
		Subject: SubjectTraffic, APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name,
		Ejections: []Ejection{}, Pools: []ConnectionPool{}, Retries: []Retry{}, RetryBudgets: []RetryBudget{},
		Partial: b.partial(o),
	}
}

// input is t as a subject's input: nil when it says nothing.
func (t *Traffic) input() any {
	if len(t.Ejections)+len(t.Pools)+len(t.Retries)+len(t.RetryBudgets) == 0 {
		return nil
	}
	return t
}

// trafficScope is one part of a DestinationRule with a policy of its own.
type trafficScope struct {
	name   string
	subset string            // "" for all
	labels map[string]string // of the subset
	port   int               // 0 for all
	policy loader.Node
	budget bool
}

// trafficScopes lists the parts of a DestinationRule: all of it, its subsets, and their ports. A block stands for itself at each level;
// its fields are not merged with those of the level above (istio.io/istio pilot/pkg/model/destination_rule.go, MergeTrafficPolicy).
func trafficScopes(o *loader.Object) []trafficScope {
	spec := o.Root().Get("spec")
	var out []trafficScope
	add := func(s trafficScope) {
		s.budget = s.budget || s.policy.Get("retryBudget").Present()
		out = append(out, s)
		for _, p := range s.policy.Get("portLevelSettings").Items() {
			inner := s
			inner.policy = p
			inner.port, _ = p.Get("port", "number").Int()
			inner.name = fmt.Sprintf("port %d", inner.port)
			if s.name != "" {
				inner.name = s.name + ", " + inner.name
			}
			out = append(out, inner)
		}
	}
	all := trafficScope{policy: spec.Get("trafficPolicy")}
	add(all)
	for _, n := range spec.Get("subsets").Items() {
		name := n.Get("name").Text()
		add(trafficScope{
			name: fmt.Sprintf("subset %q", name), subset: name, labels: stringMap(n.Get("labels")), policy: n.Get("trafficPolicy"),
			budget: all.policy.Get("retryBudget").Present(),
		})
	}
	return out
}

// destinationRule prepares an Istio DestinationRule.
func (b *bundle) destinationRule(o *loader.Object) any {
	t := b.newTraffic(o)
	t.Target = o.Root().Get("spec", "host").Text()
	scopes := trafficScopes(o)
	spread := false
	for _, s := range scopes {
		spread = spread || spreads(s.policy.Get("loadBalancer", "localityLbSetting"))
	}
	for _, s := range scopes {
		if n := s.policy.Get("outlierDetection"); n.Type() == loader.Map {
			t.Ejections = append(t.Ejections, b.outlierDetection(o, t.Target, s, spread))
		}
		if n := s.policy.Get("connectionPool"); n.Type() == loader.Map {
			t.Pools = append(t.Pools, b.connectionPool(o, t.Target, s, scopes))
		}
	}
	return t.input()
}

// spreads reports whether traffic may leave the locality, which is what outlierDetection is required for.
func spreads(setting loader.Node) bool {
	if on, ok := setting.Get("enabled").Bool(); ok && !on {
		return false
	}
	return setting.Get("failover").Present() || setting.Get("failoverPriority").Present() || setting.Get("distribute").Present()
}

// outlierDetection reads a block as Istio translates it: maxEjectionPercent 0 is taken as unset, so Envoy's 10, and the panic threshold
// becomes minHealthPercent, so 0 and never unless it is set (pilot/pkg/networking/core/cluster_traffic_policy.go, applyOutlierDetection).
func (b *bundle) outlierDetection(o *loader.Object, host string, s trafficScope, spread bool) Ejection {
	n := s.policy.Get("outlierDetection")
	e := Ejection{
		Path: n.Path(), Scope: s.name, Time: textOr(n.Get("baseEjectionTime"), "30s"), Spread: spread,
		MaxPercent: quantity(n.Get("maxEjectionPercent")), PanicField: quantity(n.Get("minHealthPercent")),
		Endpoints: b.endpointsOf(o, host, s.labels),
	}
	e.Detector, e.Threshold = istioDetector(n)
	e.Seconds = seconds(e.Time)
	e.MaxPath = pathOr(n.Get("maxEjectionPercent"), e.Path)
	e.PanicPath = pathOr(n.Get("minHealthPercent"), e.Path)
	e.Limit, e.LimitKnown = effective(e.MaxPercent, 10)
	if e.LimitKnown && e.Limit == 0 {
		e.Limit = 10
	}
	e.Panic, e.PanicKnown = effective(e.PanicField, 0)
	e.count()
	return e
}

// istioDetector says what ejects: Envoy enforces 5 5xx responses in a row unless consecutive5xxErrors says otherwise, and the other two
// only where their number is above 0. consecutiveErrors is the name of the field before Istio 1.9.
func istioDetector(n loader.Node) (detector string, threshold int) {
	errors := n.Get("consecutive5xxErrors")
	if !errors.Present() {
		errors = n.Get("consecutiveErrors")
	}
	if count, known := effective(quantity(errors), 5); !known || count > 0 {
		return "5xx", count
	}
	if count, known := effective(quantity(n.Get("consecutiveGatewayErrors")), 0); !known || count > 0 {
		return "gateway", count
	}
	split, _ := n.Get("splitExternalLocalOriginErrors").Bool()
	if count, known := effective(quantity(n.Get("consecutiveLocalOriginFailures")), 0); split && (!known || count > 0) {
		return "local", count
	}
	return "none", 0
}

// count computes how many endpoints may be out at once. Envoy takes one more out while 100·(out+1)/endpoints is at most the limit
// (source/common/upstream/outlier_detection_impl.cc, ejectHost).
func (e *Ejection) count() {
	if !e.Endpoints.Known || !e.LimitKnown {
		return
	}
	of := func(endpoints int) int {
		n := min(e.Limit, 100) * endpoints / 100
		if e.AlwaysOne && endpoints > 0 {
			n = max(n, 1)
		}
		return n
	}
	e.EjectableLeast, e.EjectableMost = of(e.Endpoints.Least), of(e.Endpoints.Most)
}

// connectionPool reads a block with the routes that retry requests to it. Istio sets Envoy's cap on concurrent retries to 2^32-1 unless
// http.maxRetries is above 0 (cluster_traffic_policy.go, getDefaultCircuitBreakerThresholds and applyConnectionPool).
func (b *bundle) connectionPool(o *loader.Object, host string, s trafficScope, all []trafficScope) ConnectionPool {
	n := s.policy.Get("connectionPool")
	p := ConnectionPool{
		Path: n.Path(), Scope: s.name, MaxRetries: quantity(n.Get("http", "maxRetries")), Budget: s.budget, RetriedBy: []Retrier{},
	}
	p.MaxRetriesPath = pathOr(n.Get("http", "maxRetries"), pathOr(n.Get("http"), p.Path))
	for _, d := range b.mesh.retried(o, host) {
		if d.attempts == 0 && d.kind == "VirtualService" || !s.serves(d, all) {
			continue
		}
		r := Retrier{Kind: d.kind, Name: d.object.Name, Attempts: d.attempts}
		p.RetriedBy = appendNew(p.RetriedBy, r)
	}
	return p
}

// serves reports whether requests to d go through the connectionPool of s: s is about d, and no more specific one is.
func (s trafficScope) serves(d destination, all []trafficScope) bool {
	if !s.about(d) || s.port != 0 && s.port != d.port && d.port != 0 {
		return false
	}
	for _, other := range all {
		if other.narrows(s) && other.about(d) && (other.port == 0 || other.port == d.port) && other.policy.Get("connectionPool").Present() {
			return false
		}
	}
	return true
}

// about reports whether s is about all of the host or about the subset of d.
func (s trafficScope) about(d destination) bool { return s.subset == "" || s.subset == d.subset }

// narrows reports whether s takes the place of other for what it is about: a subset before the whole host, a port before all ports.
func (s trafficScope) narrows(other trafficScope) bool {
	if s.subset != other.subset {
		return s.subset != ""
	}
	return s.port != 0 && other.port == 0
}

// effective is the number that a field stands for, with its default when it is not set.
func effective(q Quantity, unset int) (value int, known bool) {
	if !q.Set {
		return unset, true
	}
	return q.Value, q.Known && !q.Percent
}

// seconds is a duration such as 1m30s in seconds; 0 when it cannot be read.
func seconds(text string) int {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return int(d / time.Second)
}

func textOr(n loader.Node, unset string) string {
	if text := n.Text(); text != "" {
		return text
	}
	return unset
}

// pathOr is the path of n, or of what stands for it when n is absent.
func pathOr(n loader.Node, parent Path) Path {
	if n.Type() == loader.Absent {
		return parent
	}
	return n.Path()
}

// trafficKinds are the kinds of traffic policies; how they retry is read in route.go and linkerd.go.
func trafficKinds() []objectKind {
	return []objectKind{
		{groupIstio, "DestinationRule", SubjectTraffic, (*bundle).destinationRule},
		{groupIstio, "VirtualService", SubjectTraffic, (*bundle).virtualService},
		{groupGateway, "HTTPRoute", SubjectTraffic, (*bundle).gatewayRoute},
		{groupGateway, "GRPCRoute", SubjectTraffic, (*bundle).gatewayRoute},
		{groupLinkerdRoute, "HTTPRoute", SubjectTraffic, (*bundle).gatewayRoute},
		{groupEnvoyGateway, "BackendTrafficPolicy", SubjectTraffic, (*bundle).backendTrafficPolicy},
		{groupLinkerd, "ServiceProfile", SubjectTraffic, (*bundle).serviceProfile},
		{"", "Service", SubjectTraffic, (*bundle).linkerdService},
	}
}
