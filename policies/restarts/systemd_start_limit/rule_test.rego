package policies.restarts.systemd_start_limit_test

import data.policies.restarts.systemd_start_limit as rule

# unit is a service with its settings; those in keys replace the defaults, and limit is the arithmetic over them.
unit(keys, limit) := {
	"name": "ledger.service",
	"dropin": false,
	"stray": [],
	"keys": object.union(
		{
			"restart": text("Restart", "on-failure"),
			"delay": unset("RestartSec", "100ms", 0.1),
			"interval": unset("StartLimitIntervalSec", "10s", 10),
			"burst": {"set": false, "own": false, "key": "StartLimitBurst", "text": "5", "value": 5, "path": []},
			"action": {"set": false, "text": "none"},
			"back_off": false,
		},
		keys,
	),
	"limit": object.union({"known": true, "off": false, "trips": false, "longest": 0, "needed": 50}, limit),
}

text(key, value) := {"set": true, "own": true, "key": key, "text": value, "value": 0, "path": ["Service", key]}

unset(key, value, seconds) := {"set": false, "own": false, "key": key, "text": value, "seconds": seconds, "infinite": false, "path": []}

span(section, key, value, seconds) := {
	"set": true, "own": true, "key": key, "text": value, "seconds": seconds, "infinite": false, "path": [section, key],
}

burst(value) := {
	"set": true, "own": true, "key": "StartLimitBurst", "text": sprintf("%d", [value]), "value": value,
	"path": ["Unit", "StartLimitBurst"],
}

delay(value, seconds) := span("Service", "RestartSec", value, seconds)

interval(value, seconds) := span("Unit", "StartLimitIntervalSec", value, seconds)

longer(seconds, starts) := {
	"title": "count the starts over a time that they can reach",
	"safety": "display",
	"suggestion": sprintf("[Unit]\nStartLimitIntervalSec=%d\nStartLimitBurst=%d\n", [seconds, starts]),
}

growing(value) := {
	"title": "or let the delay grow, with systemd 254 or later",
	"safety": "display",
	"suggestion": sprintf("[Service]\nRestartSec=%s\nRestartSteps=8\nRestartMaxDelaySec=5min\n", [value]),
}

written := unit({"delay": delay("10", 10), "interval": interval("30", 30)}, {})

test_a_written_limit_that_cannot_trip_is_found if {
	rule.findings == {{
		"path": ["Unit", "StartLimitIntervalSec"],
		"message": "start limit of ledger.service can never trip: with RestartSec=10 the start after 5 others comes 50 s or more after the first of them, and the interval is 30 s",
		"effect": "a service that fails at once is started again every 10 s for ever, 360 times an hour",
		"fixes": [longer(100, 5), growing("10")],
	}} with input as written
}

test_a_written_burst_is_where_it_stands_without_an_interval if {
	some finding in rule.findings with input as unit({"delay": delay("1h", 3600), "burst": burst(2)}, {"needed": 7200})
	finding.path == ["Unit", "StartLimitBurst"]
	finding.effect == "a service that fails at once is started again every 3600 s for ever, 1 times an hour"
	finding.fixes[0] == longer(14400, 2)
}

test_what_stands_in_another_file_is_judged_there if {
	elsewhere := object.union(interval("30", 30), {"own": false})
	rule.findings == set() with input as unit({"delay": delay("10", 10), "interval": elsewhere}, {})
}

test_a_default_limit_put_out_of_force_is_information if {
	rule.findings == {{
		"path": ["Service", "RestartSec"],
		"message": "default start limit of ledger.service can never trip: with RestartSec=2 the start after 5 others comes 10 s or more after the first of them, and the interval is 10 s",
		"effect": "a service that fails at once is started again every 2 s for ever, 1800 times an hour",
		"severity": "info",
		"fixes": [longer(60, 5), growing("2")],
	}} with input as unit({"delay": delay("2", 2)}, {"needed": 10})
}

test_a_delay_that_grows_is_a_limit_of_its_own if {
	rule.findings == set() with input as unit({"delay": delay("2", 2), "back_off": true}, {"needed": 10})
}

test_a_limit_that_is_off_is_found if {
	rule.findings == {{
		"path": ["Unit", "StartLimitIntervalSec"],
		"message": "ledger.service has no start limit: StartLimitIntervalSec=0, so StartLimitBurst=3 counts for nothing",
		"effect": "a service that fails at once is started again every 100 ms for ever, 36000 times an hour",
		"fixes": [longer(60, 3), growing("1s")],
	}} with input as unit({"interval": interval("0", 0), "burst": burst(3)}, {"off": true})
}

test_a_burst_of_0_is_no_limit if {
	some finding in rule.findings with input as unit({"burst": burst(0), "delay": delay("0", 0)}, {"off": true})
	finding.message == "ledger.service has no start limit: StartLimitBurst=0"
	finding.effect == "a service that fails at once is started again without a pause, for ever"
	finding.fixes[0] == longer(60, 5)
}

test_no_limit_with_a_delay_that_grows_is_none if {
	rule.findings == set() with input as unit({"interval": interval("0", 0), "back_off": true}, {"off": true})
}

test_a_limit_that_another_file_turns_off_is_judged_there if {
	off := object.union(interval("0", 0), {"own": false})
	rule.findings == set() with input as unit({"interval": off}, {"off": true})
}

stray(key, section, home, meant) := {
	"path": [section, key], "key": key, "text": "300", "section": section, "home": home, "meant": meant,
}

misplaced(keys, limit) := object.union(unit(keys, limit), {"stray": [stray("StartLimitIntervalSec", "Service", "Unit", "")]})

test_a_key_in_the_wrong_section_is_found_alone if {
	rule.findings == {{
		"path": ["Service", "StartLimitIntervalSec"],
		"message": "StartLimitIntervalSec=300 of ledger.service stands in [Service], where systemd ignores it",
		"effect": "the limit in force is 4 starts in 10 s, which can never trip with RestartSec=5s",
		"fixes": [{"title": "write it in [Unit]", "safety": "display", "suggestion": "[Unit]\nStartLimitIntervalSec=300\n"}],
	}} with input as misplaced({"delay": delay("5s", 5), "burst": burst(4)}, {"needed": 20})
}

test_a_limit_that_trips_all_the_same_is_told if {
	some finding in rule.findings with input as misplaced({}, {"trips": true})
	finding.effect == "the limit in force is 5 starts in 10s"
}

test_a_misspelt_key_is_found if {
	misspelt := object.union(unit({}, {"trips": true}), {"stray": [stray("StartLimitBursts", "Unit", "Unit", "StartLimitBurst")]})
	rule.findings == {{
		"path": ["Unit", "StartLimitBursts"],
		"message": "StartLimitBursts of ledger.service is no key of systemd, which ignores it; StartLimitBurst is one",
		"effect": "the limit in force is 5 starts in 10s",
		"fixes": [{"title": "write StartLimitBurst", "safety": "display", "suggestion": "[Unit]\nStartLimitBurst=300\n"}],
	}} with input as misspelt
}

off_restart := {"set": false, "own": false, "key": "Restart", "text": "no", "path": []}

test_a_restart_in_the_wrong_section_restarts_nothing if {
	lost := object.union(unit({"restart": off_restart}, {"known": false}), {"stray": [
		object.union(stray("Restart", "Unit", "Service", ""), {"text": "always"}),
		object.union(stray("RestartSec", "Unit", "Service", ""), {"text": "30"}),
	]})
	found := rule.findings with input as lost
	{[f.message, f.effect] | some f in found} == {
		["Restart=always of ledger.service stands in [Unit], where systemd ignores it", "the service is not restarted at all"],
		["RestartSec=30 of ledger.service stands in [Unit], where systemd ignores it", "restarts come 100 ms after each exit"],
	}
}

test_keys_astray_in_a_service_that_nothing_restarts_are_none if {
	still := object.union(unit({"restart": off_restart}, {"known": false}), {"stray": [stray("StartLimitIntervalSec", "Service", "Unit", "")]})
	rule.findings == set() with input as still
}

test_restart_no_is_off if {
	still := object.union(
		unit({"restart": text("Restart", "no")}, {"known": false}),
		{"stray": [stray("StartLimitIntervalSec", "Service", "Unit", "")]},
	)
	rule.findings == set() with input as still
}

always := unit({"restart": text("Restart", "always")}, {"trips": true, "longest": 1.9, "needed": 0.5})

test_always_with_the_default_limit_is_information if {
	rule.findings == {{
		"path": ["Service", "Restart"],
		"message": "ledger.service is given up after 5 starts in 10 s although Restart=always",
		"effect": concat(" ", [
			"a process that fails within 1.9 s of its start, as it may while a dependency is down,",
			"stays down until it is started by hand",
		]),
		"severity": "info",
		"fixes": [growing("1s")],
	}} with input as always
}

test_on_failure_with_the_default_limit_is_none if {
	rule.findings == set() with input as unit({}, {"trips": true})
}

test_always_with_a_limit_of_its_own_is_none if {
	rule.findings == set() with input as object.union(always, {"keys": {"interval": interval("60", 60)}})
	rule.findings == set() with input as object.union(always, {"keys": {"burst": burst(10)}})
	rule.findings == set() with input as object.union(always, {"keys": {"delay": delay("1", 1)}})
}

test_always_with_an_action_is_none if {
	rule.findings == set() with input as object.union(always, {"keys": {"action": {"set": true, "text": "reboot"}}})
}

test_always_in_a_dropin_is_none if {
	rule.findings == set() with input as object.union(always, {"dropin": true})
}

test_unknown_numbers_are_none if {
	rule.findings == set() with input as unit({"delay": delay("10", 10), "interval": interval("@X@", 10)}, {"known": false})
}

test_a_limit_that_trips_is_none if {
	rule.findings == set() with input as unit({"delay": delay("1", 1), "interval": interval("60", 60)}, {"trips": true})
}
