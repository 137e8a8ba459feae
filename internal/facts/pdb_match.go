package facts

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"k8s.io/apimachinery/pkg/labels"
)

// NearMiss is a workload that a selector misses by a label.
type NearMiss struct {
	Set  bool   `json:"set"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Key is the label that misses, or namespace.
	Key  string `json:"key"`
	Want string `json:"want" jsonschema:"description=what the selector asks of the label"`
	Have string `json:"have" jsonschema:"description=the value that the pods have"`
	Lack bool   `json:"lack" jsonschema:"description=the pods do not have the label"`
	// Selector is the workload's own selector, empty when it has none; Labels those of its pods.
	Selector map[string]any    `json:"selector"`
	Labels   map[string]string `json:"labels"`
}

// Overlap is another budget for pods that have one.
type Overlap struct {
	Name      string   `json:"name"`
	Workloads []string `json:"workloads" jsonschema:"description=Kind name of each workload that both select"`
}

// overlaps are the other budgets, near s and of another name, that select pods of workloads that s selects.
func (b *bundle) overlaps(s *selecting) []Overlap {
	out := []Overlap{}
	if s.selector == nil || b.copied(s) {
		return out
	}
	matches, _ := distinct(s.matches)
	for _, w := range matches {
		for _, other := range w.budgets {
			if other == s || other.selector == nil || distance(s.object, other.object) > 1 || other.object.Name == s.object.Name ||
				!sameNamespace(s.object.Namespace, other.object.Namespace) || b.copied(other) {
				continue
			}
			i := slices.IndexFunc(out, func(o Overlap) bool { return o.Name == other.object.Name })
			if i < 0 {
				i = len(out)
				out = append(out, Overlap{Name: other.object.Name})
			}
			out[i].Workloads = append(out[i].Workloads, w.object.Kind+" "+w.object.Name)
		}
	}
	return out
}

// nearMisses joins the budgets that select nothing to the workloads that no budget selects. Hooks need none, and a template without
// labels gets them later, from a Kustomization.
func (b *bundle) nearMisses() {
	var bare []*workload
	for _, w := range b.workloads {
		if len(w.covering) == 0 && len(w.labels) > 0 && class(w) != "hook" {
			bare = append(bare, w)
		}
	}
	for _, s := range b.inOrder {
		if s.selector != nil && len(s.matches) == 0 && s.selector.String() != "" { // neither {} nor nothing misses anything
			b.nearMiss(s, bare)
		}
	}
}

// nearMiss finds the workload that s was probably to select: the nearest of those that look like it. Pods that an operator makes are
// not in the bundle, so where nothing looks like the selector nothing is said.
func (b *bundle) nearMiss(s *selecting, bare []*workload) {
	var meant *workload
	var best nearness
	for _, w := range bare {
		here := nearness{distance: distance(s.object, w.object)}
		var miss NearMiss
		if miss, here.labels = b.miss(s, w, here.distance); miss.Set && (meant == nil || here.less(best)) {
			s.near, meant, best = miss, w, here
		}
	}
	if meant != nil {
		s.near.Selector = ownSelector(meant.object)
		meant.missedBy = s.object.Name
	}
}

// nearness orders near misses: by the distance in the tree, then by how many labels miss.
type nearness struct{ distance, labels int }

func (n nearness) less(m nearness) bool {
	return n.distance < m.distance || n.distance == m.distance && n.labels < m.labels
}

// miss says by what s misses w, when w looks as if it was meant, and how many labels miss.
func (b *bundle) miss(s *selecting, w *workload, d int) (NearMiss, int) {
	near := NearMiss{Set: true, Kind: w.object.Kind, Name: w.object.Name, Labels: w.labels}
	missing, telling := requirementsOf(s.selector, w.labels)
	if len(missing) == 0 { // the namespaces differ
		near.Key, near.Want, near.Have = "namespace", s.object.Namespace, w.object.Namespace
		return near, 0
	}
	if !sameNamespace(s.object.Namespace, w.object.Namespace) {
		return NearMiss{}, 0
	}
	first := missing[0]
	have, has := w.labels[first.Key()]
	near.Key, near.Want, near.Have, near.Lack = first.Key(), wanted(first), have, !has
	if near.Lack && d > 1 { // a Kustomization between the two may add it
		return NearMiss{}, 0
	}
	if !b.meant(s, w, missing, telling, d) {
		return NearMiss{}, 0
	}
	return near, len(missing)
}

func wanted(r labels.Requirement) string { return strings.Join(r.ValuesUnsorted(), ", ") }

// meant reports whether s, some of whose requirements w misses, was probably to select w all the same.
func (b *bundle) meant(s *selecting, w *workload, missing []labels.Requirement, telling, d int) bool {
	if related(s.object.Name, w.object.Name) {
		return true
	}
	first, single := missing[0], len(missing) == 1
	misspelt := single && closelySpelt(wanted(first), w.labels[first.Key()])
	if telling > 0 && (misspelt || single && b.singledOut(s, first)) {
		return true
	}
	return d <= 1 && !b.custom[s.object.File] && (misspelt || d == 0 && keysOf(missing, w.labels))
}

// singledOut reports whether the requirements of s other than but are those of the pods of one workload, and not labels that all of
// an application share. It looks through the bundle once for each requirement.
func (b *bundle) singledOut(s *selecting, but labels.Requirement) bool {
	key := but.String()
	if single, ok := s.singles[key]; ok {
		return single
	}
	others := labels.NewSelector()
	all, _ := s.selector.Requirements()
	for _, r := range all {
		if r.String() != key {
			others = others.Add(r)
		}
	}
	names := map[string]bool{}
	for _, w := range b.candidates(others) {
		if sameNamespace(s.object.Namespace, w.object.Namespace) && others.Matches(labels.Set(w.labels)) {
			names[w.object.Name] = true
		}
	}
	if s.singles == nil {
		s.singles = map[string]bool{}
	}
	s.singles[key] = len(names) <= 1
	return s.singles[key]
}

// requirementsOf splits a selector by whether the labels meet it; telling counts those they meet that name an application and
// not merely a release or an environment.
func requirementsOf(sel labels.Selector, set map[string]string) (missing []labels.Requirement, telling int) {
	all, _ := sel.Requirements()
	for _, r := range all {
		switch {
		case !r.Matches(labels.Set(set)):
			missing = append(missing, r)
		case !slices.Contains(genericLabels(), r.Key()):
			telling++
		}
	}
	return missing, telling
}

// genericLabels say which release, team or environment a pod belongs to, not what it is.
func genericLabels() []string {
	return []string{
		"app.kubernetes.io/instance", "app.kubernetes.io/part-of", "app.kubernetes.io/managed-by", "app.kubernetes.io/version",
		"release", "heritage", "chart", "helm.sh/chart", "env", "environment", "team", "tier", "version", "stage", "owner",
	}
}

// keysOf reports whether the pods have every label that misses, with other values.
func keysOf(missing []labels.Requirement, set map[string]string) bool {
	return !slices.ContainsFunc(missing, func(r labels.Requirement) bool { _, has := set[r.Key()]; return !has })
}

// closelySpelt reports whether two values differ by one or two letters.
func closelySpelt(want, have string) bool {
	return min(len(want), len(have)) >= 4 && levenshtein.ComputeDistance(want, have) <= 2
}

// related reports whether a budget is named for a workload: api, api-pdb, pdb-api.
func related(budget, workload string) bool {
	for _, word := range []string{"-poddisruptionbudget", "-pod-disruption-budget", "-disruption-budget", "-budget", "-pdb"} {
		budget = strings.TrimSuffix(budget, word)
	}
	return workload != "" && strings.TrimPrefix(budget, "pdb-") == workload
}

// customGroup reports whether an API group is none of Kubernetes' own, so that an operator may make pods for its objects.
func customGroup(g string) bool {
	return strings.Contains(g, ".") && !strings.HasSuffix(g, ".k8s.io") && !loadBearingGroup(g)
}

// loadBearingGroup knows groups outside of Kubernetes whose objects make no pods, or pods from a template of their own.
func loadBearingGroup(g string) bool {
	return slices.Contains([]string{
		"argoproj.io", "keda.sh", "cert-manager.io", "networking.istio.io", "security.istio.io", "route.openshift.io", "apps.openshift.io",
		"gateway.networking.k8s.io", "apps.kruise.io", "serving.knative.dev", "external-secrets.io",
	}, g)
}
