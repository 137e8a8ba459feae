# METADATA
# title: Outlier ejection may leave no healthy endpoint
# description: |
#   A proxy that takes failing endpoints out of load balancing cannot tell one bad replica from a dependency that fails them all. Envoy
#   has a last resort: when fewer than half of the endpoints are healthy it ignores their state and uses all of them (panic
#   mode). Istio switches that off: any outlierDetection block sets Envoy's threshold to minHealthPercent, which is 0 unless it is set. With
#   maxEjectionPercent above 50 most or all endpoints can then be out at once, and callers get 503 (no healthy upstream), or the few that are
#   left get all of the load. maxEjectionPercent is a limit for a whole cluster of endpoints: of 3, 60% is 1.
#
#   In Envoy Gateway panicThreshold: 0 does the same to active health checks, which take out any number of endpoints, and to passive ones
#   with maxEjectionPercent above 50. Linkerd's circuit breaking (balancer.linkerd.io/failure-accrual) has no floor at all; as nothing can
#   set one, that is an info, and only while its longest penalty, 1 min by default, is above 10 s.
# related_resources:
# - ref: https://istio.io/latest/docs/reference/config/networking/destination-rule/#OutlierDetection
#   description: maxEjectionPercent and minHealthPercent
# - ref: https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/panic_threshold
#   description: Panic mode, its default of 50 % and what happens without it
# - ref: https://gateway.envoyproxy.io/docs/api/extension_types/#healthcheck
#   description: healthCheck of Envoy Gateway, panicThreshold and its default
# - ref: https://linkerd.io/2/reference/circuit-breaking/
#   description: Circuit breaking in Linkerd, its penalties and what happens when every endpoint is out
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [traffic]
#   kinds: [DestinationRule, BackendTrafficPolicy, Service]
#   aliases: []
#   fix: display
package policies.floors.ejection_no_floor

findings contains object.union(_severity, {
	"path": _path(ejection),
	"message": sprintf("%s may take out %s: %s", [_where(ejection), _share(ejection), _reason(ejection)]),
	"effect": sprintf("%s; %s", [_trigger(ejection), _consequence(ejection)]),
	"fixes": [_fix(ejection)],
}) if {
	some ejection in input.ejections
	ejection.detector != "none"
	ejection.panic_known
	ejection.panic == 0
	ejection.limit_known
	ejection.limit > 50
	not _half_stays(ejection)
	not _short(ejection)
}

_severity := {"severity": "info"} if {
	_linkerd
} else := {}

_linkerd if input.kind == "Service"

# _short: Linkerd lets an endpoint in again so soon that a floor would change little.
_short(ejection) if {
	_linkerd
	ejection.seconds <= 10
}

# _half_stays: rounding down leaves at least half of the endpoints in, however many there are.
_half_stays(ejection) if {
	_exact(ejection)
	2 * ejection.ejectable_least <= ejection.endpoints.least
}

_exact(ejection) if {
	ejection.endpoints.known
	ejection.endpoints.least == ejection.endpoints.most
	not ejection.spread
}

_istio if input.kind == "DestinationRule"

_path(ejection) := ejection.max_path if {
	_istio
} else := ejection.panic_path

_where(ejection) := sprintf("outlierDetection of DestinationRule %s", [input.name]) if {
	_istio
	ejection.scope == ""
} else := sprintf("outlierDetection for %s of DestinationRule %s", [ejection.scope, input.name]) if {
	_istio
} else := sprintf("circuit breaking of Service %s", [input.name]) if {
	_linkerd
} else := sprintf("healthCheck of %s %s", [input.kind, input.name])

_share(ejection) := sprintf("the only endpoint of %s", [_services(ejection)]) if {
	_exact(ejection)
	ejection.endpoints.least == 1
} else := sprintf("all %d endpoints of %s at once", [ejection.endpoints.least, _services(ejection)]) if {
	_exact(ejection)
	ejection.ejectable_least == ejection.endpoints.least
} else := sprintf("%d of %d endpoints of %s at once", [
	ejection.ejectable_least,
	ejection.endpoints.least,
	_services(ejection),
]) if {
	_exact(ejection)
} else := "every endpoint at once" if {
	ejection.limit >= 100
} else := sprintf("%d%% of the endpoints at once", [ejection.limit])

_services(ejection) := concat(" and ", ejection.endpoints.services)

_reason(ejection) := sprintf("maxEjectionPercent is %s, and minHealthPercent is %s, which switches panic mode off", [
	ejection.max_percent.text,
	_written(ejection.panic_field),
]) if {
	_istio
} else := "Linkerd has no floor for it" if {
	_linkerd
} else := "panicThreshold is 0, which switches panic mode off"

_written(field) := field.text if {
	field.set
} else := "not set"

_trigger(ejection) := "an endpoint whose active health check fails is out until it passes again" if {
	ejection.detector == "active"
} else := sprintf("after %s an endpoint is out for up to %s", [_failures(ejection), ejection.time]) if {
	_linkerd
} else := sprintf("after %s an endpoint is out for %s or longer", [_failures(ejection), ejection.time])

_failures(ejection) := sprintf("a row of %s", [_kinds[ejection.detector]]) if {
	ejection.threshold == 0
} else := _one[ejection.detector] if {
	ejection.threshold == 1
} else := sprintf("%d %s in a row", [ejection.threshold, _kinds[ejection.detector]])

_kinds := {"5xx": "responses of 5xx", "gateway": "gateway errors", "local": "failed connections", "failure": "failures"}

_one := {"5xx": "one 5xx response", "gateway": "one gateway error", "local": "one failed connection", "failure": "one failure"}

_consequence(ejection) := "callers get 503 meanwhile" if {
	_exact(ejection)
	ejection.endpoints.least == 1
} else := "when a shared dependency fails them all, callers get 503" if {
	_all(ejection)
} else := "when a shared dependency fails most of them, the rest gets all of the load"

_all(ejection) if {
	_exact(ejection)
	ejection.ejectable_least == ejection.endpoints.least
}

_all(ejection) if {
	not _exact(ejection)
	ejection.limit >= 100
}

_fix(ejection) := {
	"title": "use all endpoints again when fewer than half are healthy: minHealthPercent: 50",
	"safety": "display",
	"suggestion": {"outlierDetection": {"maxEjectionPercent": ejection.limit, "minHealthPercent": 50}},
} if {
	_istio
} else := {
	"title": "let endpoints in again after 10 s at most",
	"safety": "display",
	"suggestion": {"metadata": {"annotations": {"balancer.linkerd.io/failure-accrual-consecutive-max-penalty": "10s"}}},
} if {
	_linkerd
} else := {
	"title": "use all endpoints again when fewer than half are healthy: panicThreshold: 50, the default",
	"safety": "display",
	"suggestion": {"spec": {"healthCheck": {"panicThreshold": 50}}},
}
