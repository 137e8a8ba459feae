package facts

import (
	"slices"
	"time"

	"github.com/robfig/cron/v3"
)

const (
	minutesOfDay  = 24 * 60
	minutesOfWeek = 7 * minutesOfDay
)

// week marks the minutes of a week, from Sunday 00:00 UTC on, in which a budget is active.
type week struct{ marked []bool }

func (w *week) full() bool { return len(w.marked) > 0 && !slices.Contains(w.marked, false) }

// add marks the windows that a schedule opens for a duration: all of the week without a schedule, nothing when the schedule is bound to
// days of the month or cannot be read.
func (w *week) add(schedule, duration string) {
	if w.marked == nil {
		w.marked = make([]bool, minutesOfWeek)
	}
	length := time.Duration(minutesOfWeek) * time.Minute
	starts := []int{0}
	if schedule != "" {
		var err error
		if length, err = time.ParseDuration(duration); err != nil {
			return
		}
		starts = scheduleStarts(schedule)
	}
	for _, start := range starts {
		for i := range min(int(length/time.Minute), minutesOfWeek) {
			w.marked[(start+i)%minutesOfWeek] = true
		}
	}
}

// anyValue is how package cron marks a field of a schedule that is * or ?.
const anyValue = 1 << 63

// scheduleStarts lists the minutes of the week at which a cron schedule fires; nil when it is not a weekly one.
func scheduleStarts(schedule string) []int {
	parsed, _ := parseSchedule(schedule)
	s, ok := parsed.(*cron.SpecSchedule)
	if !ok || s.Dom&anyValue == 0 || s.Month&anyValue == 0 {
		return nil
	}
	var out []int
	for i := range minutesOfWeek {
		day, hour, minute := i/minutesOfDay, i/60%24, i%60
		if (s.Dow>>day)&(s.Hour>>hour)&(s.Minute>>minute)&1 == 1 {
			out = append(out, i)
		}
	}
	return out
}
