package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// units are the systemd units among subjects, by file.
func units(subjects []facts.Subject) map[string]*facts.Unit {
	out := map[string]*facts.Unit{}
	for _, s := range subjects {
		if u, ok := s.Input.(*facts.Unit); ok {
			out[s.File.Name] = u
		}
	}
	return out
}

func unit(t *testing.T, text string) *facts.Unit {
	t.Helper()
	u := units(collect(t, map[string]string{"x.service": text}, "x.service"))["x.service"]
	if u == nil {
		t.Fatal("no unit")
	}
	return u
}

func TestTheStartLimitIsSystemdsArithmetic(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, unit, service string
		want                facts.UnitLimit
	}{
		{"the defaults", "", "Restart=always", facts.UnitLimit{Known: true, Trips: true, Longest: 1.9, Needed: 0.5}},
		{"just reached", "", "Restart=always\nRestartSec=1.9", facts.UnitLimit{Known: true, Trips: true, Longest: 0.1, Needed: 9.5}},
		{"just not reached", "", "Restart=always\nRestartSec=2", facts.UnitLimit{Known: true, Needed: 10}},
		{"a longer interval", "StartLimitIntervalSec=5min 20s", "Restart=on-failure\nRestartSec=1min", facts.UnitLimit{Known: true, Trips: true, Longest: 4, Needed: 300}},
		{"another burst", "StartLimitBurst=3", "Restart=on-failure\nRestartSec=3s", facts.UnitLimit{Known: true, Trips: true, Longest: 0.333333, Needed: 9}},
		{"off by the interval", "StartLimitIntervalSec=0", "Restart=always", facts.UnitLimit{Known: true, Off: true}},
		{"off by the burst", "StartLimitBurst=0", "Restart=always", facts.UnitLimit{Known: true, Off: true}},
		{"for ever", "StartLimitIntervalSec=infinity", "Restart=always\nRestartSec=1h", facts.UnitLimit{Known: true, Trips: true, Needed: 18000}},
		{"the old names in the old place", "", "Restart=always\nRestartSec=1\nStartLimitInterval=60s\nStartLimitBurst=10", facts.UnitLimit{Known: true, Trips: true, Longest: 5, Needed: 10}},
		{"the new name in the old place", "", "Restart=always\nRestartSec=1\nStartLimitIntervalSec=1", facts.UnitLimit{Known: true, Trips: true, Longest: 1, Needed: 5}},
		{"the last one counts", "StartLimitIntervalSec=1\nStartLimitIntervalSec=60", "Restart=always\nRestartSec=9\nRestartSec=2", facts.UnitLimit{Known: true, Trips: true, Longest: 10, Needed: 10}},
		{"an empty one resets", "StartLimitIntervalSec=1\nStartLimitIntervalSec=", "Restart=always\nRestartSec=9\nRestartSec=", facts.UnitLimit{Known: true, Trips: true, Longest: 1.9, Needed: 0.5}},
		{"no restart", "", "RestartSec=5", facts.UnitLimit{}},
		{"Restart=no", "", "Restart=no\nRestartSec=5", facts.UnitLimit{}},
		{"a template", "", "Restart=always\nRestartSec=%i", facts.UnitLimit{}},
		{"a placeholder", "StartLimitIntervalSec=@LIMIT@", "Restart=always", facts.UnitLimit{}},
		{"no time span", "StartLimitIntervalSec=soon", "Restart=always", facts.UnitLimit{}},
		{"never again", "", "Restart=always\nRestartSec=infinity", facts.UnitLimit{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := unit(t, "[Unit]\n"+tc.unit+"\n[Service]\n"+tc.service+"\n").Limit
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("limit (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTimeSpansAreSystemds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"2": 2, "2s": 2, "1.5": 1.5, "100ms": 0.1, "5min 20s": 320, "1h30m": 5400, "2 weeks": 1209600, "1d": 86400, "1M": 2629800, "1 year": 31557600,
		"300 sec": 300, "10us": 0.00001,
	} {
		got := unit(t, "[Service]\nRestart=always\nRestartSec="+text+"\n").Keys.Delay
		if got.Seconds != want || !got.Known {
			t.Errorf("%s: got %v (known %v), want %v", text, got.Seconds, got.Known, want)
		}
	}
	for _, text := range []string{"-1", "1 fortnight", "s", "1,5", "1.2.3", "5 mins 3"} {
		if got := unit(t, "[Service]\nRestart=always\nRestartSec="+text+"\n").Keys.Delay; got.Known {
			t.Errorf("%s: got %v", text, got.Seconds)
		}
	}
}

func TestKeysWhereSystemdDoesNotReadThem(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       []facts.StrayUnit
	}{
		{"the interval in [Service]", "[Service]\nStartLimitIntervalSec=5\n", []facts.StrayUnit{
			{Path: facts.Path{"Service", "StartLimitIntervalSec"}, Key: "StartLimitIntervalSec", Text: "5", Section: "Service", Home: "Unit"},
		}},
		{"Restart in [Unit]", "[Unit]\nRestart=always\n", []facts.StrayUnit{
			{Path: facts.Path{"Unit", "Restart"}, Key: "Restart", Text: "always", Section: "Unit", Home: "Service"},
		}},
		{"a key in [Install]", "[Install]\nRestartSec=5\n", []facts.StrayUnit{
			{Path: facts.Path{"Install", "RestartSec"}, Key: "RestartSec", Text: "5", Section: "Install", Home: "Service"},
		}},
		{"a misspelt key", "[Unit]\nStartLimitIntervalSecs=5\n", []facts.StrayUnit{
			{Path: facts.Path{"Unit", "StartLimitIntervalSecs"}, Key: "StartLimitIntervalSecs", Text: "5", Section: "Unit", Home: "Unit", Meant: "StartLimitIntervalSec"},
		}},
		{"a key in the wrong case", "[Service]\nrestart=always\n", []facts.StrayUnit{
			{Path: facts.Path{"Service", "restart"}, Key: "restart", Text: "always", Section: "Service", Home: "Service", Meant: "Restart"},
		}},
		{"what is read in both", "[Service]\nStartLimitBurst=5\nStartLimitInterval=5\nStartLimitAction=none\n[Unit]\nStartLimitBurst=5\nStartLimitInterval=5\n", nil},
		{"keys about something else", "[Unit]\nType=x\nRequires=a\nDescription=Restart\n[Service]\nRestartPreventExitStatus=1\nRestartKillSignal=2\nRestartMode=direct\n", nil},
		{"another program's section", "[X-Tool]\nRestart=always\n[Service]\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			want := tc.want
			if want == nil {
				want = []facts.StrayUnit{}
			}
			if diff := cmp.Diff(want, unit(t, tc.text).Stray); diff != "" {
				t.Errorf("stray (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDropinsChangeTheirUnit(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"etc/a.service":                "[Service]\nRestart=always\nRestartSec=5\n",
		"etc/a.service.d/10-a.conf":    "[Unit]\nStartLimitIntervalSec=30\n",
		"etc/a.service.d/20-b.conf":    "[Unit]\nStartLimitIntervalSec=600\n",
		"etc/b.service":                "[Service]\nRestart=always\nRestartSec=5\n",
		"other/a.service":              "[Service]\nRestart=always\nRestartSec=5\n",
		"elsewhere/c.service.d/x.conf": "[Service]\nRestart=always\nRestartSec=5\n",
	}
	got := map[string]any{}
	for file, u := range units(collect(t, files, "etc/a.service", "etc/a.service.d/10-a.conf", "etc/a.service.d/20-b.conf", "etc/b.service", "other/a.service", "elsewhere/c.service.d/x.conf")) {
		got[file] = []any{u.Name, u.Dropin, u.Keys.Interval.Seconds, u.Keys.Interval.Own, u.Keys.Delay.Own, u.Limit.Known, u.Limit.Trips}
	}
	want := map[string]any{
		"etc/a.service":                []any{"a.service", false, 600.0, false, true, true, true},
		"etc/a.service.d/10-a.conf":    []any{"a.service", true, 600.0, false, false, true, true},
		"etc/a.service.d/20-b.conf":    []any{"a.service", true, 600.0, true, false, true, true},
		"etc/b.service":                []any{"b.service", false, 10.0, false, true, true, false},
		"other/a.service":              []any{"a.service", false, 10.0, false, true, true, false},
		"elsewhere/c.service.d/x.conf": []any{"c.service", true, 10.0, false, true, false, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
}

func TestADelayThatGrowsNeedsBothKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"RestartSteps=5\nRestartMaxDelaySec=1min": true, "RestartSteps=5": false, "RestartMaxDelaySec=1min": false, "RestartSteps=0\nRestartMaxDelaySec=1min": false, "": false,
	} {
		if got := unit(t, "[Service]\nRestart=always\n"+text+"\n").Keys.BackOff; got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
