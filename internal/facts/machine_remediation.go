package facts

import (
	"github.com/hclint/hclint/loader"
)

// machineDeployment prepares how a MachineDeployment replaces unhealthy machines: all at once unless maxInFlight bounds it.
func (b *bundle) machineDeployment(o *loader.Object) any {
	spec := o.Root().Get("spec")
	keys := []string{"strategy", "remediation"}
	if o.APIVersion == groupCluster+"/v1beta2" || spec.Get("remediation").Present() {
		keys = []string{"remediation"}
	}
	m := b.newMachine(o)
	r := newRemediation(spec, keys, "maxInFlight")
	r.Replicas = machineReplicas(spec, o)
	r.Checks = b.machines.checksOf(o)
	r.resolve()
	m.Remediations = append(m.Remediations, r)
	return m.input()
}

// controlPlane prepares how a KubeadmControlPlane repeats a replacement that fails: without end unless maxRetry bounds it, and at once
// unless there is a retry period.
func (b *bundle) controlPlane(o *loader.Object) any {
	spec := o.Root().Get("spec")
	if o.Kind == "KubeadmControlPlaneTemplate" {
		spec = spec.Get("template", "spec")
	}
	keys := []string{"remediationStrategy"}
	if o.APIVersion == groupControlPlane+"/v1beta2" || spec.Get("remediation").Present() {
		keys = []string{"remediation"}
	}
	m := b.newMachine(o)
	r := newRemediation(spec, keys, "maxRetry")
	r.Immediate = !spec.Get(keys...).Get("retryPeriod").Present() && !spec.Get(keys...).Get("retryPeriodSeconds").Present()
	r.Replicas = Count{}
	if o.Kind == "KubeadmControlPlane" {
		r.Replicas = machineReplicas(spec, o)
		r.Checks = b.machines.checksOf(o)
	}
	m.Remediations = append(m.Remediations, r)
	return m.input()
}

// newRemediation reads the block that keys lead to from spec.
func newRemediation(spec loader.Node, keys []string, field string) MachineRemediation {
	path := spec.Path()
	for i := range keys {
		path = pathOr(spec.Get(keys[:i+1]...), path)
	}
	block := spec.Get(keys...)
	return MachineRemediation{
		Path: path, Keys: keys, Field: field, Written: block.Type() == loader.Map, Cap: quantity(block.Get(field)), Checks: []string{},
	}
}

func (r *MachineRemediation) resolve() {
	r.Bound, r.BoundKnown = MachinePool{Replicas: r.Replicas, MaxInFlight: r.Cap}.bound()
}

// checksOf names the MachineHealthChecks that may have more than one machine of o replaced at the same time.
func (m *machineIndex) checksOf(o *loader.Object) []string {
	out := []string{}
	for _, check := range m.checks[o] {
		c := readCheck(check.Root().Get("spec"), check)
		c.join(m.selectedBy(check))
		if o.Kind == "MachineDeployment" && c.oneAtMost() {
			continue
		}
		out = append(out, check.Name)
	}
	return out
}

// clusterClass prepares the MachineHealthChecks that a ClusterClass makes: machineHealthCheck in v1beta1, healthCheck in v1beta2. That
// of the control plane is left out, as its owner replaces one machine at a time.
func (b *bundle) clusterClass(o *loader.Object) any {
	return b.topology(o, o.Root().Get("spec", "workers", "machineDeployments"), "class")
}

// clusterTopology prepares those that a Cluster makes in place of its class's.
func (b *bundle) clusterTopology(o *loader.Object) any {
	return b.topology(o, o.Root().Get("spec", "topology", "workers", "machineDeployments"), "name")
}

// topology reads the MachineDeployments of a ClusterClass or a Cluster, which are known by their class or their name.
func (b *bundle) topology(o *loader.Object, deployments loader.Node, key string) any {
	m := b.newMachine(o)
	for _, n := range deployments.Items() {
		check := n.Get("machineHealthCheck")
		if !check.Present() {
			check = n.Get("healthCheck")
		}
		if !definesCheck(check) {
			continue
		}
		pool := MachinePool{Kind: "class", Name: n.Get(key).Text(), MaxInFlight: quantity(topologyInFlight(n))}
		if key == "name" {
			pool.Kind = "MachineDeployment"
		}
		if key == "name" && n.Get("replicas").Present() {
			pool.Replicas = machineReplicas(n, o)
		}
		c := readCheck(check, o)
		c.Scope = pool.Kind + " " + pool.Name
		c.join([]MachinePool{pool})
		m.Checks = append(m.Checks, c)
		r := topologyRemediation(n, check)
		r.Scope, r.Replicas = c.Scope, pool.Replicas
		if !c.oneAtMost() {
			r.Checks = append(r.Checks, c.Scope)
		}
		r.resolve()
		m.Remediations = append(m.Remediations, r)
	}
	return m.input()
}

// definesCheck reports whether a block of a topology makes a MachineHealthCheck of its own, or only switches that of the class on or off.
func definesCheck(n loader.Node) bool {
	if on, ok := n.Get("enable").Bool(); ok && !on {
		return false
	}
	for key := range n.Entries() {
		if key != "enable" && key != "enabled" {
			return true
		}
	}
	return false
}

func topologyInFlight(n loader.Node) loader.Node {
	if v := n.Get("healthCheck", "remediation", "maxInFlight"); v.Present() {
		return v
	}
	return n.Get("strategy", "remediation", "maxInFlight")
}

func topologyRemediation(n, check loader.Node) MachineRemediation {
	if n.Get("machineHealthCheck").Present() {
		return newRemediation(n, []string{"strategy", "remediation"}, "maxInFlight")
	}
	return newRemediation(check, []string{"remediation"}, "maxInFlight")
}
