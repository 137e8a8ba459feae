package facts

import (
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/hclint/hclint/loader"
)

// Cron is when a CronJob starts a Job.
type Cron struct {
	Set      bool   `json:"set"`
	Schedule string `json:"schedule"`
	// Known is false when the schedule is templated or cannot be read; then the next two mean nothing.
	Known bool `json:"known"`
	// Every is the shortest time between two starts in seconds, PerDay the most starts in one day.
	Every  int `json:"every"`
	PerDay int `json:"per_day"`
	// Concurrency is concurrencyPolicy, Allow by default; "" when it is templated.
	Concurrency string `json:"concurrency_policy"`
	Suspended   bool   `json:"suspended"`
}

func cronOf(spec loader.Node) Cron {
	c := Cron{Set: true, Schedule: spec.Get("schedule").Text(), Concurrency: "Allow"}
	if p := spec.Get("concurrencyPolicy"); p.Unknown() {
		c.Concurrency = ""
	} else if p.Text() != "" {
		c.Concurrency = p.Text()
	}
	c.Suspended, _ = spec.Get("suspend").Bool()
	c.Every, c.PerDay, c.Known = frequency(c.Schedule)
	return c
}

// maxStarts bounds how many starts of a schedule are looked at: one a minute for two days.
const maxStarts = 2 * 24 * 60

// parseSchedule reads a schedule with the parser that the CronJob controller and Karpenter use, so that it means here what it means
// there. Neither takes a time zone in it.
func parseSchedule(text string) (cron.Schedule, bool) {
	if strings.Contains(text, "TZ=") {
		return nil, false
	}
	parsed, err := cron.ParseStandard(text)
	return parsed, err == nil
}

// frequency counts the starts of a schedule over a year, or as far as maxStarts go.
func frequency(schedule string) (every, perDay int, ok bool) {
	parsed, ok := parseSchedule(schedule)
	if !ok {
		return 0, 0, false
	}
	_, calendar := parsed.(*cron.SpecSchedule) // the same times every day, which @every does not keep to
	first := time.Date(2027, time.January, 1, 0, 0, 0, 0, time.UTC)
	last, day, today := time.Time{}, time.Time{}, 0
	at := parsed.Next(first.Add(-time.Second))
	for range maxStarts {
		if at.IsZero() || at.Sub(first) > 366*24*time.Hour {
			break
		}
		if !last.IsZero() {
			if gap := int(at.Sub(last) / time.Second); every == 0 || gap < every {
				every = gap
			}
		}
		if d := at.Truncate(24 * time.Hour); !d.Equal(day) {
			if calendar && d.Sub(day) == 24*time.Hour {
				break // a whole day and the step over midnight have been seen: nothing is closer or more
			}
			day, today = d, 0
		}
		today++
		perDay = max(perDay, today)
		last, at = at, parsed.Next(at)
	}
	return every, perDay, true
}
