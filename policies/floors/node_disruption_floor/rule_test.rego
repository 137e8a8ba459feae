package policies.floors.node_disruption_floor_test

import data.policies.floors.node_disruption_floor as rule

percent(n) := {"set": true, "known": true, "text": sprintf("%d%%", [n]), "percent": true, "value": n}

count_of(n) := {"set": true, "known": true, "text": sprintf("%d", [n]), "percent": false, "value": n}

budget(i, fields) := object.union(
	{"path": ["spec", "disruption", "budgets", i], "nodes": percent(20), "reasons": [], "schedule": "", "duration": ""},
	fields,
)

# reasons gives each reason, when it happens, its limit and the budget that is to blame.
reasons(underutilized, empty, drifted, index) := [
	{"name": "Underutilized", "happens": underutilized != "never", "limit": underutilized, "budget": index},
	{"name": "Empty", "happens": empty != "never", "limit": empty, "budget": index},
	{"name": "Drifted", "happens": true, "limit": drifted, "budget": index},
]

pool(budgets, why) := {
	"name": "general",
	"nodes": {"known": false, "value": 0, "from": ""},
	"budgets_path": ["spec", "disruption", "budgets"],
	"budgets": budgets,
	"reasons": why,
}

finding(path, because, reason, effect, title, budgets) := {
	"path": path,
	"message": sprintf("NodePool general may lose every node at once%s: %s", [because, reason]),
	"effect": sprintf("%s; only PodDisruptionBudgets hold pods back", [effect]),
	"fixes": [{
		"title": title,
		"safety": "display",
		"suggestion": {"spec": {"disruption": {"budgets": budgets}}},
	}],
}

list := ["spec", "disruption", "budgets"]

drift := "what makes all nodes drift, such as a new image, has them all drained and replaced at the same time"

consolidation := "consolidation may drain any number of nodes at the same time"

default_gone := "and a list of budgets replaces the default of 10%"

test_a_reason_without_a_budget_is_found if {
	want := {finding(
		list, " for Drifted", sprintf("no budget names it, %s", [default_gone]), drift, "add a budget for every reason",
		[{"nodes": "20%", "reasons": ["Underutilized"]}, {"nodes": "10%"}],
	)}
	rule.findings == want with input as pool(
		[budget(0, {"reasons": ["Underutilized"]})],
		reasons("bounded", "open", "open", -1),
	)
}

test_two_reasons_without_a_budget_are_one_finding if {
	want := {finding(
		list, " for Drifted and Underutilized", sprintf("no budget names them, %s", [default_gone]), drift,
		"add a budget for every reason",
		[{"nodes": "20%", "reasons": ["Empty"]}, {"nodes": "10%"}],
	)}
	rule.findings == want with input as pool([budget(0, {"reasons": ["Empty"]})], reasons("open", "bounded", "open", -1))
}

test_consolidation_alone_is_found if {
	want := {finding(
		list, " for Underutilized", sprintf("no budget names it, %s", [default_gone]), consolidation,
		"add a budget for every reason",
		[{"nodes": "20%", "reasons": ["Drifted"]}, {"nodes": "10%"}],
	)}
	rule.findings == want with input as pool([budget(0, {"reasons": ["Drifted"]})], reasons("open", "open", "bounded", -1))
}

test_an_empty_list_is_found if {
	want := {finding(
		list, "", "budgets is empty, which takes the default of 10% away", drift, "add a budget for every reason",
		[{"nodes": "10%"}],
	)}
	rule.findings == want with input as pool([], reasons("open", "open", "open", -1))
}

test_time_outside_the_windows_is_found if {
	want := {finding(
		list, "", "the budgets apply in their windows only (0 8 * * mon-fri for 10h)", drift,
		"add a budget for the rest of the time",
		[{"nodes": "20%", "schedule": "0 8 * * mon-fri", "duration": "10h"}, {"nodes": "10%"}],
	)}
	rule.findings == want with input as pool(
		[budget(0, {"schedule": "0 8 * * mon-fri", "duration": "10h"})],
		reasons("at_times", "at_times", "at_times", -1),
	)
}

test_all_percent_is_found if {
	want := {finding(
		["spec", "disruption", "budgets", 1, "nodes"], " for Drifted", "nodes is 100%", drift, "let fewer nodes go",
		[{"nodes": "20%", "reasons": ["Underutilized"]}, {"nodes": "10%", "reasons": ["Drifted"]}],
	)}
	rule.findings == want with input as pool(
		[budget(0, {"reasons": ["Underutilized"]}), budget(1, {"reasons": ["Drifted"], "nodes": percent(100)})],
		reasons("bounded", "bounded", "all", 1),
	)
}

test_all_nodes_of_a_static_pool_are_found if {
	want := {finding(
		["spec", "disruption", "budgets", 0, "nodes"], "", "nodes is 6, and the pool has 5", drift, "let fewer nodes go",
		[{"nodes": "10%"}],
	)}
	rule.findings == want with input as object.union(
		pool([budget(0, {"nodes": count_of(6)})], reasons("never", "never", "all", 0)),
		{"nodes": {"known": true, "value": 5, "from": "replicas"}},
	)
}

test_empty_nodes_without_a_budget_are_not if {
	count(rule.findings) == 0 with input as pool(
		[budget(0, {"reasons": ["Drifted", "Underutilized"]})],
		reasons("bounded", "open", "bounded", -1),
	)
}

test_all_empty_nodes_are_not if {
	count(rule.findings) == 0 with input as pool(
		[budget(0, {}), budget(1, {"reasons": ["Empty"], "nodes": percent(100)})],
		reasons("bounded", "all", "bounded", 1),
	)
}

test_empty_nodes_outside_the_windows_are_not if {
	count(rule.findings) == 0 with input as pool([budget(0, {})], reasons("bounded", "at_times", "bounded", -1))
}

test_a_reason_that_does_not_happen_is_not if {
	count(rule.findings) == 0 with input as pool([budget(0, {})], reasons("never", "never", "bounded", -1))
}

test_the_default_is_not if {
	count(rule.findings) == 0 with input as pool([], reasons("bounded", "bounded", "bounded", -1))
}

test_unknown_budgets_are_not if {
	count(rule.findings) == 0 with input as pool([budget(0, {})], reasons("unknown", "unknown", "unknown", -1))
}
