package facts

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/hclint/hclint/loader"
)

// Violation is one thing that the schema forbids.
type Violation struct {
	Path       Path   `json:"path"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion" jsonschema:"description=the key or value that was probably meant; empty when none is near"`
	// Value is what stands there.
	Value any `json:"value"`
}

// keyRule says what one key of the restart-policy format may hold. reported elsewhere is what a rule of its own judges, so that
// one mistake gives one finding.
type keyRule struct {
	key       string
	want      string // for people: "a whole number of at least 1"
	ok        func(loader.Node) bool
	elsewhere func(loader.Node) bool
}

func policyKeys() []keyRule {
	return []keyRule{
		{"name", "a name", isString, isNull},
		{keyMaxRestarts, "a whole number of at least 1", wholeFrom(1), noCap},
		{keyWindow, "a number of seconds above 0", numberAbove(0), noCap},
		{keyLimitExceeded, "a word such as page_oncall", isString, isNull},
		{keyFraction, "a fraction above 0 and at most 1, such as 0.6", fraction, unusableFloor},
		{keyAppliesTo, "a mapping with kind and name", isMap, isNull},
	}
}

func healthCheckKeys() []keyRule {
	return []keyRule{
		{keyTimeoutMS, "a whole number of at least 1", wholeFrom(1), isNull},
		{keyThreshold, "a whole number of at least 1", wholeFrom(1), hairTrigger},
		{keyReset, "a number of seconds of at least 0", func(n loader.Node) bool { v, ok := number(n); return ok && v >= 0 }, isNull},
		{keyUnhealthy, "a word such as shed_load", isString, isNull},
		{keyDependsOn, "a list of names", stringList, isNull},
	}
}

func targetKeys() []keyRule {
	return []keyRule{
		{"kind", "a kind such as Deployment", isString, never},
		{"name", "a name", isString, never},
		{"namespace", "a namespace", isString, never},
	}
}

// restartPolicyViolations checks the mapping under restart_policy.
func restartPolicyViolations(n loader.Node) []Violation {
	out := []Violation{}
	if n.Type() != loader.Map {
		return out
	}
	out = append(out, violations(n, policyKeys())...)
	target := n.Get(keyAppliesTo)
	if target.Type() != loader.Map {
		return out
	}
	for _, key := range []string{"kind", "name"} {
		if target.Get(key).Type() == loader.Absent {
			out = append(out, Violation{Path: target.Path(), Message: keyAppliesTo + " has no " + key})
		}
	}
	return append(out, violations(target, targetKeys())...)
}

// healthCheckViolations checks the mapping under health_check.
func healthCheckViolations(n loader.Node) []Violation {
	switch typeName(n) {
	case "absent", "null", "unknown":
		return nil
	case "map":
		return violations(n, healthCheckKeys())
	default:
		return []Violation{{Path: n.Path(), Message: keyHealthCheck + " is " + describe(n) + ", not a mapping", Value: n.Plain()}}
	}
}

// misspeltCheck looks for health_check under another name beside a policy, where any other key may stand.
func misspeltCheck(around loader.Node) []Violation {
	if around.Get(keyHealthCheck).Type() != loader.Absent {
		return nil
	}
	for key, value := range around.Entries() {
		if value.Type() == loader.Map && near(key, []keyRule{{key: keyHealthCheck}}) != "" {
			return []Violation{{
				Path: value.Path(), Message: fmt.Sprintf("unknown key %q", key), Suggestion: keyHealthCheck, Value: value.Plain(),
			}}
		}
	}
	return nil
}

func violations(n loader.Node, rules []keyRule) []Violation {
	var out []Violation
	for key, value := range n.Entries() {
		r, known := find(rules, key)
		switch {
		case !known:
			v := Violation{Path: value.Path(), Message: fmt.Sprintf("unknown key %q", key), Suggestion: near(key, rules), Value: value.Plain()}
			out = append(out, v)
		case typeName(value) == "unknown", r.ok(value), r.elsewhere(value):
		default:
			out = append(out, Violation{
				Path: value.Path(), Message: fmt.Sprintf("%s is %s, not %s", key, describe(value), r.want), Value: value.Plain(),
			})
		}
	}
	return out
}

func find(rules []keyRule, key string) (keyRule, bool) {
	for _, r := range rules {
		if r.key == key {
			return r, true
		}
	}
	return keyRule{}, false
}

// near is the known key that was probably meant: at most a third of the letters differ.
func near(key string, rules []keyRule) string {
	best, least := "", len(key)/3+1
	for _, r := range rules {
		if d := levenshtein.ComputeDistance(key, r.key); d < least {
			best, least = r.key, d
		}
	}
	return best
}

func wholeFrom(least int) func(loader.Node) bool {
	return func(n loader.Node) bool { i, ok := n.Int(); return ok && i >= least }
}

func numberAbove(bound float64) func(loader.Node) bool {
	return func(n loader.Node) bool { v, ok := number(n); return ok && v > bound }
}

func fraction(n loader.Node) bool { v, ok := number(n); return ok && v > 0 && v <= 1 }

func isString(n loader.Node) bool { return n.Type() == loader.String }
func isMap(n loader.Node) bool    { return n.Type() == loader.Map }
func isNull(n loader.Node) bool   { return n.Type() == loader.Null }
func never(loader.Node) bool      { return false }

func stringList(n loader.Node) bool {
	if n.Type() != loader.Seq {
		return false
	}
	for _, item := range n.Items() {
		if item.Type() != loader.String {
			return false
		}
	}
	return true
}

// noCap is what restart-cap-missing judges: a value that removes the cap instead of setting it.
func noCap(n loader.Node) bool {
	v, ok := number(n)
	return n.Type() == loader.Absent || isNull(n) || ok && v <= 0 || isString(n) && unlimited(n.Text())
}

// unusableFloor is what restart-floor-missing and restart-floor-unusable judge: nothing, any number outside the range, and a
// percentage.
func unusableFloor(n loader.Node) bool {
	_, ok := number(n)
	return isNull(n) || ok || isString(n) && percentage(n.Text())
}

func percentage(text string) bool {
	digits, found := strings.CutSuffix(strings.TrimSpace(text), "%")
	_, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	return found && err == nil
}

// hairTrigger is what health-check-slow-is-dead judges: one failure, or none, is enough.
func hairTrigger(n loader.Node) bool {
	v, ok := n.Int()
	return isNull(n) || ok && v < 1
}

// unlimited knows the words for no limit, however they are spelt.
func unlimited(text string) bool {
	switch strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(text))) {
	case "unlimited", "infinite", "infinity", "inf", "none", "never", "no", "no_limit", "off", "unbounded", "uncapped", "_1", "0", "":
		return true
	}
	return false
}
