package facts

import (
	"fmt"

	"github.com/hclint/hclint/loader"
)

// SubjectMachine is an object that says how unhealthy machines are replaced: MachineHealthCheck, MachineDeployment,
// KubeadmControlPlane and its template, ClusterClass, Cluster.
const SubjectMachine = "machine"

// The groups of machines.
const (
	groupCluster      = "cluster.x-k8s.io"
	groupControlPlane = "controlplane.cluster.x-k8s.io"
	groupOpenShift    = "machine.openshift.io"
)

// Machine is the input for a subject of kind machine.
type Machine struct {
	Subject    string `json:"subject" jsonschema:"enum=machine"`
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	// Checks say when machines are replaced, Remediations how.
	Checks       []MachineCheck       `json:"checks"`
	Remediations []MachineRemediation `json:"remediations"`
	Partial      bool                 `json:"partial"`
}

// MachineCheck is a MachineHealthCheck, or the part of a ClusterClass or Cluster that makes one.
type MachineCheck struct {
	Path  Path   `json:"path" jsonschema:"description=of the block that the limit belongs to"`
	Scope string `json:"scope" jsonschema:"description=the part of the object that it is about; empty for all"`
	// ControlPlane: it selects control plane machines only, whose owner replaces one at a time and keeps the quorum of etcd.
	ControlPlane bool `json:"control_plane" jsonschema:"description=selects control plane machines only"`
	// Limit is how many machines may be unhealthy while machines are still replaced. LimitField is its name from the block on.
	Limit      Quantity `json:"limit"`
	LimitPath  Path     `json:"limit_path" jsonschema:"description=of the field or of the deepest parent"`
	LimitField string   `json:"limit_field" jsonschema:"enum=maxUnhealthy,enum=unhealthyLessThanOrEqualTo"`
	// Range replaces the limit when it is set: at least Min and at most Max.
	Range MachineRange `json:"range"`
	// Machines is how many it selects at full size.
	Machines Count         `json:"machines"`
	Pools    []MachinePool `json:"pools" jsonschema:"description=what owns the machines that it selects"`
	// Allowed is the limit as a number of Machines, when both are known. Percentages round down.
	Allowed      int  `json:"allowed"`
	AllowedKnown bool `json:"allowed_known"`
	// Paced: every owner of the machines bounds how many are replaced at the same time.
	Paced bool `json:"paced" jsonschema:"description=every owner of the machines replaces a bounded number at the same time"`
	// Announced: only what a node says of itself makes it unhealthy, and not that nothing is heard of it.
	Announced bool `json:"announced" jsonschema:"description=a lost connection makes no node unhealthy"`
}

// MachineRange is unhealthyRange or unhealthyInRange.
type MachineRange struct {
	Set   bool   `json:"set"`
	Known bool   `json:"known"`
	Text  string `json:"text"`
	Min   int    `json:"min"`
	Max   int    `json:"max"`
	Path  Path   `json:"path"`
}

// MachinePool is an owner of machines.
type MachinePool struct {
	Kind        string   `json:"kind"`
	Name        string   `json:"name"`
	Replicas    Count    `json:"replicas"`
	MaxInFlight Quantity `json:"max_in_flight"`
}

// MachineRemediation is how the owner of machines replaces unhealthy ones.
type MachineRemediation struct {
	Path  Path   `json:"path" jsonschema:"description=of the remediation block or of the deepest parent"`
	Scope string `json:"scope"`
	// Keys lead from the spec to the block, for a suggestion.
	Keys  []string `json:"keys" jsonschema:"description=lead from the spec to the block"`
	Field string   `json:"field" jsonschema:"enum=maxRetry,enum=maxInFlight"`
	// Written: the block is there, if only empty.
	Written bool     `json:"written"`
	Cap     Quantity `json:"cap"`
	// Bound is the cap as a number of machines, when it and Replicas are known. Percentages round up.
	Bound      int   `json:"bound"`
	BoundKnown bool  `json:"bound_known"`
	Replicas   Count `json:"replicas"`
	// Immediate: no pause between retries.
	Immediate bool `json:"immediate" jsonschema:"description=no pause between retries"`
	// Checks are the MachineHealthChecks that have machines of this owner replaced, more than one at a time.
	Checks []string `json:"checks"`
}

func machineKinds() []objectKind {
	return []objectKind{
		{groupCluster, "MachineHealthCheck", SubjectMachine, (*bundle).machineHealthCheck},
		{groupOpenShift, "MachineHealthCheck", SubjectMachine, (*bundle).machineHealthCheck},
		{groupCluster, "MachineDeployment", SubjectMachine, (*bundle).machineDeployment},
		{groupControlPlane, "KubeadmControlPlane", SubjectMachine, (*bundle).controlPlane},
		{groupControlPlane, "KubeadmControlPlaneTemplate", SubjectMachine, (*bundle).controlPlane},
		{groupCluster, "ClusterClass", SubjectMachine, (*bundle).clusterClass},
		{groupCluster, "Cluster", SubjectMachine, (*bundle).clusterTopology},
		// Joined to, never judged.
		{groupCluster, "MachineSet", SubjectMachine, nothingToJudge},
		{groupOpenShift, "MachineSet", SubjectMachine, nothingToJudge},
	}
}

func nothingToJudge(*bundle, *loader.Object) any { return nil }

func (b *bundle) newMachine(o *loader.Object) *Machine {
	return &Machine{
		Subject: SubjectMachine, APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name,
		Checks: []MachineCheck{}, Remediations: []MachineRemediation{}, Partial: b.partial(o),
	}
}

// input is m as a subject's input: nil when it says nothing.
func (m *Machine) input() any {
	if len(m.Checks)+len(m.Remediations) == 0 {
		return nil
	}
	return m
}

// machineHealthCheck prepares a MachineHealthCheck of Cluster API or OpenShift; one without a selector is a part of one (a patch).
func (b *bundle) machineHealthCheck(o *loader.Object) any {
	spec := o.Root().Get("spec")
	if !spec.Get("selector").Present() {
		return nil
	}
	m := b.newMachine(o)
	c := readCheck(spec, o)
	c.ControlPlane = selectsControlPlane(spec.Get("selector"))
	c.join(b.machines.selectedBy(o))
	m.Checks = append(m.Checks, c)
	return m.input()
}

// readCheck reads the limit beside o's check: maxUnhealthy and unhealthyRange in v1beta1 and OpenShift,
// remediation.triggerIf in v1beta2. Which one stands there decides, else the version.
func readCheck(n loader.Node, o *loader.Object) MachineCheck {
	c := MachineCheck{Path: n.Path(), Pools: []MachinePool{}}
	trigger := n.Get("remediation", "triggerIf")
	limit, span := trigger.Get("unhealthyLessThanOrEqualTo"), trigger.Get("unhealthyInRange")
	c.LimitField = "unhealthyLessThanOrEqualTo"
	old := n.Get("maxUnhealthy").Present() || n.Get("unhealthyRange").Present() || n.Get("unhealthyConditions").Present()
	if old || !trigger.Present() && o.APIVersion != groupCluster+"/v1beta2" {
		limit, span = n.Get("maxUnhealthy"), n.Get("unhealthyRange")
		c.LimitField = "maxUnhealthy"
		c.LimitPath = pathOr(limit, c.Path)
	} else {
		c.LimitPath = pathOr(limit, pathOr(trigger, pathOr(n.Get("remediation"), c.Path)))
	}
	c.Limit = intOrPercent(limit, o)
	c.Range = readRange(span)
	c.Announced = announced(n)
	return c
}

// intOrPercent reads an int-or-percent field; OpenShift takes a number in quotes too.
func intOrPercent(n loader.Node, o *loader.Object) Quantity {
	q := quantity(n)
	var value int
	if !q.Known && q.Set && group(o.APIVersion) == groupOpenShift {
		if _, err := fmt.Sscanf(q.Text+" .", "%d .", &value); err == nil {
			q.Known, q.Value = value >= 0, value
		}
	}
	return q
}

func readRange(n loader.Node) MachineRange {
	r := MachineRange{Set: n.Present(), Text: n.Text(), Path: n.Path()}
	if _, err := fmt.Sscanf(r.Text+" .", "[%d-%d] .", &r.Min, &r.Max); err == nil && r.Min <= r.Max {
		r.Known = true
	}
	return r
}

// join adds what owns the machines that the check selects and does the arithmetic. Cluster API rounds a percentage down
// (kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck, getMaxUnhealthy), and so does OpenShift.
func (c *MachineCheck) join(pools []MachinePool) {
	c.Pools = append(c.Pools, pools...)
	c.Machines.Known, c.Paced = len(pools) > 0, len(pools) > 0
	for _, p := range pools {
		c.Machines.Known = c.Machines.Known && p.Replicas.Known
		c.Machines.Value += p.Replicas.Value
		bound, ok := p.bound()
		c.Paced = c.Paced && ok && bound < p.Replicas.Value
	}
	if !c.Machines.Known {
		c.Machines.Value = 0
		return
	}
	if c.Limit.Known {
		c.Allowed, c.AllowedKnown = c.Limit.of(c.Machines.Value, false), true
	}
}

// oneAtMost reports whether the limit lets only one machine be unhealthy while machines are replaced.
func (c *MachineCheck) oneAtMost() bool {
	switch {
	case c.Range.Set:
		return c.Range.Known && c.Range.Max <= 1
	case c.AllowedKnown:
		return c.Allowed <= 1
	}
	return c.Limit.Known && !c.Limit.Percent && c.Limit.Value <= 1
}

// bound is maxInFlight as a number of machines; percentages round up (core/reconcilers/machineset).
func (p MachinePool) bound() (int, bool) {
	if !p.MaxInFlight.Known || !p.Replicas.Known {
		return 0, false
	}
	return p.MaxInFlight.of(p.Replicas.Value, true), true
}
