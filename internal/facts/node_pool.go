package facts

import (
	"slices"
	"strconv"

	"github.com/hclint/hclint/loader"
)

// SubjectNodePool is a NodePool of Karpenter.
const SubjectNodePool = "node_pool"

const groupKarpenter = "karpenter.sh"

// NodePool is the input for a subject of kind node_pool: how many nodes Karpenter may disrupt at the same time.
type NodePool struct {
	Subject    string `json:"subject" jsonschema:"enum=node_pool"`
	APIVersion string `json:"api_version"`
	Name       string `json:"name"`
	// Nodes is the fixed number of nodes of a static pool; unknown for a pool that follows its pods.
	Nodes Count `json:"nodes"`
	// Set: the list is written, so it replaces the default of one budget with 10%.
	Set         bool         `json:"set" jsonschema:"description=the list is written and replaces the default of one budget with 10%"`
	BudgetsPath Path         `json:"budgets_path"`
	Budgets     []NodeBudget `json:"budgets"`
	// Reasons are the three that Karpenter disrupts nodes for and that budgets limit.
	Reasons []NodeReason `json:"reasons"`
}

// NodeBudget is one entry of spec.disruption.budgets.
type NodeBudget struct {
	Path     Path     `json:"path"`
	Nodes    Quantity `json:"nodes"`
	Reasons  []string `json:"reasons" jsonschema:"description=empty for every reason"`
	Schedule string   `json:"schedule" jsonschema:"description=empty when the budget always applies"`
	Duration string   `json:"duration"`
}

// NodeReason is what limits the disruptions of one reason.
type NodeReason struct {
	Name string `json:"name" jsonschema:"enum=Underutilized,enum=Empty,enum=Drifted"`
	// Happens: the pool disrupts nodes for it at all.
	Happens bool `json:"happens"`
	// Limit is bounded when some budget under 100% applies at any time; open when none ever does, at_times when one does in its window only,
	// all when the budget that applies lets every node go.
	Limit string `json:"limit" jsonschema:"enum=bounded,enum=open,enum=at_times,enum=all,enum=unknown"`
	// Budget is the index of the budget that lets every node go; -1 without one.
	Budget int `json:"budget" jsonschema:"description=index of the budget that lets every node go; -1 without one"`
}

func nodeKinds() []objectKind {
	return []objectKind{{groupKarpenter, "NodePool", SubjectNodePool, (*bundle).nodePool}}
}

// nodePool prepares a NodePool as kubernetes-sigs/karpenter pkg/apis/v1/nodepool.go (GetAllowedDisruptionsByReason) reads it: of the active
// budgets for a reason the smallest counts, and where none is active nothing limits it.
func (b *bundle) nodePool(o *loader.Object) any {
	spec := o.Root().Get("spec")
	list := spec.Get("disruption", "budgets")
	p := &NodePool{
		Subject: SubjectNodePool, APIVersion: o.APIVersion, Name: o.Name, Set: list.Type() == loader.Seq,
		BudgetsPath: list.Path(), Budgets: []NodeBudget{}, Reasons: []NodeReason{},
	}
	if n, ok := spec.Get("replicas").Int(); ok {
		p.Nodes = Count{Known: true, Value: n, From: "replicas"}
	}
	readable := !list.Present() || p.Set
	for _, n := range list.Items() {
		budget, ok := readBudget(n)
		readable = readable && ok
		p.Budgets = append(p.Budgets, budget)
	}
	static := spec.Get("replicas").Present()
	consolidates := !static && spec.Get("disruption", "consolidateAfter").Text() != "Never"
	policy := spec.Get("disruption", "consolidationPolicy").Text()
	for _, r := range []NodeReason{
		{Name: "Underutilized", Happens: consolidates && policy != "WhenEmpty"},
		{Name: "Empty", Happens: consolidates},
		{Name: "Drifted", Happens: true},
	} {
		r.Limit, r.Budget = "unknown", -1
		if readable {
			r.Limit, r.Budget = p.limit(r.Name)
		}
		p.Reasons = append(p.Reasons, r)
	}
	return p
}

// readBudget reads one budget; ok is false when a part of it is not known. nodes is 10% when it is left out.
func readBudget(n loader.Node) (budget NodeBudget, ok bool) {
	budget = NodeBudget{
		Path: n.Path(), Nodes: quantity(n.Get("nodes")), Reasons: []string{},
		Schedule: n.Get("schedule").Text(), Duration: n.Get("duration").Text(),
	}
	ok = !n.Unknown() && !n.Get("schedule").Unknown() && !n.Get("duration").Unknown() && !n.Get("reasons").Unknown()
	if v, err := strconv.Atoi(budget.Nodes.Text); err == nil && v >= 0 {
		budget.Nodes.Known, budget.Nodes.Value = true, v
	}
	if !budget.Nodes.Set {
		budget.Nodes = Quantity{Known: true, Text: "10%", Percent: true, Value: 10}
	}
	for _, r := range n.Get("reasons").Items() {
		budget.Reasons = append(budget.Reasons, r.Text())
		ok = ok && !r.Unknown()
	}
	return budget, ok && budget.Nodes.Known
}

// covers reports whether the budget is about a reason.
func (budget NodeBudget) covers(reason string) bool {
	return len(budget.Reasons) == 0 || slices.Contains(budget.Reasons, reason)
}

// frees reports whether a budget lets every node go.
func (p *NodePool) frees(budget NodeBudget) bool {
	if budget.Nodes.Percent {
		return budget.Nodes.Value >= 100
	}
	return p.Nodes.Known && p.Nodes.Value > 0 && budget.Nodes.Value >= p.Nodes.Value
}

// limit says what the budgets do for a reason. A percentage rounds up, so only 100% lets every node go.
func (p *NodePool) limit(reason string) (state string, budget int) {
	if !p.Set {
		return "bounded", -1
	}
	state, budget = "open", -1
	var active week
	for i, one := range p.Budgets {
		if !one.covers(reason) {
			continue
		}
		switch {
		case !p.frees(one):
			if active.add(one.Schedule, one.Duration); state == "open" {
				state = "at_times"
			}
		case budget < 0 && one.Schedule == "":
			state, budget = "all", i
		}
	}
	if active.full() {
		return "bounded", -1
	}
	return state, budget
}
