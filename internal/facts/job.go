package facts

import (
	"math"

	"github.com/hclint/hclint/loader"
)

// The defaults of k8s.io/kubernetes pkg/apis/batch/v1/defaults.go: with backoffLimitPerIndex, backoffLimit means nothing.
const (
	defaultBackoffLimit  = 6
	unlimitedBackoff     = math.MaxInt32
	defaultJobParallel   = 1
	modeIndexed          = "Indexed"
	maxJobPodBackOff     = 600 // MaxJobPodFailureBackOff in pkg/controller/job/job_controller.go
	maxContainerBackOff  = 300 // MaxCrashLoopBackOff in pkg/kubelet/kubelet.go
	firstBackOff         = 10
	restartOnFailure     = "OnFailure"
	maxBackOffArithmetic = 100_000_000
)

// Job is how a Job, or what a CronJob makes, retries and when it gives up.
type Job struct {
	Set bool `json:"set" jsonschema:"description=the workload is a Job or CronJob"`
	// Path leads to the JobSpec.
	Path        Path   `json:"path"`
	Parallelism Number `json:"parallelism"`
	Completions Number `json:"completions"`
	// Pods is how many pods run at the same time: no more are started than are still to complete.
	Pods         Number `json:"pods"`
	BackoffLimit Number `json:"backoff_limit" jsonschema:"description=2147483647 by default with backoffLimitPerIndex; else 6"`
	PerIndex     Number `json:"backoff_limit_per_index"`
	MaxFailed    Number `json:"max_failed_indexes"`
	// Deadline is activeDeadlineSeconds of the Job or, where that is not set, of its pods.
	Deadline Number `json:"deadline"`
	Mode     Field  `json:"completion_mode"`
	// FailurePolicy and SuccessPolicy: the field is there. FailsIndex: a rule of podFailurePolicy has the action FailIndex.
	FailurePolicy bool  `json:"pod_failure_policy"`
	FailsIndex    bool  `json:"fails_index"`
	SuccessPolicy bool  `json:"success_policy"`
	Replacement   Field `json:"pod_replacement_policy"`
	// BackOff is how many seconds the delays between retries add up to before the limit is reached.
	BackOff int `json:"back_off" jsonschema:"description=seconds of delays alone until backoffLimit is reached"`
	// Cron is set for a CronJob.
	Cron Cron `json:"cron"`
}

// jobOf reads the JobSpec of w; the zero Job for any other kind.
func jobOf(w *workload, restartPolicy string) Job {
	root := w.object.Root()
	spec := root.Get("spec")
	job := Job{Path: Path{}, Cron: Cron{Concurrency: "Allow"}, Mode: field(loader.Node{}), Replacement: field(loader.Node{})}
	switch {
	case is(w.object, "batch", "CronJob"):
		job.Cron = cronOf(spec)
		spec = spec.Get("jobTemplate", "spec")
	case !is(w.object, "batch", "Job"):
		return job
	}
	job.Set, job.Path = true, spec.Path()
	job.PerIndex = wholeNumber(spec.Get("backoffLimitPerIndex"), 0, false)
	limit := defaultBackoffLimit
	if job.PerIndex.Set {
		limit = unlimitedBackoff
	}
	job.BackoffLimit = wholeNumber(spec.Get("backoffLimit"), limit, true)
	job.Parallelism = wholeNumber(spec.Get("parallelism"), defaultJobParallel, true)
	job.Completions = wholeNumber(spec.Get("completions"), 0, false)
	job.Pods = podsAtOnce(job.Parallelism, job.Completions)
	job.MaxFailed = wholeNumber(spec.Get("maxFailedIndexes"), 0, false)
	job.Deadline = wholeNumber(spec.Get("activeDeadlineSeconds"), 0, false)
	if !job.Deadline.Set {
		job.Deadline = wholeNumber(w.pod.Get("activeDeadlineSeconds"), 0, false)
	}
	job.Mode = field(spec.Get("completionMode"))
	job.FailurePolicy = spec.Get("podFailurePolicy").Present()
	job.SuccessPolicy = spec.Get("successPolicy").Present()
	job.Replacement = field(spec.Get("podReplacementPolicy"))
	for _, rule := range spec.Get("podFailurePolicy", "rules").Items() {
		job.FailsIndex = job.FailsIndex || rule.Get("action").Text() == "FailIndex"
	}
	job.BackOff = job.backOff(restartPolicy)
	return job
}

func podsAtOnce(parallelism, completions Number) Number {
	if !completions.Set || !parallelism.Known {
		return parallelism
	}
	if !completions.Known {
		return Number{Set: parallelism.Set}
	}
	return Number{Set: parallelism.Set, Known: true, Value: min(parallelism.Value, completions.Value)}
}

// backOff adds up the delays between the retries of one pod: 10 s, doubled each time, up to 600 s when the controller makes
// new pods and up to 300 s when the kubelet restarts the container.
func (j *Job) backOff(restartPolicy string) int {
	if !j.BackoffLimit.Known {
		return 0
	}
	longest := maxJobPodBackOff
	if restartPolicy == restartOnFailure {
		longest = maxContainerBackOff
	}
	total, delay := 0, firstBackOff
	for retry := range j.BackoffLimit.Value {
		if delay >= longest {
			return min(total+longest*(j.BackoffLimit.Value-retry), maxBackOffArithmetic)
		}
		total += delay
		delay *= 2
	}
	return total
}
