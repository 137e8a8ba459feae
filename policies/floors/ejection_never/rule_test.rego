package policies.floors.ejection_never_test

import data.policies.floors.ejection_never as rule

unset := {"set": false, "known": false, "text": "", "percent": false, "value": 0}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

endpoints(least, most) := {"known": true, "least": least, "most": most, "services": ["cart"]}

# policy of a kind with one block: three endpoints and the default of 10%.
policy(kind, fields) := {"kind": kind, "name": "cart", "ejections": [object.union(
	{
		"scope": "",
		"detector": "5xx",
		"max_percent": unset,
		"max_path": ["max"],
		"limit": 10,
		"limit_known": true,
		"spread": false,
		"endpoints": endpoints(3, 3),
		"ejectable_least": 0,
		"ejectable_most": 0,
	},
	fields,
)]}

finding(where, most, limit, size, suggestion) := {
	"path": ["max"],
	"message": sprintf("%s cart never takes an endpoint out: 1 of %d is more than maxEjectionPercent, %s", [where, most, limit]),
	"effect": "a replica of cart that answers with errors keeps its share of the traffic",
	"fixes": [{
		"title": sprintf("let one of %d endpoints be out", [size]),
		"safety": "display",
		"suggestion": suggestion,
	}],
}

test_one_of_three_is_more_than_the_default if {
	want := {finding(
		"outlierDetection of DestinationRule", 3, "which is 10 by default", 3,
		{"outlierDetection": {"maxEjectionPercent": 34}},
	)}
	rule.findings == want with input as policy("DestinationRule", {})
}

test_zero_counts_as_the_default if {
	want := {finding(
		"outlierDetection for port 80 of DestinationRule", 3, "where 0 counts as 10", 3,
		{"outlierDetection": {"maxEjectionPercent": 34}},
	)}
	rule.findings == want with input as policy("DestinationRule", {"scope": "port 80", "max_percent": count_of(0)})
}

test_the_most_endpoints_decide_and_the_least_are_the_fix if {
	want := {finding(
		"outlierDetection of DestinationRule", 6, "which is 15", 2,
		{"outlierDetection": {"maxEjectionPercent": 50}},
	)}
	rule.findings == want with input as policy("DestinationRule", {
		"endpoints": endpoints(1, 6), "limit": 15, "max_percent": count_of(15),
	})
}

test_passive_checks_of_envoy_gateway_are_found if {
	want := {finding(
		"healthCheck.passive of BackendTrafficPolicy", 4, "which is 10 by default", 4,
		{"spec": {"healthCheck": {"passive": {"maxEjectionPercent": 25}}}},
	)}
	rule.findings == want with input as policy("BackendTrafficPolicy", {"endpoints": endpoints(4, 4)})
}

test_one_may_be_out_at_full_size if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"endpoints": endpoints(2, 10), "ejectable_most": 1})
}

test_a_single_endpoint_is_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"endpoints": endpoints(1, 1)})
}

test_unknown_endpoints_are_not if {
	unknown := {"known": false, "least": 0, "most": 0, "services": []}
	count(rule.findings) == 0 with input as policy("DestinationRule", {"endpoints": unknown})
}

test_endpoints_of_other_clusters_are_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"spread": true})
}

test_a_templated_limit_is_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"limit_known": false})
}

test_detectors_that_are_off_are_not if {
	count(rule.findings) == 0 with input as policy("DestinationRule", {"detector": "none"})
}

test_active_checks_are_not if {
	count(rule.findings) == 0 with input as policy("BackendTrafficPolicy", {"detector": "active"})
}
