package policies.restarts.cronjob_pileup_test

import data.policies.restarts.cronjob_pileup as rule

unset := {"set": false, "known": false, "value": 0}

default_of(n) := {"set": false, "known": true, "value": n}

whole(n) := {"set": true, "known": true, "value": n}

templated := {"set": true, "known": false, "value": 0}

cronjob(cron, fields) := object.union(
	{
		"kind": "CronJob", "name": "sync", "fragment": false,
		"job": {
			"set": true, "deadline": unset, "pods": default_of(1),
			"cron": object.union(
				{
					"set": true, "schedule": "*/5 * * * *", "known": true, "every": 300, "per_day": 288,
					"concurrency_policy": "Allow", "suspended": false,
				},
				cron,
			),
		},
	},
	fields,
)

finding(often, jobs, deadline) := {
	"path": ["spec", "concurrencyPolicy"],
	"message": sprintf(
		"CronJob sync starts a Job %s while earlier ones may still run: concurrencyPolicy is Allow, and no Job has a deadline",
		[often],
	),
	"effect": sprintf("while a dependency hangs, up to %s pile up in a day, and all of them go on when it comes back", [jobs]),
	"fixes": [{
		"title": "skip a start while the last Job runs, and end a Job that hangs",
		"safety": "display",
		"suggestion": {"spec": {"concurrencyPolicy": "Forbid", "jobTemplate": {"spec": {"activeDeadlineSeconds": deadline}}}},
	}],
}

test_every_five_minutes_is_found if {
	rule.findings == {finding("every 5 min", "288 Jobs", 600)} with input as cronjob({}, {})
}

test_every_minute_is_found_with_its_pods if {
	rule.findings == {finding("every minute", "1440 Jobs of 4 pods", 600)} with input as cronjob(
		{"every": 60, "per_day": 1440},
		{"job": {"pods": whole(4)}},
	)
}

test_odd_intervals_are_found if {
	rule.findings == {finding("every 90 s", "960 Jobs", 600)} with input as cronjob({"every": 90, "per_day": 960}, {})
	rule.findings == {finding("every 20 min", "72 Jobs", 2400)} with input as cronjob({"every": 1200, "per_day": 72}, {})
}

test_hourly_is_none if {
	rule.findings == set() with input as cronjob({"every": 3600, "per_day": 24}, {})
}

test_twice_a_night_is_none if {
	rule.findings == set() with input as cronjob({"every": 1800, "per_day": 2}, {})
}

test_what_bounds_or_stops_it_is_none if {
	every cron in [{"concurrency_policy": "Forbid"}, {"concurrency_policy": "Replace"}, {"suspended": true}] {
		rule.findings == set() with input as cronjob(cron, {})
	}
	rule.findings == set() with input as cronjob({}, {"job": {"deadline": whole(240)}})
	rule.findings == set() with input as cronjob({}, {"job": {"deadline": templated}})
}

test_what_is_not_known_is_none if {
	rule.findings == set() with input as cronjob({"known": false}, {})
	rule.findings == set() with input as cronjob({"concurrency_policy": ""}, {})
	rule.findings == set() with input as cronjob({}, {"fragment": true})
	rule.findings == set() with input as cronjob({"set": false}, {})
}
