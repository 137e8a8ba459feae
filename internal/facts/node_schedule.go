package facts

import (
	"slices"
	"strconv"
	"strings"
	"time"
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

// scheduleStarts lists the minutes of the week at which a cron schedule fires; nil when it is not a weekly one.
func scheduleStarts(schedule string) []int {
	switch schedule {
	case "@hourly":
		schedule = "0 * * * *"
	case "@daily", "@midnight":
		schedule = "0 0 * * *"
	case "@weekly":
		schedule = "0 0 * * 0"
	}
	fields := strings.Fields(schedule)
	if len(fields) != 5 || !anyDay(fields[2]) || !anyDay(fields[3]) {
		return nil
	}
	minutes, hours, days := cronField(fields[0], 0, 59, nil), cronField(fields[1], 0, 23, nil), cronField(fields[4], 0, 6, weekdays())
	var out []int
	for _, d := range days {
		for _, h := range hours {
			for _, m := range minutes {
				out = append(out, d*minutesOfDay+h*60+m)
			}
		}
	}
	return out
}

func weekdays() []string { return []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"} }

func anyDay(field string) bool { return field == "*" || field == "?" || field == "*/1" }

// cronField lists the values of one field: *, lists, ranges, steps, and names counted from low. What it cannot read has no values.
func cronField(field string, low, high int, names []string) []int {
	var out []int
	for part := range strings.SplitSeq(strings.ToLower(field), ",") {
		span, step, stepped := strings.Cut(part, "/")
		by := 1
		if stepped {
			n, err := strconv.Atoi(step)
			if err != nil || n < 1 {
				return nil
			}
			by = n
		}
		first, last, ok := cronSpan(span, low, high, names, stepped)
		if !ok {
			return nil
		}
		for v := first; v <= last; v += by {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func cronSpan(span string, low, high int, names []string, stepped bool) (first, last int, ok bool) {
	if span == "*" || span == "?" {
		return low, high, true
	}
	from, to, ranged := strings.Cut(span, "-")
	first, ok = cronValue(from, names)
	last = first
	switch {
	case ranged && ok:
		last, ok = cronValue(to, names)
	case stepped:
		last = high
	}
	return first, last, ok && low <= first && first <= last && last <= high
}

func cronValue(text string, names []string) (int, bool) {
	if i := slices.Index(names, text); i >= 0 {
		return i, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
