package facts

import (
	"math"
	"strconv"
	"strings"
)

// timeSpan reads a time span of systemd.time(7): "5min 20s", "1h30m", "2.5" (seconds), "infinity".
func timeSpan(text string) (seconds float64, infinite, ok bool) {
	text = strings.TrimSpace(text)
	if text == "infinity" {
		return 0, true, true
	}
	for rest := text; rest != ""; {
		digits := 0
		for digits < len(rest) && (rest[digits] >= '0' && rest[digits] <= '9' || rest[digits] == '.') {
			digits++
		}
		value, err := strconv.ParseFloat(rest[:digits], 64)
		if err != nil {
			return 0, false, false
		}
		rest = strings.TrimLeft(rest[digits:], " \t")
		end := strings.IndexAny(rest, " \t0123456789.")
		if end < 0 {
			end = len(rest)
		}
		unit, known := timeUnit(rest[:end])
		if !known {
			return 0, false, false
		}
		seconds += value * unit
		rest = strings.TrimLeft(rest[end:], " \t")
	}
	return round(seconds), false, text != ""
}

func timeUnit(name string) (seconds float64, ok bool) {
	switch name {
	case "usec", "us", "µs", "μs":
		return 1e-6, true
	case "msec", "ms":
		return 1e-3, true
	case "", "seconds", "second", "sec", "s":
		return 1, true
	case "minutes", "minute", "min", "m":
		return 60, true
	case "hours", "hour", "hr", "h":
		return 3600, true
	case "days", "day", "d":
		return 86400, true
	case "weeks", "week", "w":
		return 604800, true
	case "months", "month", "M":
		return 2629800, true
	case "years", "year", "y":
		return 31557600, true
	}
	return 0, false
}

// round drops what floating point adds.
func round(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }
