package facts

import (
	"maps"
	"slices"
	"time"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// The engine's defaults: github.com/moby/moby daemon/health.go.
const (
	engineInterval = 30.0
	engineTimeout  = 30.0
	engineRetries  = 3
)

func readHealthcheck(s *composeService) Healthcheck {
	n, own := s.find("healthcheck")
	h := Healthcheck{Known: true, Command: []string{}, Programs: []string{}, Targets: []Target{}}
	if !n.Present() {
		return h
	}
	h.Set, h.Own = true, own
	h.Path = pathIn(s, own, n)
	disable, _ := s.get("healthcheck", "disable").Bool()
	h.Disabled = disable
	test, testOwn := s.find("healthcheck", "test")
	h.TestPath = h.Path
	if testOwn {
		h.TestPath = test.Path()
	}
	h.Form, h.Command = healthTest(test)
	h.Disabled = h.Disabled || h.Form == "NONE"
	h.Interval, h.Timeout, h.Retries = engineInterval, engineTimeout, engineRetries
	seconds := func(key string, into *float64) {
		v := s.get("healthcheck", key)
		if !v.Present() {
			return
		}
		text, known := composeText(v)
		d, err := time.ParseDuration(text)
		if !known || err != nil {
			h.Known = false
			return
		}
		if d > 0 { // the engine reads 0 as unset
			*into = d.Seconds()
		}
	}
	seconds("interval", &h.Interval)
	seconds("timeout", &h.Timeout)
	seconds("start_period", &h.StartPeriod)
	if v := s.get("healthcheck", "retries"); v.Present() {
		i, ok := composeInt(v)
		h.Known = h.Known && ok
		if i > 0 {
			h.Retries = i
		}
	}
	// The interval runs from the end of one check to the start of the next, so checks that hang come later. The verdict needs
	// retries of them in a row; an outage begins at a random moment of the interval.
	gaps := float64(h.Retries - 1)
	h.Harmless = gaps * h.Interval
	h.Fatal = h.Interval + gaps*(h.Interval+h.Timeout)
	return h
}

// healthTest reads the forms of a test: text is for the shell, a list says by its first word what it is.
func healthTest(n loader.Node) (form string, command []string) {
	switch n.Type() {
	case loader.Absent, loader.Null:
		return "", []string{}
	case loader.String:
		text, _ := composeText(n)
		return "CMD-SHELL", []string{"/bin/sh", "-c", text}
	case loader.Seq:
	default:
		return "invalid", []string{}
	}
	words := []string{}
	for _, item := range n.Items() {
		text, _ := composeText(item)
		words = append(words, text)
	}
	switch {
	case len(words) > 0 && words[0] == "NONE":
		return "NONE", []string{}
	case len(words) > 1 && words[0] == "CMD":
		return "CMD", words[1:]
	case len(words) == 2 && words[0] == "CMD-SHELL":
		return "CMD-SHELL", []string{"/bin/sh", "-c", words[1]}
	}
	return "invalid", []string{}
}

// reach follows the test to what it touches.
func (p *project) reach(s *composeService, c *ComposeService, subject *Subject) {
	names := newComposeNames(p, s, c)
	command := reach.Command{
		Argv: c.Health.Command, At: s.get("healthcheck", "test"), Timeout: c.Health.Timeout, Hostname: names.hostname,
		Open: s.get("env_file").Present(), Locate: names.locate,
	}
	env := s.pairs("environment")
	for _, name := range slices.Sorted(maps.Keys(env)) {
		v := env[name]
		command.Env = append(command.Env, reach.Setting{Name: name, Value: v.value, Known: v.known && !v.bare, At: v.at})
	}
	var probe Probe
	addReach(&probe, reach.AnalyseCommand(command), subject)
	h := &c.Health
	h.Programs = append(h.Programs, probe.Programs...)
	h.Targets = append(h.Targets, probe.Targets...)
	h.Opaque, h.NeverFails = probe.Opaque, probe.NeverFails
}
