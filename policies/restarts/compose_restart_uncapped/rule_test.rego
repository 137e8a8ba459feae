package policies.restarts.compose_restart_uncapped_test

import data.policies.restarts.compose_restart_uncapped as rule

file(services) := {"subject": "compose", "swarm": {"confidence": "", "why": ""}, "services": services}

stack(services) := object.union(file(services), {"swarm": {"confidence": "certain", "why": "deploy.placement of service api"}})

# service is an api in plain Compose with restart always and a healthcheck that nothing acts on.
service(more) := object.union(
	{
		"name": "api",
		"restart": {"set": true, "own": true, "text": "always", "also": [], "path": ["services", "api", "restart"]},
		"restart_policy": {
			"set": false, "own": false, "has_attempts": false, "delay": "", "delay_seconds": 0, "window": "", "window_seconds": 0, "also": [],
		},
		"exit": {"policy": "always", "cap": 0, "from": "restart", "path": ["services", "api", "restart"], "own": true},
		"health": {
			"set": true, "own": true, "known": true, "harmless": 60, "fatal": 150, "start_period": 0,
			"path": ["services", "api", "healthcheck"],
		},
		"actor": {"name": "", "confidence": "", "why": "", "path": [], "own": false},
	},
	more,
)

swarm := {"name": "Swarm", "confidence": "certain", "why": "deploy.placement of service api", "own": true, "path": []}

policy(more) := object.union(
	{
		"set": true, "own": true, "path": ["services", "api", "deploy", "restart_policy"], "has_attempts": false,
		"delay": "10s", "delay_seconds": 10,
	},
	more,
)

by_policy(cap) := {
	"policy": "on-failure", "cap": cap, "from": "restart_policy", "path": ["services", "api", "deploy", "restart_policy"], "own": true,
}

replaced(lack, path, delay, fix) := {{
	"path": path,
	"container": "api",
	"message": sprintf(`service "api" is replaced without a cap whenever its healthcheck fails: %s`, [lack]),
	"effect": concat("", [
		"an outage under 60 s makes no container unhealthy, one of 150 s or more makes every one so; ",
		sprintf("Swarm (deploy.placement of service api) starts the next task %d s later, for as long as the check fails", [delay]),
	]),
	"confidence": "certain",
	"fixes": [{
		"title": "cap the replacements, within a window that they fit in",
		"safety": "display",
		"suggestion": {"services": {"api": {"deploy": {"restart_policy": fix}}}},
	}],
}}

test_swarm_without_attempts_is_found if {
	rule.findings == replaced(
		"deploy.restart_policy has no max_attempts",
		["services", "api", "deploy", "restart_policy"],
		10,
		{"condition": "on-failure", "max_attempts": 3, "window": "960s", "delay": "10s"},
	) with input as stack([service({"actor": swarm, "restart_policy": policy({}), "exit": by_policy(0)})])
}

test_0_attempts_are_no_cap if {
	some finding in rule.findings with input as stack([service({
		"actor": swarm,
		"restart_policy": policy({"has_attempts": true}),
		"exit": by_policy(0),
	})])
	endswith(finding.message, "max_attempts 0 is no cap")
}

test_the_default_of_swarm_has_no_cap if {
	default_exit := {"policy": "always", "cap": 0, "from": "default", "path": ["services", "api"], "own": true}
	unsaid := service({"actor": swarm, "exit": default_exit, "restart": {"set": false, "own": false}})
	rule.findings == replaced(
		"there is no deploy.restart_policy",
		["services", "api", "healthcheck"],
		5,
		{"condition": "on-failure", "max_attempts": 3, "window": "960s"},
	) with input as stack([unsaid])
	some finding in rule.findings with input as stack([service({"actor": swarm})])
	endswith(finding.message, "restart: always has no cap")
}

test_swarm_that_does_not_restart_is_none if {
	never := object.union(by_policy(0), {"policy": "no"})
	rule.findings == set() with input as stack([service({"actor": swarm, "restart_policy": policy({}), "exit": never})])
}

test_swarm_with_attempts_is_none if {
	capped := policy({"has_attempts": true})
	rule.findings == set() with input as stack([service({"actor": swarm, "restart_policy": capped, "exit": by_policy(3)})])
}

test_what_a_service_extends_is_judged_there if {
	rule.findings == set() with input as stack([service({
		"actor": swarm,
		"restart_policy": policy({"own": false}),
		"exit": object.union(by_policy(0), {"own": false}),
	})])
}

windowed(seconds, text) := service({
	"actor": swarm,
	"restart_policy": policy({"has_attempts": true, "window": text, "window_seconds": seconds}),
	"exit": by_policy(3),
})

test_a_window_that_is_too_short_is_found if {
	rule.findings == {{
		"path": ["services", "api", "deploy", "restart_policy", "window"],
		"container": "api",
		"message": concat("", [
			`cap of service "api" can never trip on a failing healthcheck: `,
			"3 restarts take 210 s or more, and only those within 120s count",
		]),
		"effect": "Swarm (deploy.placement of service api) goes on replacing the task for as long as the check fails",
		"confidence": "certain",
		"fixes": [{
			"title": "cap the replacements, within a window that they fit in",
			"safety": "display",
			"suggestion": {"services": {"api": {"deploy": {"restart_policy": {
				"condition": "on-failure", "max_attempts": 3, "window": "960s", "delay": "10s",
			}}}}},
		}],
	}} with input as stack([windowed(120, "120s")])
}

test_a_window_that_is_long_enough_is_none if {
	rule.findings == set() with input as stack([windowed(600, "10m")])
}

test_a_window_over_a_check_of_unknown_length_is_none if {
	unknown := object.union(windowed(120, "120s"), {"health": {"known": false}})
	rule.findings == set() with input as stack([unknown])
}

healed(more) := service(object.union(
	{
		"actor": {"name": "autoheal", "confidence": "certain", "why": "label autoheal", "label": "autoheal", "helper": "", "path": ["services", "api", "labels", 0], "own": true},
		"exit": {"policy": "on-failure", "cap": 3, "from": "restart", "path": ["services", "api", "restart"], "own": true},
		"restart": {"text": "on-failure:3"},
	},
	more,
))

remote := {"targets": [{"remote": false, "decides": true}, {"remote": true, "decides": true}]}

test_autoheal_is_found_whatever_restart_says if {
	rule.findings == {{
		"path": ["services", "api", "labels", 0],
		"container": "api",
		"message": `service "api" is restarted by autoheal without a cap whenever its healthcheck fails (label autoheal)`,
		"effect": concat("", [
			"an outage under 60 s makes no container unhealthy, one of 150 s or more makes every one so; ",
			"autoheal restarts it each time, whatever else is down at that moment; restart: on-failure:3 counts exits, not these restarts",
		]),
		"confidence": "certain",
		"fixes": [{
			"title": "let the process exit when it cannot go on, and the engine count the restarts",
			"safety": "display",
			"suggestion": {"services": {"api": {"restart": "on-failure:5", "labels": {"autoheal": "false"}}}},
		}],
	}} with input as file([healed({"health": remote})])
}

test_autoheal_with_a_check_of_the_container_alone_is_information if {
	targets := [{"remote": false, "decides": true}, {"remote": true, "decides": false}]
	some finding in rule.findings with input as file([healed({"health": {"targets": targets}})])
	finding.severity == "info"
	finding.message == `service "api" is restarted by autoheal without a cap whenever its healthcheck fails (label autoheal)`
}

test_the_helped_services_of_a_file_are_one_finding if {
	found := rule.findings with input as file([healed({}), healed({"name": "web"}), service({"exit": {"policy": "no"}}), healed({"health": remote})])
	{f.message | some f in found} == {
		"2 of 4 services are restarted by autoheal without a cap whenever their healthchecks fail: api, web",
		`service "api" is restarted by autoheal without a cap whenever its healthcheck fails (label autoheal)`,
	}
}

test_one_strike_and_unknown_timings_are_told if {
	some single in rule.findings with input as file([healed({"health": {"harmless": 0, "fatal": 30}})])
	startswith(single.effect, "one failed check makes a container unhealthy, an outage of 30 s or more every one; autoheal")
	some unknown in rule.findings with input as file([healed({"health": {"known": false}, "exit": {"cap": 0}})])
	unknown.effect == "a failing check makes the container unhealthy; autoheal restarts it each time, whatever else is down at that moment"
}

test_a_helper_that_watches_all_is_told_to_look_at_labels if {
	some finding in rule.findings with input as file([healed({"actor": {"label": "", "helper": "medic"}})])
	finding.fixes[0].suggestion == {"services": {
		"api": {"restart": "on-failure:5"},
		"medic": {"environment": {"AUTOHEAL_CONTAINER_LABEL": "autoheal"}},
	}}
}

test_a_label_of_another_file_is_judged_there if {
	rule.findings == set() with input as file([healed({"actor": {"own": false}})])
}

loop := concat("", [
	"a process that ran for 10 s or more is started again 100 ms after it exits, for ever; one that exits sooner waits up to a minute; ",
	"a container that is only unhealthy is not restarted",
])

capped_exits := "cap the restarts where the container need not come back with the host, which on-failure leaves out"

test_plain_compose_is_information if {
	rule.findings == {{
		"path": ["services", "api", "restart"],
		"container": "api",
		"message": `service "api" is restarted without a cap after every exit: restart: always`,
		"effect": loop,
		"severity": "info",
		"fixes": [{
			"title": capped_exits,
			"safety": "display",
			"suggestion": {"services": {"api": {"restart": "on-failure:5"}}},
		}],
	}} with input as file([service({})])
}

test_on_failure_without_a_count_is_information if {
	some finding in rule.findings with input as file([service({
		"exit": {"policy": "on-failure"},
		"restart": {"text": "on-failure"},
	})])
	finding.message == `service "api" is restarted without a cap after every failure: restart: on-failure`
}

test_the_services_of_a_file_are_one_finding if {
	services := [object.union(service({}), {"name": name}) | some name in ["a", "b", "c", "d", "e"]]
	some finding in rule.findings with input as file(array.concat(services, [service({"exit": {"cap": 3}})]))
	finding.path == ["services", "api", "restart"]
	finding.message == "5 of 6 services are restarted without a cap after every exit (restart: always): a, b, c and 2 more"
}

test_services_that_share_the_text_count if {
	some finding in rule.findings with input as file([service({"restart": {"also": ["worker"]}}), service({"exit": {"own": false}})])
	finding.message == "2 of 2 services are restarted without a cap after every exit (restart: always): api, worker"
}

test_each_setting_is_a_finding_of_its_own if {
	stopped := service({"name": "web", "restart": {"text": "unless-stopped"}, "exit": {"policy": "unless-stopped"}})
	found := rule.findings with input as file([service({}), stopped])
	{f.message | some f in found} == {
		`service "api" is restarted without a cap after every exit: restart: always`,
		`service "web" is restarted without a cap after every exit: restart: unless-stopped`,
	}
}

test_a_stack_says_what_swarm_does if {
	unchecked := service({"exit": by_policy(0), "restart_policy": policy({"has_condition": true, "condition": "on-failure"})})
	some finding in rule.findings with input as stack([unchecked])
	finding.message == `service "api" is restarted without a cap after every failure: deploy.restart_policy with condition on-failure and without max_attempts`
	finding.effect == "Swarm starts the next task 5 s after one ends unless delay says otherwise, for ever"
	finding.fixes[0].title == "cap the replacements"
	bare := service({"exit": object.union(by_policy(0), {"policy": "always"}), "restart_policy": policy({"has_condition": false})})
	some third in rule.findings with input as stack([bare])
	third.message == `service "api" is restarted without a cap after every exit: deploy.restart_policy with no condition and without max_attempts`
	silent := service({"exit": {"from": "default"}})
	some other in rule.findings with input as stack([silent])
	other.message == `service "api" is restarted without a cap after every exit: Swarm's default`
}

test_a_count_is_none if {
	rule.findings == set() with input as file([service({"exit": {"policy": "on-failure", "cap": 5}})])
}

test_no_restart_is_none if {
	rule.findings == set() with input as file([service({"exit": {"policy": "no"}})])
}

test_an_unknown_policy_is_none if {
	rule.findings == set() with input as file([service({"exit": {"policy": "unknown"}})])
}
