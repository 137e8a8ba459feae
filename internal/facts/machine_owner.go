package facts

import (
	"maps"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/hclint/hclint/loader"
)

// The labels that select machines (cluster.x-k8s.io/v1beta2 and machine.openshift.io/v1beta1).
const (
	labelCluster       = "cluster.x-k8s.io/cluster-name"
	labelDeployment    = "cluster.x-k8s.io/deployment-name"
	labelMachineSet    = "cluster.x-k8s.io/set-name"
	labelControlPlane  = "cluster.x-k8s.io/control-plane"
	labelControlName   = "cluster.x-k8s.io/control-plane-name"
	labelOpenShiftRole = "machine.openshift.io/cluster-api-machine-role"
	labelOpenShiftType = "machine.openshift.io/cluster-api-machine-type"
	// The lower bound that Cluster Autoscaler keeps; with it the number of replicas is not the manifest's to say.
	noteAutoscaler = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size"
)

// machineIndex joins MachineHealthChecks to the owners of the machines that they have replaced.
type machineIndex struct {
	owners map[*loader.Object][]machineOwner   // by the check; the nearest
	checks map[*loader.Object][]*loader.Object // by the owner
}

// machineOwner is a MachineDeployment, a MachineSet or a KubeadmControlPlane with the labels of its machines.
type machineOwner struct {
	object  *loader.Object
	cluster string // "" when unknown
	labels  map[string]string
}

func newMachineIndex(files []*loader.File) machineIndex {
	var owners []machineOwner
	var checks []*loader.Object
	for _, f := range files {
		for _, o := range f.Objects {
			switch {
			case o.Kind == "MachineHealthCheck" && (group(o.APIVersion) == groupCluster || group(o.APIVersion) == groupOpenShift):
				checks = append(checks, o)
			case is(o, groupCluster, "MachineDeployment"), is(o, groupCluster, "MachineSet"), is(o, groupOpenShift, "MachineSet"):
				owners = append(owners, ownerOf(o))
			case is(o, groupControlPlane, "KubeadmControlPlane"):
				owners = append(owners, controlPlaneOwner(o))
			}
		}
	}
	m := machineIndex{owners: map[*loader.Object][]machineOwner{}, checks: map[*loader.Object][]*loader.Object{}}
	for _, check := range checks {
		m.owners[check] = ownersFor(check, owners)
		for _, w := range m.owners[check] {
			m.checks[w.object] = append(m.checks[w.object], check)
		}
	}
	return m
}

// ownerOf adds the labels that the controllers put on machines to those of the template.
func ownerOf(o *loader.Object) machineOwner {
	spec := o.Root().Get("spec")
	w := machineOwner{object: o, cluster: spec.Get("clusterName").Text(), labels: stringMap(spec.Get("template", "metadata", "labels"))}
	if group(o.APIVersion) != groupCluster {
		return w
	}
	w.labels[labelCluster] = w.cluster
	if o.Kind == "MachineDeployment" {
		w.labels[labelDeployment] = o.Name
	} else {
		w.labels[labelMachineSet] = o.Name
	}
	return w
}

// controlPlaneOwner is for a KubeadmControlPlane, which names its cluster in a label at most.
func controlPlaneOwner(o *loader.Object) machineOwner {
	w := machineOwner{object: o, labels: map[string]string{}}
	maps.Copy(w.labels, stringMap(o.Root().Get("spec", "machineTemplate", "metadata", "labels")))
	w.cluster = o.Root().Get("metadata", "labels").Get(labelCluster).Text()
	w.labels[labelControlPlane] = ""
	w.labels[labelControlName] = o.Name
	return w
}

// covers reports whether a MachineHealthCheck has the machines of w replaced.
func (w machineOwner) covers(check *loader.Object, sel labels.Selector) bool {
	if group(check.APIVersion) == groupOpenShift != (group(w.object.APIVersion) == groupOpenShift) {
		return false
	}
	if !sameNamespace(check.Namespace, w.object.Namespace) {
		return false
	}
	cluster := check.Root().Get("spec", "clusterName").Text()
	if w.cluster != "" && cluster != "" && w.cluster != cluster {
		return false
	}
	set := labels.Set(w.labels)
	if w.cluster == "" && cluster != "" {
		set = maps.Clone(set)
		set[labelCluster] = cluster
	}
	return sel.Matches(set)
}

// ownersFor are the owners, the nearest, whose machines a MachineHealthCheck has replaced.
func ownersFor(check *loader.Object, owners []machineOwner) []machineOwner {
	sel, ok := selectorOf(check.Root().Get("spec", "selector"))
	if !ok {
		return nil
	}
	var found []machineOwner
	for _, w := range owners {
		if w.covers(check, sel) {
			found = append(found, w)
		}
	}
	return nearest(check, found, func(w machineOwner) *loader.Object { return w.object })
}

// selectedBy describes the owners for a check.
func (m *machineIndex) selectedBy(check *loader.Object) []MachinePool {
	var out []MachinePool
	for _, w := range m.owners[check] {
		out = append(out, MachinePool{
			Kind: w.object.Kind, Name: w.object.Name, Replicas: machineReplicas(w.object.Root().Get("spec"), w.object),
			MaxInFlight: quantity(maxInFlight(w.object)),
		})
	}
	return out
}

// machineReplicas is 1 when it is left out, unless the autoscaler decides.
func machineReplicas(n loader.Node, o *loader.Object) Count {
	if o.Root().Get("metadata", "annotations").Get(noteAutoscaler).Present() || n.Get("metadata", "annotations").Get(noteAutoscaler).Present() {
		return Count{From: "autoscaler"}
	}
	return writtenReplicas(n.Get("replicas"))
}

// maxInFlight is in spec.strategy.remediation in v1beta1 and in spec.remediation in v1beta2.
func maxInFlight(o *loader.Object) loader.Node {
	spec := o.Root().Get("spec")
	if n := spec.Get("remediation", "maxInFlight"); n.Present() {
		return n
	}
	return spec.Get("strategy", "remediation", "maxInFlight")
}

// selectsControlPlane reports whether a selector demands a label that only control plane machines have.
func selectsControlPlane(selector loader.Node) bool {
	for key, value := range selector.Get("matchLabels").Entries() {
		if controlPlaneLabel(key, value.Text()) {
			return true
		}
	}
	for _, e := range selector.Get("matchExpressions").Items() {
		key, values := e.Get("key").Text(), e.Get("values")
		switch e.Get("operator").Text() {
		case "Exists":
			if key == labelControlPlane || key == labelControlName {
				return true
			}
		case "In":
			if values.Len() == 1 && controlPlaneLabel(key, values.Index(0).Text()) {
				return true
			}
		}
	}
	return false
}

func controlPlaneLabel(key, value string) bool {
	switch key {
	case labelControlPlane, labelControlName:
		return true
	case labelOpenShiftRole, labelOpenShiftType:
		return value == "master"
	}
	return false
}
