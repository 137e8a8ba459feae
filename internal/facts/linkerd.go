package facts

import (
	"math"
	"slices"
	"strconv"

	"github.com/hclint/hclint/loader"
)

// Linkerd's annotations for retries, on Services and on the routes of the Gateway API (linkerd2
// policy-controller/k8s/index/src/outbound/index/http.rs, parse_http_retry).
const (
	annotationRetryLimit = "retry.linkerd.io/limit"
	annotationRetryHTTP  = "retry.linkerd.io/http"
	annotationRetryGRPC  = "retry.linkerd.io/grpc"
)

// Linkerd's annotations for circuit breaking, on Services (linkerd2 policy-controller/k8s/index/src/outbound/index.rs,
// parse_accrual_config and parse_consecutive_params).
const (
	annotationAccrual     = "balancer.linkerd.io/failure-accrual"
	annotationMaxFailures = "balancer.linkerd.io/failure-accrual-consecutive-max-failures"
	annotationMaxPenalty  = "balancer.linkerd.io/failure-accrual-consecutive-max-penalty"
)

// linkerdService prepares a Service with Linkerd's annotations, unless a ServiceProfile stands for it: then the proxy ignores them.
func (b *bundle) linkerdService(o *loader.Object) any {
	if !o.Root().Get("metadata", "annotations").Present() || b.mesh.profiled(o.Name, o.Namespace) {
		return nil
	}
	t := b.newTraffic(o)
	t.Target = o.Name
	t.addLinkerdRetry(o, []string{o.Name})
	b.addLinkerdAccrual(t, o)
	return t.input()
}

// addLinkerdAccrual reads the annotations for circuit breaking. 7 failures in a row take an endpoint out by default, for 1 s at first and
// for 1 min at most, and nothing keeps the last one in.
func (b *bundle) addLinkerdAccrual(t *Traffic, o *loader.Object) {
	notes := o.Root().Get("metadata", "annotations")
	mode := notes.Get(annotationAccrual)
	if !slices.Contains([]string{"consecutive", "unified"}, mode.Text()) {
		return
	}
	e := Ejection{
		Path: mode.Path(), MaxPath: mode.Path(), PanicPath: mode.Path(), Detector: "failure", Threshold: 7,
		Time: textOr(notes.Get(annotationMaxPenalty), "1m"), Limit: 100, LimitKnown: true, PanicKnown: true,
		Endpoints: b.serviceEndpoints(o, o.Name, o.Namespace, nil),
	}
	if n := notes.Get(annotationMaxFailures); n.Present() {
		e.Threshold, _ = strconv.Atoi(n.Text())
	}
	e.Seconds = seconds(e.Time)
	e.count()
	t.Ejections = append(t.Ejections, e)
}

// addLinkerdRetry reads the annotations. The conditions switch retries on; the limit is 1 when it is left out or 0.
func (t *Traffic) addLinkerdRetry(o *loader.Object, backends []string) {
	notes := o.Root().Get("metadata", "annotations")
	if !notes.Get(annotationRetryHTTP).Present() && !notes.Get(annotationRetryGRPC).Present() {
		return
	}
	n := notes.Get(annotationRetryLimit)
	r := Retry{
		Path: notes.Path(), AttemptsField: annotationRetryLimit, AttemptsPath: pathOr(n, notes.Path()),
		Attempts: 1, Known: true, Timed: "yes", Backends: backends,
	}
	if n.Present() {
		limit, err := strconv.ParseUint(n.Text(), 10, 16)
		r.Known = err == nil
		if limit > 0 {
			r.Attempts = int(limit)
		}
	}
	t.Retries = append(t.Retries, r)
}

// parentProfiled reports whether a route is bound to a Service that has a ServiceProfile.
func (b *bundle) parentProfiled(o *loader.Object) bool {
	return slices.ContainsFunc(parents(o), func(p loader.Node) bool {
		return p.Get("kind").Text() == "Service" && b.mesh.profiled(p.Get("name").Text(), textOr(p.Get("namespace"), o.Namespace))
	})
}

// serviceProfile prepares the retryBudget of a ServiceProfile and the routes that may be retried.
func (b *bundle) serviceProfile(o *loader.Object) any {
	spec := o.Root().Get("spec")
	ratio := spec.Get("retryBudget", "retryRatio")
	value, err := strconv.ParseFloat(ratio.Text(), 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	t := b.newTraffic(o)
	t.Target = o.Name
	budget := RetryBudget{Path: ratio.Path(), Ratio: value, Text: ratio.Text(), Routes: []string{}}
	for _, r := range spec.Get("routes").Items() {
		if retryable, _ := r.Get("isRetryable").Bool(); retryable {
			budget.Routes = append(budget.Routes, r.Get("name").Text())
		}
	}
	t.RetryBudgets = append(t.RetryBudgets, budget)
	return t.input()
}
