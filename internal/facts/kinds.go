package facts

import (
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/loader"
)

// PodTemplate says where a kind keeps its pod template.
type PodTemplate struct {
	// APIVersion is compared by its group ("apps/v1" stands for every version of apps); empty matches any.
	APIVersion string
	Kind       string
	// Path leads to the mapping that holds metadata and spec of the pods.
	Path []string
}

// Options are what a person may say about the input.
type Options struct {
	// PodTemplates are kinds beyond the built-in ones (config: podTemplates).
	PodTemplates []PodTemplate
	// KubeVersion is the version of Kubernetes that the manifests are for, as ParseVersion reads it; "" means the newest known.
	KubeVersion string
	// Endpoints says what endpoints check; nil knows nothing.
	Endpoints *endpoints.Table
	// Jobs is how many workloads are prepared at once; 0 means runtime.GOMAXPROCS(0).
	Jobs int
}

// DocumentKeys are the top-level keys that make a document a restart policy.
func DocumentKeys() []string { return []string{keyRestartPolicy, keyRestartPolicies} }

// builtinTemplates are the kinds that hold pod templates. extensions is the group of Deployment, DaemonSet and ReplicaSet
// before 1.16; "" is the core group, where OpenShift 3 kept DeploymentConfig.
func builtinTemplates() []PodTemplate {
	template := []string{"spec", "template"}
	return []PodTemplate{
		{"apps/v1", "Deployment", template},
		{"apps/v1", "StatefulSet", template},
		{"apps/v1", "DaemonSet", template},
		{"apps/v1", "ReplicaSet", template},
		{"extensions/v1beta1", "Deployment", template},
		{"extensions/v1beta1", "DaemonSet", template},
		{"extensions/v1beta1", "ReplicaSet", template},
		{"batch/v1", "Job", template},
		{"batch/v1", "CronJob", []string{"spec", "jobTemplate", "spec", "template"}},
		{"v1", "Pod", nil},
		{"v1", "ReplicationController", template},
		{"argoproj.io/v1alpha1", "Rollout", template},
		{"apps.openshift.io/v1", "DeploymentConfig", template},
		{"v1", "DeploymentConfig", template},
		{"apps.kruise.io/v1alpha1", "CloneSet", template},
		{"apps.kruise.io/v1beta1", "StatefulSet", template},
		{"apps.kruise.io/v1alpha1", "DaemonSet", template},
		{"serving.knative.dev/v1", "Service", template},
	}
}

// joined are the kinds that facts look up besides workloads: core names by kind alone, others by group.
func joined() []PodTemplate {
	return []PodTemplate{
		{APIVersion: "v1", Kind: "Service"},
		{APIVersion: "v1", Kind: "ConfigMap"},
		{APIVersion: "v1", Kind: "Secret"},
		{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		{APIVersion: "keda.sh/v1alpha1", Kind: "ScaledObject"},
		{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"},
		{APIVersion: "extensions/v1beta1", Kind: "Ingress"},
		{APIVersion: "gateway.networking.k8s.io/v1", Kind: "HTTPRoute"},
		{APIVersion: "route.openshift.io/v1", Kind: "Route"},
	}
}

// Keep returns the filter for loader.Options.Keep: true for the kinds that facts can use.
func Keep(opt Options) func(apiVersion, kind string) bool {
	kinds := newKinds(opt)
	for _, t := range joined() {
		kinds[kindKey{group(t.APIVersion), t.Kind}] = nil
	}
	for _, k := range objectKinds() {
		kinds[kindKey{k.group, k.kind}] = nil
	}
	return func(apiVersion, kind string) bool {
		_, ok := kinds.lookup(apiVersion, kind)
		return ok
	}
}

type kindKey struct{ group, kind string }

// anyGroup marks a configured pod template that names no apiVersion.
const anyGroup = "*"

type kindTable map[kindKey][]string

func newKinds(opt Options) kindTable {
	table := kindTable{}
	for _, t := range slices.Concat(builtinTemplates(), opt.PodTemplates) {
		g := group(t.APIVersion)
		if t.APIVersion == "" {
			g = anyGroup
		}
		table[kindKey{g, t.Kind}] = t.Path
	}
	return table
}

func (k kindTable) lookup(apiVersion, kind string) (path []string, ok bool) {
	if path, ok = k[kindKey{group(apiVersion), kind}]; ok {
		return path, true
	}
	path, ok = k[kindKey{anyGroup, kind}]
	return path, ok
}

// group is the API group of an apiVersion: "" for the core group.
func group(apiVersion string) string {
	g, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return g
}

func is(o *loader.Object, g, kind string) bool { return o.Kind == kind && group(o.APIVersion) == g }
