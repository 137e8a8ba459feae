package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hclint/hclint/rules"
)

const (
	// listedInfos is how many findings of one line each text lists; of more it says how many of which rule there are.
	listedInfos = 20
	// namedRules is how many rules are named then.
	namedRules = 5
)

// ruleCount is how many findings a rule has.
type ruleCount struct {
	rule  string
	count int
}

// onlyCounted returns, by rule, the infos below opt.FullFrom when they are too many to be listed; nil when they are not.
func onlyCounted(run Run, opt Options) []ruleCount {
	count, all := map[string]int{}, 0
	for i := range run.Findings {
		if f := &run.Findings[i]; f.Suppressed == nil && f.Severity == rules.Info && f.Severity < opt.FullFrom {
			count[f.Rule]++
			all++
		}
	}
	if all <= listedInfos {
		return nil
	}
	out := make([]ruleCount, 0, len(count))
	for rule, n := range count {
		out = append(out, ruleCount{rule, n})
	}
	slices.SortFunc(out, func(a, b ruleCount) int { return cmp.Or(b.count-a.count, strings.Compare(a.rule, b.rule)) })
	return out
}

// notShown is the line that stands for findings which are only counted: the rules with the most of them, and what lists them.
func notShown(counted []ruleCount) string {
	all := 0
	var parts []string
	for i, c := range counted {
		all += c.count
		if i < namedRules {
			parts = append(parts, fmt.Sprintf("%s %d", c.rule, c.count))
		}
	}
	if len(counted) > namedRules {
		parts = append(parts, "…")
	}
	return fmt.Sprintf("%s not shown: %s (--fail-on info shows them)", plural(all, "info"), strings.Join(parts, ", "))
}
