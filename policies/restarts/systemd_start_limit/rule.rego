# METADATA
# title: systemd service whose start limit does not limit
# description: |
#   systemd stops restarting a unit that starts more than StartLimitBurst times (5) within StartLimitIntervalSec (10 s). The limit
#   trips only when StartLimitBurst × (RestartSec + the time until it fails) is less than the interval: with RestartSec=2 or more
#   the default limit never does, and the service is restarted for as long as it fails. StartLimitIntervalSec=0 turns the limit
#   off. StartLimitIntervalSec is read in [Unit] alone; in [Service] it is ignored with a line in the journal, while StartLimitBurst
#   still counts there under its old name, so that half of the setting applies. A limit that does trip leaves the unit failed
#   until somebody starts it: after an outage of what all hosts share none of them comes back by itself. RestartSteps and
#   RestartMaxDelaySec (systemd 254) let the delay grow instead.
# related_resources:
# - ref: https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html#StartLimitIntervalSec=interval
#   description: The start limit and its section
# - ref: https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html#RestartSec=
#   description: The delay between restarts, and how it can grow
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [unit]
#   kinds: [systemd service]
#   aliases: []
#   fix: display
package policies.restarts.systemd_start_limit

# A limit that somebody wrote and that cannot trip.
findings contains {
	"path": written.path,
	"message": sprintf("start limit of %s can never trip: %s", [input.name, _arithmetic]),
	"effect": _endless,
	"fixes": [_longer, _growing],
} if {
	_dead
	written := [key | some key in [input.keys.interval, input.keys.burst]; key.set][0]
	written.own
}

# The default limit, which RestartSec has put out of force: very many units have that, so it is information.
findings contains {
	"path": input.keys.delay.path,
	"message": sprintf("default start limit of %s can never trip: %s", [input.name, _arithmetic]),
	"effect": _endless,
	"severity": "info",
	"fixes": [_longer, _growing],
} if {
	_dead
	not input.keys.interval.set
	not input.keys.burst.set
	not input.keys.back_off
	input.keys.delay.own
}

# No limit at all.
findings contains {
	"path": off.path,
	"message": sprintf("%s has no start limit: %s=%s%s", [input.name, off.key, off.text, _for_nothing(off)]),
	"effect": _endless,
	"fixes": [_longer, _growing],
} if {
	input.limit.known
	input.limit.off
	not input.keys.back_off
	off := _switch
	off.own
}

# Keys where systemd does not read them.
findings contains {
	"path": stray.path,
	"message": _stray_message(stray),
	"effect": _stray_effect(stray),
	"fixes": [{
		"title": _put(stray),
		"safety": "display",
		"suggestion": sprintf("[%s]\n%s=%s\n", [stray.home, _key(stray), stray.text]),
	}],
} if {
	some stray in input.stray
	_restarts
}

# always, and yet given up after a burst: the fast crashes of an outage use the default limit up.
findings contains {
	"path": input.keys.restart.path,
	"message": sprintf("%s is given up after %d starts in %v s although Restart=always", [
		input.name,
		input.keys.burst.value,
		input.keys.interval.seconds,
	]),
	"effect": sprintf("a process that fails within %v s of its start, as it may while a dependency is down, stays down until it is started by hand", [
		input.limit.longest,
	]),
	"severity": "info",
	"fixes": [_growing],
} if {
	input.limit.known
	input.limit.trips
	input.keys.restart.text == "always"
	input.keys.restart.own
	input.keys.action.text == "none"
	not input.keys.delay.set
	not input.keys.interval.set
	not input.keys.burst.set
	not _interval_astray
	not input.dropin
}

# _dead: there is a limit, and no sequence of failures reaches it.
_dead if {
	input.limit.known
	not input.limit.off
	not input.limit.trips
	not _interval_astray
}

# _interval_astray: the interval that was meant stands where it is ignored, which is a finding of its own.
_interval_astray if {
	some stray in input.stray
	_key(stray) == "StartLimitIntervalSec"
}

_arithmetic := sprintf("with RestartSec=%s the start after %d others comes %v s or more after the first of them, and the interval is %v s", [
	input.keys.delay.text,
	input.keys.burst.value,
	input.limit.needed,
	input.keys.interval.seconds,
])

_endless := sprintf("a service that fails at once is started again every %s for ever, %v times an hour", [
	_seconds(input.keys.delay.seconds),
	_hourly(input.keys.delay.seconds),
]) if {
	input.keys.delay.seconds > 0
} else := "a service that fails at once is started again without a pause, for ever"

_seconds(delay) := sprintf("%v ms", [round(delay * 1000)]) if delay < 1

_seconds(delay) := sprintf("%v s", [delay]) if delay >= 1

_hourly(delay) := max([1, round(3600 / delay)])

# _switch is the key that turns the limit off.
_switch := input.keys.interval if {
	input.keys.interval.set
	input.keys.interval.seconds == 0
	not input.keys.interval.infinite
} else := input.keys.burst

_for_nothing(off) := sprintf(", so %s=%s counts for nothing", [input.keys.burst.key, input.keys.burst.text]) if {
	off.key != input.keys.burst.key
	input.keys.burst.set
	input.keys.burst.value > 0
} else := ""

# _restarts: Restart is on, or was meant to be.
_restarts if {
	input.keys.restart.set
	input.keys.restart.text != "no"
}

_restarts if {
	some stray in input.stray
	_key(stray) == "Restart"
	stray.text != "no"
}

_key(stray) := stray.key if stray.meant == ""

_key(stray) := stray.meant if stray.meant != ""

_put(stray) := sprintf("write it in [%s]", [stray.home]) if {
	stray.section != stray.home
} else := sprintf("write %s", [stray.meant])

_stray_message(stray) := sprintf("%s=%s of %s stands in [%s], where systemd ignores it", [
	stray.key,
	stray.text,
	input.name,
	stray.section,
]) if {
	stray.meant == ""
}

_stray_message(stray) := sprintf("%s of %s is no key of systemd, which ignores it; %s is one", [
	stray.key,
	input.name,
	stray.meant,
]) if {
	stray.meant != ""
}

_stray_effect(stray) := "the service is not restarted at all" if {
	_key(stray) == "Restart"
	not input.keys.restart.set
} else := sprintf("restarts come %s after each exit", [_seconds(input.keys.delay.seconds)]) if {
	_key(stray) == "RestartSec"
} else := sprintf("the limit in force is %d starts in %v s, which can never trip with RestartSec=%s", [
	input.keys.burst.value,
	input.keys.interval.seconds,
	input.keys.delay.text,
]) if {
	input.limit.known
	not input.limit.off
	not input.limit.trips
} else := sprintf("the limit in force is %s starts in %s", [input.keys.burst.text, input.keys.interval.text])

_longer := {
	"title": "count the starts over a time that they can reach",
	"safety": "display",
	"suggestion": sprintf("[Unit]\nStartLimitIntervalSec=%d\nStartLimitBurst=%d\n", [_interval, _burst]),
}

_burst := input.keys.burst.value if {
	input.keys.burst.value > 0
} else := 5

# _interval is twice what the starts take when the process fails at once, and a minute at least.
_interval := max([60, ceil(2 * (_burst * input.keys.delay.seconds))])

_growing := {
	"title": "or let the delay grow, with systemd 254 or later",
	"safety": "display",
	"suggestion": sprintf("[Service]\nRestartSec=%s\nRestartSteps=8\nRestartMaxDelaySec=5min\n", [_delay]),
}

_delay := input.keys.delay.text if {
	input.keys.delay.seconds >= 1
} else := "1s"
