package facts

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"github.com/hclint/hclint/loader"
)

func readComposeRestart(s *composeService) ComposeRestart {
	n, own := s.find("restart")
	r := ComposeRestart{Type: typeName(n), Also: []string{}}
	r.Text, r.Known = shownText(n)
	if !n.Present() || n.Type() == loader.String && r.Text == "" {
		return r
	}
	r.Set, r.Own = true, own
	r.Path = pathIn(s, own, n)
	switch n.Type() {
	case loader.Bool:
		r.Word = strings.ToLower(source(n))
		return r
	case loader.String:
	default:
		return r
	}
	if !r.Known {
		r.Type = "unknown"
		return r
	}
	r.Type = "string"
	policy, count, found := strings.Cut(strings.TrimSpace(r.Text), ":")
	r.HasCount = found
	if found {
		i, err := strconv.Atoi(count)
		r.Count, r.BadCount = max(i, 0), err != nil || i < 0
	}
	switch policy {
	case "no", "always", "unless-stopped", "on-failure":
		r.Policy = policy
	default:
		r.Suggestion = nearestPolicy(policy)
	}
	return r
}

// source is a scalar as it is written.
func source(n loader.Node) string {
	span := n.ValueSpan()
	return string(n.Object().File.Source[span.Start.Offset:span.End.Offset])
}

// nearestPolicy is the restart policy that a misspelt one probably means; "" when none is near.
func nearestPolicy(word string) string {
	word = strings.ToLower(strings.NewReplacer("_", "-", " ", "-").Replace(word))
	switch word {
	case "none", "never", "off", "false":
		return "no"
	case "any", "yes", "on", "true":
		return "always"
	}
	best, least := "", 4
	for _, policy := range []string{"always", "unless-stopped", "on-failure"} {
		if d := levenshtein.ComputeDistance(word, policy); d < least {
			best, least = policy, d
		}
	}
	return best
}

func readComposeRestartPolicy(s *composeService) ComposeRestartPolicy {
	n, own := s.find("deploy", "restart_policy")
	p := ComposeRestartPolicy{Known: true, Also: []string{}}
	if !n.Present() {
		return p
	}
	p.Set, p.Own = true, own
	p.Path = pathIn(s, own, n)
	if n.Type() == loader.Opaque {
		p.Known = false
		return p
	}
	condition := s.get("deploy", "restart_policy", "condition")
	p.Condition, p.Known = shownText(condition)
	p.HasCondition = p.Condition != ""
	if attempts := s.get("deploy", "restart_policy", "max_attempts"); attempts.Present() {
		i, ok := composeInt(attempts)
		p.HasAttempts, p.MaxAttempts, p.Known = true, i, p.Known && ok
	}
	if s.partial && (!p.HasCondition || !p.HasAttempts) {
		p.Known = false
	}
	p.DelaySeconds = swarmDelay
	p.Delay = p.duration(s.get("deploy", "restart_policy", "delay"), &p.DelaySeconds)
	p.Window = p.duration(s.get("deploy", "restart_policy", "window"), &p.WindowSeconds)
	return p
}

// swarmDelay is Swarm's pause before it replaces a task: github.com/moby/swarmkit api/defaults/service.go.
const swarmDelay = 5.0

func (p *ComposeRestartPolicy) duration(n loader.Node, into *float64) string {
	if !n.Present() {
		return ""
	}
	text, known := shownText(n)
	d, err := time.ParseDuration(text)
	if !known || err != nil {
		p.Known = false
		return text
	}
	*into = d.Seconds()
	return text
}

// composeInt is a whole number, given as one or as text with variables.
func composeInt(n loader.Node) (value int, ok bool) {
	if i, ok := n.Int(); ok {
		return i, true
	}
	text, known := composeText(n)
	value, err := strconv.Atoi(text)
	return value, known && err == nil
}

// pathIn is the path of n when it stands in the service itself; else that of extends, or of the service.
func pathIn(s *composeService, own bool, n loader.Node) Path {
	if own {
		return n.Path()
	}
	if extends := s.own.Get("extends"); extends.Present() {
		return extends.Path()
	}
	return s.own.Path()
}

// composeExit is what the engine does when a container of the service exits. deploy.restart_policy replaces restart whole:
// github.com/docker/compose pkg/compose/create.go (getRestartPolicy), which takes condition and max_attempts of it and reads an
// absent condition as no restart; docker stack deploy reads it as any, and restarts by default.
func composeExit(s *composeService, c *ComposeService, swarm bool) ComposeExit {
	if p := c.RestartPolicy; p.Set {
		exit := ComposeExit{Policy: "unknown", From: "restart_policy", Path: p.Path, Own: p.Own}
		if p.Known {
			exit.Policy, exit.Cap = conditionPolicy(p.Condition, swarm), p.MaxAttempts
		}
		return exit
	}
	if r := c.Restart; r.Set {
		exit := ComposeExit{Policy: "unknown", Cap: r.Count, From: "restart", Path: r.Path, Own: r.Own}
		switch {
		case r.BadCount, r.HasCount && r.Policy != "on-failure":
		case r.Policy != "":
			exit.Policy = r.Policy
		case r.Type == "bool" && r.Word == "no":
			exit.Policy = "no"
		}
		return exit
	}
	exit := ComposeExit{Policy: "no", From: "default", Path: s.own.Path(), Own: true}
	switch {
	case s.partial:
		exit.Policy = "unknown"
	case swarm:
		exit.Policy = "always"
	}
	return exit
}

func conditionPolicy(condition string, swarm bool) string {
	switch condition {
	case "":
		if swarm {
			return "always"
		}
		return "no"
	case "none", "no":
		return "no"
	case "any", "always":
		return "always"
	case "on-failure", "unless-stopped":
		return condition
	}
	return "unknown"
}

// nameWords are the words of a file's name.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(path.Base(name)), func(r rune) bool { return r == '-' || r == '.' || r == '_' })
}
