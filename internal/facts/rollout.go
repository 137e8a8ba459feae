package facts

import (
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/hclint/hclint/loader"
)

// Rollout is how a change of the pod template reaches the pods.
type Rollout struct {
	// Set is false for kinds that have no rollout (Job, Pod) or one that is not known here.
	Set bool `json:"set"`
	// Field is the name of the block in spec, Path leads to it whether it is there or not.
	Field string `json:"field" jsonschema:"enum=,enum=strategy,enum=updateStrategy"`
	Path  Path   `json:"path"`
	// Written is the type as it stands there. Style is what it comes to.
	Written Field  `json:"written"`
	Style   string `json:"style" jsonschema:"enum=,enum=rolling,enum=recreate,enum=on-delete,enum=blue-green,enum=other,enum=unknown"`
	// BlockPath leads to the mapping that holds the two limits, whether it is there or not; Block says whether it is.
	BlockPath      Path     `json:"block_path"`
	Block          bool     `json:"block"`
	MaxUnavailable Quantity `json:"max_unavailable" jsonschema:"description=as written"`
	MaxSurge       Quantity `json:"max_surge" jsonschema:"description=as written"`
	// Unavailable and Surge are the limits in pods, defaults filled in and rounded as the controller does. Unknown for
	// percentages of an unknown number.
	Unavailable Count `json:"unavailable"`
	Surge       Count `json:"surge"`
	// Ignored: the Kubernetes version ignores maxUnavailable, which a StatefulSet has had by default since 1.37.
	Ignored bool `json:"ignored" jsonschema:"description=this version ignores maxUnavailable of a StatefulSet"`
	// Stray is a block that the kind does not have; "" when there is none.
	Stray string `json:"stray"`
	// MinReady and Deadline are minReadySeconds and progressDeadlineSeconds with their defaults.
	MinReady Number `json:"min_ready_seconds"`
	Deadline Number `json:"progress_deadline_seconds"`
}

// rolloutKind says where a kind keeps its strategy and how its controller counts.
type rolloutKind struct {
	field   string            // in spec
	types   map[string]string // written type → style
	usual   string            // the type when none is written
	block   []string          // from the field to the limits
	maxUn   string            // default of maxUnavailable
	surge   string            // default of maxSurge, "" when there is no such field
	roundUp bool              // maxUnavailable; maxSurge always rounds up
	least   int               // floor of the rounded maxUnavailable
	none    bool              // the rounding is not known: only 0 and 100% can be told
}

// statefulSetMaxUnavailable is the version in which MaxUnavailableStatefulSet is on by default.
const statefulSetMaxUnavailable = 37

// rolloutKindOf knows the controllers of the kinds: k8s.io/kubernetes pkg/controller/deployment/util ResolveFenceposts,
// pkg/controller/statefulset getStatefulSetMaxUnavailable, pkg/controller/daemon/util; Argo Rollouts and OpenShift count as
// Deployments do.
func rolloutKindOf(o *loader.Object) (rolloutKind, bool) {
	deployment := rolloutKind{
		field: "strategy", types: map[string]string{"RollingUpdate": "rolling", "Recreate": "recreate"}, usual: "RollingUpdate",
		block: []string{"rollingUpdate"}, maxUn: "25%", surge: "25%",
	}
	switch {
	case is(o, "apps", "Deployment"), is(o, "extensions", "Deployment"):
		return deployment, true
	case is(o, "apps.openshift.io", "DeploymentConfig"), is(o, "", "DeploymentConfig"):
		deployment.types = map[string]string{"Rolling": "rolling", "Recreate": "recreate", "Custom": "other"}
		deployment.usual, deployment.block = "Rolling", []string{"rollingParams"}
		return deployment, true
	case is(o, "argoproj.io", "Rollout"):
		deployment.types, deployment.usual, deployment.block = nil, "", []string{"canary"}
		return deployment, true
	case is(o, "apps", "StatefulSet"): // Recreate is alpha in 1.37, and off
		return rolloutKind{
			field: "updateStrategy", types: map[string]string{"RollingUpdate": "rolling", "OnDelete": "on-delete"},
			usual: "RollingUpdate", block: []string{"rollingUpdate"}, maxUn: "1", least: 1,
		}, true
	case is(o, "apps", "DaemonSet"), is(o, "extensions", "DaemonSet"):
		return rolloutKind{
			field: "updateStrategy", types: map[string]string{"RollingUpdate": "rolling", "OnDelete": "on-delete"},
			usual: "RollingUpdate", block: []string{"rollingUpdate"}, maxUn: "1", surge: "0", roundUp: true,
		}, true
	case is(o, "apps.kruise.io", "CloneSet"):
		return rolloutKind{
			field: "updateStrategy", usual: "ReCreate", maxUn: "20%", surge: "0", none: true,
			types: map[string]string{"ReCreate": "rolling", "InPlaceIfPossible": "rolling", "InPlaceOnly": "rolling"},
		}, true
	default:
		return rolloutKind{}, false
	}
}

func rolloutOf(w *workload, v Version) Rollout {
	r := Rollout{
		Path: Path{}, BlockPath: Path{}, Written: field(loader.Node{}),
		MinReady: Number{Known: true}, Deadline: Number{Known: true, Value: 600},
	}
	kind, ok := rolloutKindOf(w.object)
	if !ok {
		return r
	}
	spec := w.object.Root().Get("spec")
	strategy := spec.Get(kind.field)
	r.Set, r.Field, r.Path = true, kind.field, Path{"spec", kind.field}
	r.Written = field(strategy.Get("type"))
	r.style(kind, strategy)
	block := strategy.Get(kind.block...)
	r.Block = block.Present()
	r.BlockPath = r.Path
	for _, key := range kind.block {
		r.BlockPath = r.BlockPath.Child(key)
	}
	r.MaxUnavailable, r.MaxSurge = quantity(block.Get("maxUnavailable")), quantity(block.Get("maxSurge"))
	r.MinReady = wholeNumber(spec.Get("minReadySeconds"), 0, true)
	r.Deadline = wholeNumber(spec.Get("progressDeadlineSeconds"), 600, true)
	r.Ignored = is(w.object, "apps", "StatefulSet") && v.Minor < statefulSetMaxUnavailable
	other := map[string]string{"strategy": "updateStrategy", "updateStrategy": "strategy"}[kind.field]
	if spec.Get(other).Type() == loader.Map {
		r.Stray = other
	}
	r.count(kind, w.replicas)
	return r
}

// style says what kind of rollout the type comes to.
func (r *Rollout) style(kind rolloutKind, strategy loader.Node) {
	switch {
	case strategy.Unknown() || r.Written.Type == "unknown":
		r.Style = "unknown"
	case kind.types == nil && strategy.Get("blueGreen").Type() != loader.Absent:
		r.Style = "blue-green"
	case kind.types == nil && strategy.Get("canary").Type() != loader.Absent:
		r.Style = "rolling"
	case kind.types == nil:
		r.Style = "other"
	case r.Written.Text == "":
		r.Style = kind.types[kind.usual]
	default:
		r.Style = kind.types[r.Written.Text] // "" for a word that the API does not know
	}
}

// count turns the limits into numbers of pods.
func (r *Rollout) count(kind rolloutKind, replicas Count) {
	if r.Style != "rolling" {
		return
	}
	unavailable := orDefault(r.MaxUnavailable, kind.maxUn)
	if r.Ignored {
		unavailable = orDefault(Quantity{}, kind.maxUn)
	}
	r.Unavailable = unavailable.limit(kind, replicas, kind.roundUp)
	r.Unavailable.Value = max(r.Unavailable.Value, kind.least)
	if kind.surge == "" {
		r.Surge.Known = true
		return
	}
	r.Surge = orDefault(r.MaxSurge, kind.surge).limit(kind, replicas, true)
	// ResolveFenceposts: when both round to 0 the rollout takes one pod down.
	if !kind.roundUp && r.Unavailable.Known && r.Surge.Known && r.Unavailable.Value == 0 && r.Surge.Value == 0 {
		r.Unavailable.Value = 1
	}
}

func orDefault(q Quantity, text string) Quantity {
	if q.Set {
		return q
	}
	parsed := intstr.Parse(text)
	if parsed.Type == intstr.Int {
		return Quantity{Known: true, Text: text, Value: parsed.IntValue()}
	}
	value, _ := intstr.GetScaledValueFromIntOrPercent(&parsed, 100, true)
	return Quantity{Known: true, Text: text, Percent: true, Value: value}
}

// limit is a quantity as a number of pods, no more than there are.
func (q Quantity) limit(kind rolloutKind, replicas Count, up bool) Count {
	switch {
	case !q.Known:
		return Count{}
	case !q.Percent:
		return Count{Known: true, Value: q.Value}
	case !replicas.Known || kind.none && q.Value > 0 && q.Value < 100:
		return Count{}
	}
	return Count{Known: true, Value: q.of(replicas.Value, up)}
}
