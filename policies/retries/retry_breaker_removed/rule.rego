# METADATA
# title: Circuit breaker without a cap on concurrent retries
# description: |
#   Envoy lets at most 3 retries to a service be under way at once. Istio takes that cap away: unless connectionPool.http.maxRetries is
#   above 0 (0 counts as unset) or the policy has a retryBudget, the cap is 4294967295. A connectionPool that limits connections and requests
#   but not retries then looks like a circuit breaker, while a route that retries sends every failed request again, all of them at the same
#   time. The rule looks at hosts to which a VirtualService, or an HTTPRoute bound to a Service, of the same bundle retries requests.
# related_resources:
# - ref: https://istio.io/latest/docs/reference/config/networking/destination-rule/#ConnectionPoolSettings-HTTPSettings
#   description: maxRetries and its default of 2^32-1
# - ref: https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/circuit_breaking
#   description: What the cap on concurrent retries is for
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [traffic]
#   kinds: [DestinationRule]
#   aliases: []
#   fix: display
package policies.retries.retry_breaker_removed

findings contains {
	"path": pool.max_retries_path,
	"message": sprintf("%s caps no retries: %s, so 4294967295 may be under way at once", [_where(pool), _reason(pool)]),
	"effect": sprintf("while %s fails, every failed request is sent again at the same time (%s)", [
		input.target,
		concat("; ", [_retries(route) | some route in pool.retried_by]),
	]),
	"fixes": [{
		"title": "cap the retries that are under way at once",
		"safety": "display",
		"suggestion": {"connectionPool": {"http": {"maxRetries": 10}}},
	}],
} if {
	some pool in input.pools
	not pool.budget
	_uncapped(pool)
	count(pool.retried_by) > 0
}

_uncapped(pool) if not pool.max_retries.set

_uncapped(pool) if {
	pool.max_retries.known
	pool.max_retries.value == 0
}

_reason(pool) := "http.maxRetries is 0, which counts as unset" if {
	pool.max_retries.set
} else := "http.maxRetries is not set"

_where(pool) := sprintf("connectionPool of DestinationRule %s", [input.name]) if {
	pool.scope == ""
} else := sprintf("connectionPool for %s of DestinationRule %s", [pool.scope, input.name])

_retries(route) := sprintf("%s %s retries once", [route.kind, route.name]) if {
	route.attempts == 1
} else := sprintf("%s %s retries up to %d times", [route.kind, route.name, route.attempts]) if {
	route.attempts > 0
} else := sprintf("%s %s retries", [route.kind, route.name])
