package facts

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/hclint/hclint/loader"
)

// The defaults of systemd: systemd-system.conf(5) and systemd.service(5).
const (
	unitDelay    = 0.1
	unitInterval = 10.0
	unitBurst    = 5
)

// units prepares a subject for each systemd service and each drop-in.
func units(files []*loader.File) []Subject {
	var all []*loader.Object
	for _, f := range files {
		for _, o := range f.Objects {
			if o.Format == loader.Unit {
				all = append(all, o)
			}
		}
	}
	var out []Subject
	for _, o := range all {
		u := unitLayers{judged: o, name: unitName(o), layers: layersOf(o, all)}
		out = append(out, Subject{Kind: SubjectUnit, File: o.File, Object: o, Input: u.read()})
	}
	return out
}

// unitName is the unit that a file is about: of a drop-in the one that its directory names.
func unitName(o *loader.Object) string {
	if dir, ok := strings.CutSuffix(path.Base(path.Dir(o.File.Name)), ".d"); ok && isDropin(o) {
		return dir
	}
	return path.Base(o.File.Name)
}

func isDropin(o *loader.Object) bool { return path.Ext(o.File.Name) == ".conf" }

// layersOf are the files that make up the unit that o belongs to, the one that wins first: drop-ins in reverse order of their
// names, then the unit. They stand in one directory, or below it.
func layersOf(o *loader.Object, all []*loader.Object) []*loader.Object {
	dir := path.Dir(o.File.Name)
	if isDropin(o) {
		dir = path.Dir(dir)
	}
	name := unitName(o)
	var dropins, base []*loader.Object
	for _, other := range all {
		switch {
		case unitName(other) != name:
		case isDropin(other) && path.Dir(path.Dir(other.File.Name)) == dir:
			dropins = append(dropins, other)
		case !isDropin(other) && path.Dir(other.File.Name) == dir:
			base = append(base, other)
		}
	}
	slices.SortStableFunc(dropins, func(a, b *loader.Object) int {
		return strings.Compare(path.Base(b.File.Name), path.Base(a.File.Name))
	})
	return append(dropins, base...)
}

// unitLayers is a unit with its drop-ins.
type unitLayers struct {
	judged *loader.Object
	name   string
	layers []*loader.Object
}

func (u unitLayers) read() *Unit {
	service := []string{"Service"}
	unit := []string{"Unit", "Service"} // the old place is [Service], where only the old names are read
	out := &Unit{
		Subject: SubjectUnit, Name: u.name, Dropin: isDropin(u.judged),
		Type:  u.text("simple", service, "Type").Text,
		Stray: u.stray(),
		Keys: UnitKeys{
			Restart:  u.text("no", service, "Restart"),
			Delay:    u.time("100ms", unitDelay, service, "RestartSec"),
			Interval: u.time("10s", unitInterval, unit, "StartLimitIntervalSec", "StartLimitInterval"),
			Burst:    u.text(strconv.Itoa(unitBurst), unit, "StartLimitBurst"),
			Action:   u.text("none", unit, "StartLimitAction"),
			MaxDelay: u.time("infinity", 0, service, "RestartMaxDelaySec"),
		},
	}
	steps := u.text("0", service, "RestartSteps")
	out.Keys.BackOff = steps.Set && steps.Text != "0" && out.Keys.MaxDelay.Set
	out.Limit = unitLimit(&out.Keys)
	if !out.Keys.Interval.Set && !slices.ContainsFunc(u.layers, func(o *loader.Object) bool { return !isDropin(o) }) {
		out.Limit = UnitLimit{} // the unit, which is not here, may set it
	}
	return out
}

// unitLimit applies the rate limit of systemd to starts that follow each other as fast as the delay allows. The start after the
// burst is refused when it comes before the interval has passed since the first: src/basic/ratelimit.c.
func unitLimit(k *UnitKeys) UnitLimit {
	on := k.Restart.Set && k.Restart.Known && k.Restart.Text != "no"
	l := UnitLimit{Known: on && k.Delay.Known && !k.Delay.Infinite && k.Interval.Known && k.Burst.Known}
	if !l.Known {
		return l
	}
	burst := float64(k.Burst.Value)
	if k.Interval.Infinite {
		l.Off, l.Trips, l.Needed = burst <= 0, burst > 0, round(burst*k.Delay.Seconds)
		return l
	}
	if l.Off = burst <= 0 || k.Interval.Seconds <= 0; l.Off {
		return l
	}
	l.Needed = round(burst * k.Delay.Seconds)
	if l.Trips = l.Needed < k.Interval.Seconds; l.Trips {
		l.Longest = round(k.Interval.Seconds/burst - k.Delay.Seconds)
	}
	return l
}

// readIn reports whether systemd reads a key in a section. The start limit moved to [Unit] in version 229, and the old names
// still count in [Service]; StartLimitIntervalSec never did (src/core/load-fragment-gperf.gperf.in).
func readIn(section, key string) bool {
	switch key {
	case "Restart", "RestartSec", "RestartSteps", "RestartMaxDelaySec", "RestartMode", "Type", "RestartPreventExitStatus",
		"RestartForceExitStatus", "SuccessExitStatus":
		return section == "Service"
	case "StartLimitIntervalSec":
		return section == "Unit"
	case "StartLimitInterval", "StartLimitBurst", "StartLimitAction":
		return section == "Unit" || section == "Service"
	}
	return false
}

// homeOf is the section where a key belongs.
func homeOf(key string) string {
	switch {
	case readIn("Unit", key):
		return "Unit"
	case readIn("Service", key):
		return "Service"
	}
	return ""
}

// text finds a setting: in the layer that wins, under one of its names. An empty value resets it to the default.
func (u unitLayers) text(unset string, sections []string, names ...string) UnitText {
	for _, o := range u.layers {
		n, key := lastOf(o, sections, names)
		if n.Type() == loader.Absent {
			continue
		}
		text := n.Text()
		if text == "" {
			break
		}
		out := UnitText{Set: true, Own: o == u.judged, Key: key, Text: text, Known: !unitTemplate(text)}
		if out.Path = (Path{}); out.Own {
			out.Path = n.Path()
		}
		out.Value, _ = strconv.Atoi(text)
		return out
	}
	value, _ := strconv.Atoi(unset)
	return UnitText{Known: true, Text: unset, Value: value, Key: names[0]}
}

// lastOf is the assignment to any of the names that comes last in the file.
func lastOf(o *loader.Object, sections, names []string) (found loader.Node, key string) {
	for _, section := range sections {
		for _, name := range names {
			n := o.Root().Get(section, name)
			if n.Type() == loader.Absent || !readIn(section, name) {
				continue
			}
			if found.Type() == loader.Absent || n.KeySpan().Start.Offset > found.KeySpan().Start.Offset {
				found, key = n, name
			}
		}
	}
	return found, key
}

func (u unitLayers) time(unset string, seconds float64, sections []string, names ...string) UnitTime {
	t := u.text(unset, sections, names...)
	out := UnitTime{Set: t.Set, Path: t.Path, Own: t.Own, Key: t.Key, Known: t.Known, Text: t.Text, Seconds: seconds}
	if t.Set && t.Known {
		out.Seconds, out.Infinite, out.Known = timeSpan(t.Text)
	}
	return out
}

// stray finds keys about restarts that stand where systemd ignores them.
func (u unitLayers) stray() []StrayUnit {
	out := []StrayUnit{}
	for section, keys := range u.judged.Root().Entries() {
		if section != "Unit" && section != "Service" && section != "Install" {
			continue
		}
		for key, value := range keys.Entries() {
			s := StrayUnit{Path: value.Path(), Key: key, Text: value.Text(), Section: section, Home: homeOf(key)}
			switch {
			case key == "Type", readIn(section, key):
				continue
			case s.Home == "":
				if s.Meant = nearUnitKey(key); s.Meant == "" {
					continue
				}
				s.Home = homeOf(s.Meant)
			}
			out = append(out, s)
		}
	}
	return out
}

// nearUnitKey is the key about restarts that a misspelt one means; "" when none is near enough.
func nearUnitKey(key string) string {
	if !strings.HasPrefix(key, "Restart") && !strings.HasPrefix(strings.ToLower(key), "startlimit") && !strings.HasPrefix(strings.ToLower(key), "restart") {
		return ""
	}
	best, least := "", 5
	for _, known := range []string{"Restart", "RestartSec", "StartLimitIntervalSec", "StartLimitBurst", "StartLimitAction"} {
		if d := levenshtein.ComputeDistance(strings.ToLower(key), strings.ToLower(known)); d < least && d*3 <= len(known)+2 {
			best, least = known, d
		}
	}
	return best
}

// unitTemplate reports text that another program fills in: %i of a template unit, @PREFIX@, {{ x }}, ${X}.
func unitTemplate(text string) bool {
	return templated(text) || strings.ContainsAny(text, "%@")
}
