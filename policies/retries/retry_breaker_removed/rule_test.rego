package policies.retries.retry_breaker_removed_test

import data.policies.retries.retry_breaker_removed as rule

unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

route := {"kind": "VirtualService", "name": "stock", "attempts": 3}

rule_with(fields) := {"name": "stock", "target": "stock.shop.svc.cluster.local", "pools": [object.union(
	{
		"path": ["spec", "trafficPolicy", "connectionPool"],
		"max_retries_path": ["spec", "trafficPolicy", "connectionPool", "http"],
		"scope": "",
		"max_retries": unset,
		"budget": false,
		"retried_by": [route],
	},
	fields,
)]}

finding(where, reason, by) := {
	"path": ["spec", "trafficPolicy", "connectionPool", "http"],
	"message": sprintf("%s caps no retries: %s, so 4294967295 may be under way at once", [where, reason]),
	"effect": sprintf("while stock.shop.svc.cluster.local fails, every failed request is sent again at the same time (%s)", [by]),
	"fixes": [{
		"title": "cap the retries that are under way at once",
		"safety": "display",
		"suggestion": {"connectionPool": {"http": {"maxRetries": 10}}},
	}],
}

test_a_pool_without_a_cap_is_found if {
	want := {finding(
		"connectionPool of DestinationRule stock",
		"http.maxRetries is not set",
		"VirtualService stock retries up to 3 times",
	)}
	rule.findings == want with input as rule_with({})
}

test_zero_counts_as_unset if {
	want := {finding(
		"connectionPool for port 80 of DestinationRule stock",
		"http.maxRetries is 0, which counts as unset",
		"VirtualService stock retries once; HTTPRoute stock retries",
	)}
	rule.findings == want with input as rule_with({
		"scope": "port 80",
		"max_retries": count_of(0),
		"retried_by": [object.union(route, {"attempts": 1}), {"kind": "HTTPRoute", "name": "stock", "attempts": 0}],
	})
}

test_a_cap_is_not if {
	count(rule.findings) == 0 with input as rule_with({"max_retries": count_of(10)})
}

test_a_templated_cap_is_not if {
	count(rule.findings) == 0 with input as rule_with({"max_retries": object.union(unset, {"set": true, "text": "${N}"})})
}

test_a_budget_is_a_cap if {
	count(rule.findings) == 0 with input as rule_with({"budget": true})
}

test_a_host_to_which_nothing_is_retried_is_not if {
	count(rule.findings) == 0 with input as rule_with({"retried_by": []})
}
