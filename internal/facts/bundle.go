package facts

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/loader"
)

// bundle is what is deployed together, indexed for the joins. It is read-only once built, so workloads are prepared in parallel.
//
// A run may hold several copies of one thing (overlays, environments). What joins to a workload is therefore the nearest in
// the directory tree; where two are equally near, both join.
type bundle struct {
	workloads []*workload
	byLabel   map[label][]*workload
	byID      map[identity][]*loader.Object // namespace "" keeps the objects that leave it out
	services  []*selecting
	budgets   map[*loader.Object]*selecting
	inOrder   []*selecting     // the budgets, in the order of the files
	scalers   []*loader.Object // HorizontalPodAutoscalers and ScaledObjects
	routes    map[string][]backend
	broken    []string                       // directories of files that could not be read whole
	scaled    map[*loader.Object][]*workload // by the autoscaler
	custom    map[*loader.File]bool          // files with objects of a kind that Kubernetes does not have
	kube      Version
	mesh      meshIndex
	machines  machineIndex
	endpoints *endpoints.Table
}

type identity struct{ kind, name string }

type label struct{ key, value string }

// selecting is an object that selects pods, with the workloads that it selects.
type selecting struct {
	object   *loader.Object
	selector labels.Selector // nil when it cannot be known
	matches  []*workload     // the nearest
	near     NearMiss        // of a budget without matches
	patches  *selecting      // the budget that this one is a patch of
	patched  bool            // whether a patch in the bundle sets other limits
	singles  map[string]bool // for a requirement of a budget that misses: whether the others are met by one workload alone
}

// workload is a pod template and where it came from.
type workload struct {
	object   *loader.Object
	template loader.Node // the mapping with metadata and spec
	pod      loader.Node // the PodSpec
	labels   map[string]string
	replicas Count
	services []*selecting
	budgets  []*selecting
	scalers  []*loader.Object
	covering []*selecting // every budget that selects the pods, however far away
	missedBy string       // the budget that selects nothing and was probably meant for it
	facts    *Workload    // once prepared
}

type backend struct {
	namespace, service string
	object             *loader.Object
}

func newBundle(files []*loader.File, opt Options) *bundle {
	kinds := newKinds(opt)
	b := &bundle{
		byLabel: map[label][]*workload{}, byID: map[identity][]*loader.Object{},
		budgets: map[*loader.Object]*selecting{}, routes: map[string][]backend{},
		scaled: map[*loader.Object][]*workload{}, custom: map[*loader.File]bool{}, kube: opt.version(), endpoints: opt.Endpoints,
	}
	for _, f := range files {
		if slices.ContainsFunc(f.Problems, func(p loader.Problem) bool { return p.Lost }) {
			b.broken = append(b.broken, directory(f.Name))
		}
		for _, o := range f.Objects {
			b.custom[f] = b.custom[f] || customGroup(group(o.APIVersion))
			if o.Kind != "" && o.Root().Present() {
				b.add(o, kinds)
			}
		}
	}
	b.join()
	b.mesh, b.machines = newMeshIndex(files), newMachineIndex(files)
	return b
}

func (b *bundle) add(o *loader.Object, kinds kindTable) {
	id := identity{o.Kind, o.Name}
	b.byID[id] = append(b.byID[id], o)
	if p, ok := kinds.lookup(o.APIVersion, o.Kind); ok {
		b.addWorkload(o, p)
		return
	}
	switch {
	case is(o, "", "Service"):
		sel, known := equalitySelector(o.Root().Get("spec", "selector"))
		b.services = append(b.services, newSelecting(o, sel, known))
	case is(o, "policy", "PodDisruptionBudget"):
		sel, known := budgetSelector(o)
		b.budgets[o] = newSelecting(o, sel, known)
		b.inOrder = append(b.inOrder, b.budgets[o])
	case is(o, "autoscaling", "HorizontalPodAutoscaler"), is(o, "keda.sh", "ScaledObject"):
		b.scalers = append(b.scalers, o)
	default:
		b.addRoutes(o)
	}
}

func newSelecting(o *loader.Object, sel labels.Selector, known bool) *selecting {
	if !known {
		sel = nil
	}
	return &selecting{object: o, selector: sel}
}

func (b *bundle) addWorkload(o *loader.Object, templatePath []string) {
	template := o.Root().Get(templatePath...)
	pod := template.Get("spec")
	if pod.Type() != loader.Map {
		return
	}
	w := &workload{
		object: o, template: template, pod: pod,
		labels: stringMap(template.Get("metadata", "labels")),
	}
	b.workloads = append(b.workloads, w)
	for k, v := range w.labels {
		b.byLabel[label{k, v}] = append(b.byLabel[label{k, v}], w)
	}
}

// addRoutes remembers which Service a host name leads to: Ingress, HTTPRoute, OpenShift Route.
func (b *bundle) addRoutes(o *loader.Object) {
	spec := o.Root().Get("spec")
	add := func(host string, services ...string) {
		for _, s := range services {
			if host != "" && s != "" {
				b.routes[host] = append(b.routes[host], backend{o.Namespace, s, o})
			}
		}
	}
	switch o.Kind {
	case "Ingress":
		for _, rule := range spec.Get("rules").Items() {
			for _, p := range rule.Get("http", "paths").Items() {
				add(rule.Get("host").Text(), p.Get("backend", "service", "name").Text(), p.Get("backend", "serviceName").Text())
			}
		}
	case "HTTPRoute":
		for _, host := range spec.Get("hostnames").Items() {
			for _, rule := range spec.Get("rules").Items() {
				for _, ref := range rule.Get("backendRefs").Items() {
					add(host.Text(), ref.Get("name").Text())
				}
			}
		}
	case "Route":
		add(spec.Get("host").Text(), spec.Get("to", "name").Text())
	}
}

// join links what selects pods with what it selects, and autoscalers with what they scale.
func (b *bundle) join() {
	for _, s := range b.services {
		b.match(s)
		for _, w := range s.matches {
			w.services = append(w.services, s)
		}
	}
	for _, s := range b.inOrder {
		b.completeBudget(s)
		for _, w := range b.match(s) {
			w.covering = append(w.covering, s)
		}
	}
	b.nearMisses()
	b.joinScalers()
	for _, w := range b.workloads {
		w.budgets = budgetsOf(w)
		w.replicas = replicasOf(w)
		if b.patched(w) {
			w.replicas = Count{From: "replicas"}
		}
	}
}

// match finds the workloads that s selects, keeps the nearest as its matches and returns all.
func (b *bundle) match(s *selecting) []*workload {
	var found []*workload
	for _, w := range b.candidates(s.selector) {
		if s.covers(w) {
			found = append(found, w)
		}
	}
	s.matches = nearest(s.object, found, func(w *workload) *loader.Object { return w.object })
	return found
}

// candidates are the workloads that sel may match: those with the rarest of the labels that it demands.
func (b *bundle) candidates(sel labels.Selector) []*workload {
	if sel == nil || sel.Empty() {
		return b.workloads
	}
	least := b.workloads
	requirements, selectable := sel.Requirements()
	if !selectable {
		return nil
	}
	for _, r := range requirements {
		values := r.ValuesUnsorted()
		if len(values) != 1 || r.Operator() != selection.Equals && r.Operator() != selection.In && r.Operator() != selection.DoubleEquals {
			continue
		}
		if found := b.byLabel[label{r.Key(), values[0]}]; len(found) < len(least) {
			least = found
		}
	}
	return least
}

// covers reports whether s selects w's pods, wherever they stand. A selector that cannot be known may select what stands
// beside it.
func (s *selecting) covers(w *workload) bool {
	if !sameNamespace(s.object.Namespace, w.object.Namespace) {
		return false
	}
	if s.selector == nil {
		return distance(s.object, w.object) <= 1
	}
	return s.selector.Matches(labels.Set(w.labels))
}

// budgetsOf are the budgets that cover w: those that have w among their nearest, and else the nearest that select it at all,
// so that a budget further up the tree is not overlooked.
func budgetsOf(w *workload) []*selecting {
	var near []*selecting
	for _, s := range w.covering {
		if slices.Contains(s.matches, w) {
			near = append(near, s)
		}
	}
	if len(near) > 0 {
		return near
	}
	return nearest(w.object, w.covering, func(s *selecting) *loader.Object { return s.object })
}

// partial reports whether something beside o could not be read.
func (b *bundle) partial(o *loader.Object) bool {
	dir := dirOf(o)
	return slices.ContainsFunc(b.broken, func(d string) bool { return below(d, dir) || below(dir, d) })
}

// below reports whether dir is parent or lies in it; everything lies in "".
func below(dir, parent string) bool {
	return parent == "" || dir == parent || strings.HasPrefix(dir, parent+"/")
}

// sameNamespace compares namespaces; manifests often leave theirs to the command line, so an empty one matches any.
func sameNamespace(a, b string) bool { return a == b || a == "" || b == "" }

// objectNear finds the object of a kind and name that is nearest to o; nil when there is none.
func (b *bundle) objectNear(o *loader.Object, kind, namespace, name string) *loader.Object {
	var found []*loader.Object
	for _, other := range b.byID[identity{kind, name}] {
		if sameNamespace(other.Namespace, namespace) {
			found = append(found, other)
		}
	}
	return first(nearest(o, found, func(o *loader.Object) *loader.Object { return o }))
}

// servicesNear finds the Services of a name that are nearest to o.
func (b *bundle) servicesNear(o *loader.Object, namespace, name string) []*selecting {
	var found []*selecting
	for _, s := range b.services {
		if s.object.Name == name && sameNamespace(s.object.Namespace, namespace) {
			found = append(found, s)
		}
	}
	return nearest(o, found, func(s *selecting) *loader.Object { return s.object })
}

// first is the first of list; nil when it is empty.
func first[T any](list []*T) *T {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// nearest keeps the candidates with the least distance from o, in their order.
func nearest[T any](o *loader.Object, candidates []T, object func(T) *loader.Object) []T {
	if len(candidates) < 2 {
		return candidates
	}
	least := -1
	var out []T
	for _, c := range candidates {
		d := distance(o, object(c))
		if least < 0 || d < least {
			least, out = d, nil
		}
		if d == least {
			out = append(out, c)
		}
	}
	return out
}

// distance is 0 for the same file, 1 for the same directory, and else counts the steps up and down between the directories.
func distance(a, b *loader.Object) int {
	if a.File == b.File {
		return 0
	}
	x, y := dirOf(a), dirOf(b)
	for x != "" && y != "" {
		first, restX, _ := strings.Cut(x, "/")
		other, restY, _ := strings.Cut(y, "/")
		if first != other {
			break
		}
		x, y = restX, restY
	}
	return 1 + depth(x) + depth(y)
}

// dirOf is the directory of o's file: "" for the working directory and for the root, so that they count as no step.
func dirOf(o *loader.Object) string { return directory(o.File.Name) }

// directory is path.Dir of a clean name, "" for a name without a directory.
func directory(name string) string {
	name = strings.TrimPrefix(name, "/")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return ""
}

// depth is how many directories a relative path names.
func depth(dir string) int {
	if dir == "" {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}
