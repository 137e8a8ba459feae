package policies.floors.ejection_no_floor_test

import data.policies.floors.ejection_no_floor as rule

unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

unknown_endpoints := {"known": false, "least": 0, "most": 0, "services": []}

endpoints(n) := {"known": true, "least": n, "most": n, "services": ["cart"]}

# policy of a kind with one block; without more fields it may take out everything of a host that the bundle does not show.
policy(kind, fields) := {"kind": kind, "name": "cart", "ejections": [object.union(
	{
		"scope": "",
		"detector": "5xx",
		"threshold": 5,
		"time": "30s",
		"seconds": 30,
		"max_percent": count_of(100),
		"max_path": ["max"],
		"limit": 100,
		"limit_known": true,
		"panic_field": unset,
		"panic_path": ["panic"],
		"panic": 0,
		"panic_known": true,
		"spread": false,
		"endpoints": unknown_endpoints,
		"ejectable_least": 0,
		"ejectable_most": 0,
	},
	fields,
)]}

istio(where, share, percent, health, effect) := {
	"path": ["max"],
	"message": sprintf(
		"outlierDetection %s may take out %s: maxEjectionPercent is %d, and minHealthPercent is %s, which switches panic mode off",
		[where, share, percent, health],
	),
	"effect": effect,
	"fixes": [{
		"title": "use all endpoints again when fewer than half are healthy: minHealthPercent: 50",
		"safety": "display",
		"suggestion": {"outlierDetection": {"maxEjectionPercent": percent, "minHealthPercent": 50}},
	}],
}

gateway(share, effect) := {
	"path": ["panic"],
	"message": sprintf(
		"healthCheck of BackendTrafficPolicy cart may take out %s: panicThreshold is 0, which switches panic mode off",
		[share],
	),
	"effect": effect,
	"fixes": [{
		"title": "use all endpoints again when fewer than half are healthy: panicThreshold: 50, the default",
		"safety": "display",
		"suggestion": {"spec": {"healthCheck": {"panicThreshold": 50}}},
	}],
}

five := "after 5 responses of 5xx in a row an endpoint is out for 30s or longer"

test_every_endpoint_may_be_out if {
	want := {istio(
		"of DestinationRule cart", "every endpoint at once", 100, "not set",
		sprintf("%s; when a shared dependency fails them all, callers get 503", [five]),
	)}
	rule.findings == want with input as policy("DestinationRule", {})
}

test_known_endpoints_are_counted if {
	want := {istio(
		"for subset \"v1\" of DestinationRule cart", "all 4 endpoints of cart at once", 100, "0",
		sprintf("%s; when a shared dependency fails them all, callers get 503", [five]),
	)}
	rule.findings == want with input as policy("DestinationRule", {
		"scope": "subset \"v1\"", "endpoints": endpoints(4), "ejectable_least": 4, "ejectable_most": 4, "panic_field": count_of(0),
	})
}

test_the_only_endpoint_may_be_out if {
	want := {istio(
		"of DestinationRule cart", "the only endpoint of cart", 100, "not set",
		"after one gateway error an endpoint is out for 30s or longer; callers get 503 meanwhile",
	)}
	rule.findings == want with input as policy("DestinationRule", {
		"endpoints": endpoints(1), "ejectable_least": 1, "ejectable_most": 1, "detector": "gateway", "threshold": 1,
	})
}

test_most_endpoints_may_be_out if {
	want := {istio(
		"of DestinationRule cart", "4 of 5 endpoints of cart at once", 80, "not set",
		concat("", [
			"after a row of failed connections an endpoint is out for 30s or longer; ",
			"when a shared dependency fails most of them, the rest gets all of the load",
		]),
	)}
	rule.findings == want with input as policy("DestinationRule", {
		"endpoints": endpoints(5), "ejectable_least": 4, "ejectable_most": 4,
		"limit": 80, "max_percent": count_of(80), "detector": "local", "threshold": 0,
	})
}

test_a_share_of_unknown_endpoints_may_be_out if {
	want := {istio(
		"of DestinationRule cart", "60% of the endpoints at once", 60, "not set",
		sprintf("%s; when a shared dependency fails most of them, the rest gets all of the load", [five]),
	)}
	rule.findings == want with input as policy("DestinationRule", {"limit": 60, "max_percent": count_of(60)})
}

test_endpoints_of_other_clusters_make_the_number_unknown if {
	want := {istio(
		"of DestinationRule cart", "60% of the endpoints at once", 60, "not set",
		sprintf("%s; when a shared dependency fails most of them, the rest gets all of the load", [five]),
	)}
	rule.findings == want with input as policy("DestinationRule", {
		"limit": 60, "max_percent": count_of(60), "spread": true, "endpoints": endpoints(3), "ejectable_least": 1,
	})
}

test_active_checks_of_envoy_gateway_take_out_all if {
	want := {gateway("all 3 endpoints of cart at once", concat("", [
		"an endpoint whose active health check fails is out until it passes again; ",
		"when a shared dependency fails them all, callers get 503",
	]))}
	rule.findings == want with input as policy("BackendTrafficPolicy", {
		"detector": "active", "threshold": 0, "panic_field": count_of(0), "endpoints": endpoints(3), "ejectable_least": 3,
	})
}

linkerd(share, effect) := {
	"path": ["panic"],
	"severity": "info",
	"message": sprintf("circuit breaking of Service cart may take out %s: Linkerd has no floor for it", [share]),
	"effect": effect,
	"fixes": [{
		"title": "let endpoints in again after 10 s at most",
		"safety": "display",
		"suggestion": {"metadata": {"annotations": {"balancer.linkerd.io/failure-accrual-consecutive-max-penalty": "10s"}}},
	}],
}

test_circuit_breaking_of_linkerd_has_no_floor if {
	want := {linkerd("every endpoint at once", concat("", [
		"after 7 failures in a row an endpoint is out for up to 1m; ",
		"when a shared dependency fails them all, callers get 503",
	]))}
	rule.findings == want with input as policy("Service", {
		"detector": "failure", "threshold": 7, "time": "1m", "seconds": 60,
	})
}

test_a_short_penalty_of_linkerd_is_not if {
	count(rule.findings) == 0 with input as policy("Service", {
		"detector": "failure", "threshold": 7, "time": "10s", "seconds": 10,
	})
}

test_rounding_down_may_leave_half_in if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {
		"limit": 60, "max_percent": count_of(60), "endpoints": endpoints(3), "ejectable_least": 1, "ejectable_most": 1,
	})
}

test_half_is_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"limit": 50, "max_percent": count_of(50)})
}

test_panic_mode_is_a_floor if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"panic": 30, "panic_field": count_of(30)})
}

test_a_templated_floor_is_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"panic_known": false})
}

test_a_templated_limit_is_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"limit": 0, "limit_known": false})
}

test_nothing_ejects if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"detector": "none"})
}

test_no_block_is_not if {
	count(rule.findings) == 0 with input as {"kind": "VirtualService", "name": "cart", "ejections": []}
}
