package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

// nodePool prepares a NodePool of Karpenter; the lines go under spec.
func nodePool(t *testing.T, spec string) *facts.NodePool {
	t.Helper()
	for _, s := range one(t, "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: general}\nspec:\n"+indent(spec, 2)) {
		if p, ok := s.Input.(*facts.NodePool); ok {
			return p
		}
	}
	t.Fatal("no NodePool")
	return nil
}

func TestANodePoolIsReadWhole(t *testing.T) {
	t.Parallel()
	got := nodePool(t, `disruption:
  consolidationPolicy: WhenEmpty
  budgets:
  - {nodes: 25%, reasons: [Drifted]}
  - {nodes: "3", schedule: "@daily", duration: 8h}`)
	list := facts.Path{"spec", "disruption", "budgets"}
	want := &facts.NodePool{
		Subject: "node_pool", APIVersion: "karpenter.sh/v1", Name: "general", Set: true, BudgetsPath: list,
		Budgets: []facts.NodeBudget{
			{
				Path:  facts.Path{"spec", "disruption", "budgets", 0},
				Nodes: facts.Quantity{Set: true, Known: true, Text: "25%", Percent: true, Value: 25}, Reasons: []string{"Drifted"},
			},
			{
				Path:  facts.Path{"spec", "disruption", "budgets", 1},
				Nodes: facts.Quantity{Set: true, Known: true, Text: "3", Value: 3}, Reasons: []string{},
				Schedule: "@daily", Duration: "8h",
			},
		},
		Reasons: []facts.NodeReason{
			{Name: "Underutilized", Limit: "at_times", Budget: -1},
			{Name: "Empty", Happens: true, Limit: "at_times", Budget: -1},
			{Name: "Drifted", Happens: true, Limit: "bounded", Budget: -1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node pool (-want +got):\n%s", diff)
	}
}

func TestBudgetsLimitTheReasonsTheyAreFor(t *testing.T) {
	t.Parallel()
	all := func(limit string) [3]string { return [3]string{limit, limit, limit} }
	for name, tc := range map[string]struct {
		spec string
		want [3]string // Underutilized, Empty, Drifted
	}{
		"the default":                       {"disruption: {consolidateAfter: 1m}", all("bounded")},
		"null is the default":               {"disruption: {budgets: null}", all("bounded")},
		"an empty list":                     {"disruption: {budgets: []}", all("open")},
		"nodes left out are 10%":            {"disruption: {budgets: [{reasons: [Drifted]}]}", [3]string{"open", "open", "bounded"}},
		"one for all reasons":               {"disruption: {budgets: [{nodes: 50%}]}", all("bounded")},
		"0 is a limit":                      {"disruption: {budgets: [{nodes: \"0\"}]}", all("bounded")},
		"99% is one":                        {"disruption: {budgets: [{nodes: 99%}]}", all("bounded")},
		"100% is none":                      {"disruption: {budgets: [{nodes: 100%}]}", all("all")},
		"the smallest counts":               {"disruption: {budgets: [{nodes: 100%}, {nodes: \"5\"}]}", all("bounded")},
		"a list of reasons":                 {"disruption: {budgets: [{nodes: 10%, reasons: [Underutilized, Empty]}]}", [3]string{"bounded", "bounded", "open"}},
		"100% for one reason":               {"disruption: {budgets: [{nodes: 100%, reasons: [Empty]}, {nodes: 10%, reasons: [Drifted]}]}", [3]string{"open", "all", "bounded"}},
		"a number of a static pool":         {"replicas: 5\ndisruption: {budgets: [{nodes: \"5\"}]}", all("all")},
		"a smaller number of a static pool": {"replicas: 5\ndisruption: {budgets: [{nodes: \"4\"}]}", all("bounded")},
		"a number of an open pool":          {"disruption: {budgets: [{nodes: \"500\"}]}", all("bounded")},
		"a number without quotes":           {"disruption: {budgets: [{nodes: 5}]}", all("bounded")},
		"templated nodes":                   {"disruption: {budgets: [{nodes: \"${N}\", reasons: [Empty]}]}", all("unknown")},
		"a templated schedule":              {"disruption: {budgets: [{nodes: 10%, schedule: \"${S}\", duration: 1h}]}", all("unknown")},
		"a templated reason":                {"disruption: {budgets: [{nodes: 10%, reasons: [\"${R}\"]}]}", all("unknown")},
		"a list that is templated":          {"disruption: {budgets: \"${BUDGETS}\"}", all("unknown")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got [3]string
			for i, r := range nodePool(t, tc.spec).Reasons {
				got[i] = r.Limit
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("limits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSchedulesAreBoundedWhenTheyCoverTheWeek(t *testing.T) {
	t.Parallel()
	window := func(schedule, duration string) string {
		return "{nodes: 10%, schedule: \"" + schedule + "\", duration: " + duration + "}"
	}
	for name, tc := range map[string]struct{ budgets, want string }{
		"a day":                      {window("@daily", "24h"), "bounded"},
		"midnight":                   {window("@midnight", "24h0m0s"), "bounded"},
		"an hour":                    {window("@hourly", "60m"), "bounded"},
		"less than an hour":          {window("@hourly", "59m"), "at_times"},
		"a week":                     {window("@weekly", "168h"), "bounded"},
		"less than a week":           {window("@weekly", "167h"), "at_times"},
		"a month is not looked into": {window("@monthly", "24h"), "at_times"},
		"a day of the month":         {window("0 0 1 * *", "24h"), "at_times"},
		"day and night":              {window("0 6 * * *", "16h") + ", " + window("0 22 * * *", "8h"), "bounded"},
		"day and most of the night":  {window("0 6 * * *", "16h") + ", " + window("0 22 * * *", "7h59m"), "at_times"},
		"weekdays":                   {window("0 0 * * mon-fri", "24h"), "at_times"},
		"weekdays and weekends":      {window("0 0 * * mon-fri", "24h") + ", " + window("0 0 * * 0,6", "24h"), "bounded"},
		"names in capitals":          {window("0 0 * * MON-FRI", "24h") + ", " + window("0 0 * * SAT,SUN", "24h"), "bounded"},
		"a step":                     {window("*/15 * * * *", "15m"), "bounded"},
		"a step that leaves gaps":    {window("*/20 * * * *", "15m"), "at_times"},
		"a step from a start":        {window("0 0/6 * * *", "6h"), "bounded"},
		"a step over a range":        {window("0 0-20/4 * * *", "4h"), "bounded"},
		"question marks":             {window("0 0 ? * ?", "24h"), "bounded"},
		"a window past the week":     {window("0 0 * * 6", "48h") + ", " + window("0 0 * * 1-5", "24h"), "bounded"},
		"no such minute":             {window("61 * * * *", "24h"), "at_times"},
		"a range backwards":          {window("0 20-4 * * *", "24h"), "at_times"},
		"a step of nothing":          {window("*/0 * * * *", "24h"), "at_times"},
		"no such name":               {window("0 0 * * noday", "24h"), "at_times"},
		"too few fields":             {window("0 0 * *", "24h"), "at_times"},
		"no duration":                {window("@daily", "forever"), "at_times"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := nodePool(t, "disruption: {budgets: ["+tc.budgets+"]}").Reasons[2].Limit; got != tc.want {
				t.Errorf("limit is %s, want %s", got, tc.want)
			}
		})
	}
}

func TestReasonsThatDoNotHappenAreMarked(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string][3]bool{
		"disruption: {}": {true, true, true},
		"disruption: {consolidationPolicy: WhenEmpty}": {false, true, true},
		"disruption: {consolidationPolicy: Balanced}":  {true, true, true},
		"disruption: {consolidateAfter: Never}":        {false, false, true},
		"disruption: {consolidateAfter: 5m}":           {true, true, true},
		"replicas: 3":                                  {false, false, true},
		"replicas: \"${N}\"":                           {false, false, true},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			var got [3]bool
			for i, r := range nodePool(t, spec).Reasons {
				got[i] = r.Happens
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("happens (-want +got):\n%s", diff)
			}
		})
	}
}
