# METADATA
# title: Retries multiply the load of a service that fails
# description: |
#   A proxy that retries sends a failing service the same request again: with attempts: 10 it gets up to 11 requests for each one
#   that arrives, just when it is least able to answer them. Proxies along a call chain multiply: two hops that retry 3 times each
#   turn one request into 16. More than 3 retries are reported, and retries that nothing ends: with neither a timeout for a try nor one for
#   the request, a hung request is never given up, and connections pile up until callers fail as well.
#
#   Istio retries twice by default where a request was certainly not processed; attempts: 0 switches that off. perTryTimeout is
#   the route's timeout unless it is set, and that is none. In the Gateway API the defaults are the implementation's, so a missing timeout
#   there is only likely to be one. Envoy Gateway ends a request after 15 s unless requestTimeout says otherwise, and each of its proxies has 3
#   retries to a backend under way at most, unless circuitBreaker says otherwise. Linkerd retries once
#   unless retry.linkerd.io/limit is higher, and ignores its annotations where a ServiceProfile stands for the Service; the
#   retryRatio of its retryBudget is reported above 1, which doubles the load.
# related_resources:
# - ref: https://sre.google/sre-book/addressing-cascading-failures/
#   description: How retries keep an overloaded service down
# - ref: https://istio.io/latest/docs/reference/config/networking/virtual-service/#HTTPRetry
#   description: retries of an Istio VirtualService, their defaults and their timeouts
# - ref: https://gateway-api.sigs.k8s.io/geps/gep-1731/
#   description: retry of an HTTPRoute, and how it interacts with timeouts
# - ref: https://gateway.envoyproxy.io/docs/tasks/traffic/retry/
#   description: Retries in Envoy Gateway
# - ref: https://linkerd.io/2/reference/retries/
#   description: Retries in Linkerd
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [traffic]
#   kinds: [VirtualService, HTTPRoute, GRPCRoute, BackendTrafficPolicy, Service, ServiceProfile]
#   aliases: []
#   fix: display
package policies.retries.retry_unbounded

findings contains {
	"path": retry.attempts_path,
	"message": sprintf("%s retries a failing request up to %d times", [_where(retry), retry.attempts]),
	"effect": concat("", [
		sprintf("while %s fails, it gets up to %d requests for each one that arrives, ", [_backend(retry), retry.attempts + 1]),
		_unended(retry),
		_capped(retry),
		"and callers that retry multiply that",
	]),
	"fixes": [{
		"title": sprintf("retry twice at most: %s: 2", [retry.attempts_field]),
		"safety": "display",
		"suggestion": _suggestion(retry, 2),
	}],
} if {
	some retry in input.retries
	_many(retry)
}

findings contains object.union(_grade(retry), {
	"path": retry.path,
	"message": sprintf("%s retries without a time limit: %s", [_where(retry), _missing]),
	"effect": sprintf("a request to %s that hangs is never given up, and one that fails is sent %s", [
		_backend(retry),
		_times(retry),
	]),
	"fixes": [{
		"title": "bound each try and the whole request",
		"safety": "display",
		"suggestion": _suggestion(retry, _kept(retry)),
	}],
}) if {
	some retry in input.retries
	retry.timed == "no"
	not _many(retry)
}

findings contains {
	"path": budget.path,
	"message": sprintf("%s %s allows %s retries for each request", [input.kind, input.name, budget.text]),
	"effect": sprintf("while the service fails, retries make its load up to %v times as large", [budget.ratio + 1]),
	"fixes": [{
		"title": "allow one retry for five requests",
		"safety": "display",
		"suggestion": {"spec": {"retryBudget": {"retryRatio": 0.2}}},
	}],
} if {
	some budget in input.retry_budgets
	budget.ratio > 1
	count(budget.routes) > 0
}

_many(retry) if {
	retry.known
	retry.attempts > 3
}

_where(retry) := sprintf("%s %s", [input.kind, input.name]) if {
	retry.route == ""
} else := sprintf("%s of %s %s", [retry.route, input.kind, input.name])

_backend(retry) := concat(" or ", retry.backends) if {
	count(retry.backends) > 0
} else := input.target if {
	input.target != ""
} else := input.name

_unended(retry) := "no timeout ends a try or the request, " if {
	retry.timed == "no"
} else := ""

_capped(retry) := sprintf("with at most %d retries under way at once in each proxy, ", [retry.parallel]) if {
	retry.parallel > 0
} else := ""

_missing := "neither perTryTimeout nor timeout is set" if {
	input.kind == "VirtualService"
} else := "perRetry.timeout is not set, and timeout.http.requestTimeout is 0s" if {
	input.kind == "BackendTrafficPolicy"
} else := "neither timeouts.backendRequest nor timeouts.request is set"

_times(retry) := "once more, however long that takes" if {
	retry.known
	retry.attempts == 1
} else := sprintf("again up to %d times, however long that takes", [retry.attempts]) if {
	retry.known
} else := "again, however long that takes"

# _grade: a gateway may have a timeout of its own, and what the mesh does by default is no mistake of this manifest.
_grade(retry) := {"severity": "info"} if {
	retry.usual
} else := {"confidence": "likely"} if {
	not input.kind in {"VirtualService", "BackendTrafficPolicy"}
} else := {}

_kept(retry) := retry.attempts if {
	retry.known
} else := 2

_suggestion(retry, attempts) := {"retries": {"attempts": attempts, "perTryTimeout": "2s"}, "timeout": "10s"} if {
	input.kind == "VirtualService"
	retry.timed == "no"
} else := {"retries": {"attempts": attempts}} if {
	input.kind == "VirtualService"
} else := {"spec": {
	"retry": {"numRetries": attempts, "perRetry": {"timeout": "2s"}},
	"timeout": {"http": {"requestTimeout": "10s"}},
}} if {
	input.kind == "BackendTrafficPolicy"
	retry.timed == "no"
} else := {"spec": {"retry": {"numRetries": attempts}}} if {
	input.kind == "BackendTrafficPolicy"
} else := {"metadata": {"annotations": {retry.attempts_field: sprintf("%d", [attempts])}}} if {
	retry.attempts_field == "retry.linkerd.io/limit"
} else := {"retry": {"attempts": attempts}, "timeouts": {"request": "10s", "backendRequest": "2s"}} if {
	retry.timed == "no"
} else := {"retry": {"attempts": attempts}}
