package facts

import (
	"fmt"
	"slices"
)

// Features says which of the things that rules ask for a subject has at all. A rule that needs what a subject lacks is
// neither compiled nor asked: most workloads have little of what some rule looks for.
type Features uint32

// The features of a workload. Other subjects count as having every one.
const (
	hasProbe             Features = 1 << iota // a probe of any type
	hasLiveness                               // a liveness probe
	hasReadiness                              // a readiness probe
	hasStartup                                // a startup probe
	hasExec                                   // a probe that runs a command
	hasRemote                                 // a probe that something outside the pod decides
	hasNode                                   // a probe that asks the node
	hasDependentEndpoint                      // a probe of an endpoint known to depend on something
	hasOutside                                // either of the two
	hasReadinessEndpoint                      // a probe of a readiness endpoint
	hasUndeclaredPort                         // a probe of a named port that its container does not declare
	hasZero                                   // a probe with a written 0
	hasLiteral                                // a probe with text that nobody expands
	hasUnfailing                              // a probe that cannot fail, or not by its status
	hasOverlap                                // a probe whose timeout is longer than its period
	hasDefect                                 // a mistake in the form of a probe
	hasShared                                 // liveness that gives up no later than readiness
	hasSlowStart                              // a container known to start slowly
	hasService                                // a Service selects the pods
	hasJob                                    // a Job or CronJob
	hasRollout                                // something written about how a rollout goes
	hasRestart                                // a restartPolicy other than the pod's Always, or a Job, which needs one
)

// featureNames are how metadata names them (custom.needs), in the order of the constants.
func featureNames() []string {
	return []string{
		"probe", "liveness", "readiness", "startup", "exec", "remote", "node", "dependent-endpoint", "outside", "readiness-endpoint",
		"undeclared-port", "zero", "literal", "unfailing", "overlap", "defect", "shared", "slow-start", "service", "job", "rollout",
		"restart",
	}
}

// FeaturesNamed is the set of the features with the given names.
func FeaturesNamed(names []string) (Features, error) {
	var all Features
next:
	for _, name := range names {
		for i, known := range featureNames() {
			if name == known {
				all |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("no feature %q, known are %v", name, featureNames())
	}
	return all, nil
}

// Has reports whether f holds all of needed.
func (f Features) Has(needed Features) bool { return f&needed == needed }

// Features are those of the subject.
func (s *Subject) Features() Features {
	w, ok := s.Input.(*Workload)
	if !ok {
		return ^Features(0)
	}
	var f Features
	f.add(w.Class == "service", hasService)
	f.add(w.Job.Set, hasJob)
	f.add(w.Rollout.written(), hasRollout)
	f.add(w.restarts(), hasRestart)
	f.add(len(w.Defects) > 0, hasDefect)
	for i := range w.Containers {
		c := &w.Containers[i]
		f.add(c.SlowStart.Name != "", hasSlowStart)
		f.add(c.Shared.Same && !c.Shared.Local && c.Shared.Outpaces != "", hasShared)
		for j := range c.Probes {
			f |= c.Probes[j].features()
		}
	}
	return f
}

// written reports whether the manifest says anything of the rollout, so that not all of it is a default.
func (r *Rollout) written() bool {
	return r.Set && (r.Written.Set || r.MaxUnavailable.Set || r.MaxSurge.Set || r.Block || r.Stray != "" || r.MinReady.Set || r.Deadline.Set)
}

// restarts reports whether a restartPolicy is written, or ought to be.
func (facts *Workload) restarts() bool {
	return facts.Job.Set || facts.PodRestart.Set && facts.PodRestart.Text != "Always" ||
		slices.ContainsFunc(facts.Containers, func(c Container) bool { return c.Restart.Set || len(c.RestartRules) > 0 })
}

func (p *Probe) features() Features {
	f := hasProbe
	f.add(p.Type == "liveness", hasLiveness)
	f.add(p.Type == "readiness", hasReadiness)
	f.add(p.Type == "startup", hasStartup)
	f.add(p.Handler == "exec", hasExec)
	f.add(p.Endpoint.Depends == "yes", hasDependentEndpoint)
	f.add(p.Endpoint.Depends == "yes", hasOutside)
	f.add(p.Endpoint.Readiness, hasReadinessEndpoint)
	f.add(p.Port.Name != "" && !p.Port.Declared, hasUndeclaredPort)
	f.add(len(p.Zero) > 0, hasZero)
	f.add(len(p.Literals) > 0, hasLiteral)
	f.add(p.NeverFails || p.BlindCurl != "" || p.Endpoint.Verdict == "reports-only", hasUnfailing)
	f.add(p.Overlaps, hasOverlap)
	for i := range p.Targets {
		f.add(p.Targets[i].Remote && p.Targets[i].Decides, hasRemote|hasOutside)
		f.add(p.Targets[i].Place == "node", hasNode)
	}
	return f
}

func (f *Features) add(present bool, feature Features) {
	if present {
		*f |= feature
	}
}
