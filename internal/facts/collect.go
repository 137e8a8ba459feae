package facts

import (
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/hclint/hclint/loader"
)

// objectKind is a kind of object that rules judge as it stands, apart from workloads.
type objectKind struct {
	group, kind string
	subject     string // a Subject* constant
	// facts prepares the Rego input; nil when the object has nothing that a rule could judge.
	facts func(b *bundle, o *loader.Object) any
}

// objectKinds are the kinds of objects with facts of their own. A new one is a row here and a file with its facts.
func objectKinds() []objectKind {
	own := []objectKind{
		{"policy", "PodDisruptionBudget", SubjectPDB, pdbFacts},
	}
	return slices.Concat(own, autoscalerKinds(), trafficKinds(), machineKinds(), nodeKinds())
}

// Collect prepares one subject for each thing that rules judge in files, taken together as what is deployed together: input
// problems first, then workloads, then the other objects and documents, each in the order of the files.
func Collect(files []*loader.File, opt Options) []Subject {
	b := newBundle(files, opt)
	subjects := inputs(files)
	start := len(subjects)
	subjects = append(subjects, make([]Subject, len(b.workloads))...)
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var group errgroup.Group
	group.SetLimit(jobs)
	for i, w := range b.workloads {
		group.Go(func() error {
			subjects[start+i] = b.workload(w)
			return nil
		})
	}
	_ = group.Wait() // nothing above returns an error
	for i, w := range b.workloads {
		w.facts, _ = subjects[start+i].Input.(*Workload)
	}
	subjects = append(subjects, b.objects(files)...)
	return slices.Concat(subjects, b.restartPolicies(files), composes(files), units(files))
}

// objects prepares the objects that are judged as they stand.
func (b *bundle) objects(files []*loader.File) []Subject {
	kinds := map[kindKey]objectKind{}
	for _, k := range objectKinds() {
		kinds[kindKey{k.group, k.kind}] = k
	}
	var out []Subject
	for _, f := range files {
		for _, o := range f.Objects {
			k, ok := kinds[kindKey{group(o.APIVersion), o.Kind}]
			if !ok || !o.Root().Present() {
				continue
			}
			if input := k.facts(b, o); input != nil {
				out = append(out, Subject{Kind: k.subject, File: f, Object: o, Input: input})
			}
		}
	}
	return out
}

// inputs are the places that could not be read.
func inputs(files []*loader.File) []Subject {
	var out []Subject
	for _, f := range files {
		for _, p := range f.Problems {
			out = append(out, Subject{
				Kind: SubjectInput, File: f, Span: p.Span,
				Input: &Input{Subject: SubjectInput, File: f.Name, Message: p.Message, Lost: p.Lost, Duplicate: p.Duplicate},
			})
		}
	}
	return out
}
