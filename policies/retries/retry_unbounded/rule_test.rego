package policies.retries.retry_unbounded_test

import data.policies.retries.retry_unbounded as rule

# policy of a kind with its retries; facts that a case does not name stand for a policy about nothing.
policy(kind, retries) := {"kind": kind, "name": "orders", "target": "", "retries": retries, "retry_budgets": []}

# retry with three tries in a route of a VirtualService, bounded by a timeout.
retry(fields) := object.union(
	{
		"path": ["spec", "http", 0, "retries"],
		"attempts_path": ["spec", "http", 0, "retries", "attempts"],
		"attempts_field": "attempts",
		"route": "http[0]",
		"attempts": 3,
		"known": true,
		"timed": "yes",
		"usual": false,
		"backends": ["orders"],
		"parallel": 0,
	},
	fields,
)

many(where, effect, title, suggestion) := {
	"path": ["spec", "http", 0, "retries", "attempts"],
	"message": sprintf("%s retries a failing request up to 9 times", [where]),
	"effect": effect,
	"fixes": [{"title": title, "safety": "display", "suggestion": suggestion}],
}

untimed(where, missing, effect, suggestion) := {
	"path": ["spec", "http", 0, "retries"],
	"message": sprintf("%s retries without a time limit: %s", [where, missing]),
	"effect": effect,
	"fixes": [{"title": "bound each try and the whole request", "safety": "display", "suggestion": suggestion}],
}

test_more_than_three_retries_are_found if {
	want := {many(
		"http[0] of VirtualService orders",
		"while orders fails, it gets up to 10 requests for each one that arrives, and callers that retry multiply that",
		"retry twice at most: attempts: 2",
		{"retries": {"attempts": 2}},
	)}
	rule.findings == want with input as policy("VirtualService", [retry({"attempts": 9})])
}

test_many_retries_without_an_end_are_one_finding if {
	effect := concat("", [
		"while orders or stock fails, it gets up to 10 requests for each one that arrives, ",
		"no timeout ends a try or the request, and callers that retry multiply that",
	])
	want := {many(
		"http[0] of VirtualService orders",
		effect,
		"retry twice at most: attempts: 2",
		{"retries": {"attempts": 2, "perTryTimeout": "2s"}, "timeout": "10s"},
	)}
	rule.findings == want with input as policy("VirtualService", [retry({
		"attempts": 9,
		"timed": "no",
		"backends": ["orders", "stock"],
	})])
}

test_many_retries_of_an_httproute_are_found if {
	effect := "while orders fails, it gets up to 10 requests for each one that arrives, and callers that retry multiply that"
	title := "retry twice at most: attempts: 2"
	want := {many("http[0] of HTTPRoute orders", effect, title, {"retry": {"attempts": 2}})}
	rule.findings == want with input as policy("HTTPRoute", [retry({"attempts": 9})])
}

test_many_retries_of_a_policy_name_its_target_and_its_cap if {
	want := {many(
		"BackendTrafficPolicy orders",
		concat("", [
			"while HTTPRoute web fails, it gets up to 10 requests for each one that arrives, ",
			"with at most 3 retries under way at once in each proxy, and callers that retry multiply that",
		]),
		"retry twice at most: numRetries: 2",
		{"spec": {"retry": {"numRetries": 2}}},
	)}
	rule.findings == want with input as object.union(
		policy("BackendTrafficPolicy", [retry({
			"attempts": 9, "attempts_field": "numRetries", "route": "", "backends": [], "parallel": 3,
		})]),
		{"target": "HTTPRoute web"},
	)
}

test_a_high_limit_of_linkerd_is_found if {
	want := {many(
		"Service orders",
		"while orders fails, it gets up to 10 requests for each one that arrives, and callers that retry multiply that",
		"retry twice at most: retry.linkerd.io/limit: 2",
		{"metadata": {"annotations": {"retry.linkerd.io/limit": "2"}}},
	)}
	rule.findings == want with input as policy("Service", [retry({
		"attempts": 9, "attempts_field": "retry.linkerd.io/limit", "route": "", "backends": [],
	})])
}

test_retries_without_a_timeout_are_found if {
	want := {untimed(
		"http[0] of VirtualService orders",
		"neither perTryTimeout nor timeout is set",
		"a request to orders that hangs is never given up, and one that fails is sent again up to 3 times, however long that takes",
		{"retries": {"attempts": 3, "perTryTimeout": "2s"}, "timeout": "10s"},
	)}
	rule.findings == want with input as policy("VirtualService", [retry({"timed": "no"})])
}

test_what_the_mesh_does_anyway_is_an_info if {
	want := {object.union({"severity": "info"}, untimed(
		"http[0] of VirtualService orders",
		"neither perTryTimeout nor timeout is set",
		"a request to orders that hangs is never given up, and one that fails is sent once more, however long that takes",
		{"retries": {"attempts": 1, "perTryTimeout": "2s"}, "timeout": "10s"},
	))}
	rule.findings == want with input as policy("VirtualService", [retry({"timed": "no", "attempts": 1, "usual": true})])
}

test_a_gateway_may_have_a_timeout_of_its_own if {
	want := {object.union({"confidence": "likely"}, untimed(
		"http[0] of HTTPRoute orders",
		"neither timeouts.backendRequest nor timeouts.request is set",
		"a request to orders that hangs is never given up, and one that fails is sent again, however long that takes",
		{"retry": {"attempts": 2}, "timeouts": {"request": "10s", "backendRequest": "2s"}},
	))}
	rule.findings == want with input as policy("HTTPRoute", [retry({"timed": "no", "attempts": 0, "known": false})])
}

test_a_timeout_that_is_switched_off_is_found if {
	want := {untimed(
		"BackendTrafficPolicy orders",
		"perRetry.timeout is not set, and timeout.http.requestTimeout is 0s",
		"a request to orders that hangs is never given up, and one that fails is sent again up to 3 times, however long that takes",
		{"spec": {
			"retry": {"numRetries": 3, "perRetry": {"timeout": "2s"}},
			"timeout": {"http": {"requestTimeout": "10s"}},
		}},
	)}
	rule.findings == want with input as policy("BackendTrafficPolicy", [retry({"timed": "no", "route": ""})])
}

profile(ratio, text, routes) := object.union(policy("ServiceProfile", []), {"retry_budgets": [{
	"path": ["spec", "retryBudget", "retryRatio"], "ratio": ratio, "text": text, "routes": routes,
}]})

test_a_budget_that_doubles_the_load_is_found if {
	want := {{
		"path": ["spec", "retryBudget", "retryRatio"],
		"message": "ServiceProfile orders allows 1.5 retries for each request",
		"effect": "while the service fails, retries make its load up to 2.5 times as large",
		"fixes": [{
			"title": "allow one retry for five requests",
			"safety": "display",
			"suggestion": {"spec": {"retryBudget": {"retryRatio": 0.2}}},
		}],
	}}
	rule.findings == want with input as profile(1.5, "1.5", ["GET /"])
}

test_a_budget_of_one_retry_for_each_request_is_not if {
	count(rule.findings) == 0 with input as profile(1, "1", ["GET /"])
}

test_a_budget_for_no_route_is_not if {
	count(rule.findings) == 0 with input as profile(9, "9", [])
}

test_three_retries_with_a_timeout_are_not if {
	count(rule.findings) == 0 with input as policy("VirtualService", [retry({})])
}

test_an_unknown_number_with_a_timeout_is_not if {
	count(rule.findings) == 0 with input as policy("VirtualService", [retry({"known": false, "attempts": 0})])
}

test_an_unknown_timeout_is_not if {
	count(rule.findings) == 0 with input as policy("VirtualService", [retry({"timed": "unknown"})])
}

test_a_policy_about_other_things_is_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", [])
}
