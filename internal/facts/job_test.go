package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

func jobManifest(fields, pod string) string {
	return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n" + indent(fields, 2) +
		"  template:\n    spec:\n" + indent(pod, 6) + "      containers: [{name: a, image: a:1}]\n"
}

func cronManifest(fields, job string) string {
	return "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n" + indent(fields, 2) +
		"  jobTemplate:\n    spec:\n" + indent(job, 6) + "      template:\n        spec:\n          restartPolicy: Never\n          containers: [{name: a, image: a:1}]\n"
}

func TestAJobHasTheDefaultsOfTheAPIServer(t *testing.T) {
	t.Parallel()
	absent := facts.Field{Type: "absent"}
	got := workloads(one(t, jobManifest("", "restartPolicy: Never")))["Job a"]
	want := facts.Job{
		Set: true, Path: facts.Path{"spec"}, Parallelism: facts.Number{Known: true, Value: 1}, Pods: facts.Number{Known: true, Value: 1},
		BackoffLimit: facts.Number{Known: true, Value: 6}, Mode: absent, Replacement: absent, BackOff: 630,
		Cron: facts.Cron{Concurrency: "Allow"},
	}
	if diff := cmp.Diff(want, got.Job); diff != "" {
		t.Errorf("job (-want +got):\n%s", diff)
	}
}

func TestAJobRunsNoMorePodsThanAreToComplete(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]facts.Number{
		"parallelism: 20":                    {Set: true, Known: true, Value: 20},
		"parallelism: 20\ncompletions: 200":  {Set: true, Known: true, Value: 20},
		"parallelism: 20\ncompletions: 4":    {Set: true, Known: true, Value: 4},
		"completions: 4":                     {Known: true, Value: 1},
		"parallelism: ${N}":                  {Set: true},
		"parallelism: 20\ncompletions: ${N}": {Set: true},
		"parallelism: 0":                     {Set: true, Known: true},
	} {
		if got := workloads(one(t, jobManifest(fields, "")))["Job a"].Job.Pods; got != want {
			t.Errorf("%q: pods %+v, want %+v", fields, got, want)
		}
	}
}

// The sums follow the delays 10, 20, 40 … s up to 600 s for new pods and 300 s in place.
func TestTheDelaysBetweenRetriesAddUp(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		limit, policy string
		want          int
	}{
		{"0", "Never", 0},
		{"1", "Never", 10},
		{"6", "Never", 10 + 20 + 40 + 80 + 160 + 320},
		{"7", "Never", 630 + 600},
		{"6", "OnFailure", 310 + 300},
		{"100", "Never", 630 + 94*600},
		{"2147483647", "Never", 100_000_000},
		{"${N}", "Never", 0},
	} {
		got := workloads(one(t, jobManifest("backoffLimit: "+tc.limit, "restartPolicy: "+tc.policy)))["Job a"].Job.BackOff
		if got != tc.want {
			t.Errorf("%s retries with %s: %d s, want %d", tc.limit, tc.policy, got, tc.want)
		}
	}
}

func TestALimitPerIndexTakesTheLimitOfTheJobAway(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]int{
		"backoffLimitPerIndex: 2":                  2147483647,
		"backoffLimitPerIndex: 2\nbackoffLimit: 9": 9,
		"backoffLimit: 9":                          9,
	} {
		if got := workloads(one(t, jobManifest(fields, "")))["Job a"].Job.BackoffLimit.Value; got != want {
			t.Errorf("%q: limit %d, want %d", fields, got, want)
		}
	}
}

func TestTheDeadlineOfPodsIsADeadline(t *testing.T) {
	t.Parallel()
	for manifest, want := range map[string]facts.Number{
		jobManifest("activeDeadlineSeconds: 60", ""):                          {Set: true, Known: true, Value: 60},
		jobManifest("", "activeDeadlineSeconds: 70"):                          {Set: true, Known: true, Value: 70},
		jobManifest("activeDeadlineSeconds: 60", "activeDeadlineSeconds: 70"): {Set: true, Known: true, Value: 60},
		jobManifest("activeDeadlineSeconds: ${N}", ""):                        {Set: true},
		jobManifest("", ""): {},
		strings.Replace(jobManifest("", ""), "spec:\n", "spec:\n  activeDeadlineSeconds:\n", 1): {},
	} {
		if got := workloads(one(t, manifest))["Job a"].Job.Deadline; got != want {
			t.Errorf("%s\ndeadline %+v, want %+v", manifest, got, want)
		}
	}
}

func TestASchedulesStartsAreCounted(t *testing.T) {
	t.Parallel()
	for schedule, want := range map[string]facts.Cron{
		"* * * * *":          {Known: true, Every: 60, PerDay: 1440},
		"*/5 * * * *":        {Known: true, Every: 300, PerDay: 288},
		"*/7 * * * *":        {Known: true, Every: 240, PerDay: 216},
		"*/15 9-17 * * 1-5":  {Known: true, Every: 900, PerDay: 36},
		"0,30 2 * * *":       {Known: true, Every: 1800, PerDay: 2},
		"@hourly":            {Known: true, Every: 3600, PerDay: 24},
		"0 0 1 1 *":          {Known: true, Every: 31536000, PerDay: 1},
		"*/10 0 24 12 *":     {Known: true, Every: 600, PerDay: 6},
		"0 0 31 2 *":         {Known: true},
		"@every 90s":         {Known: true, Every: 90, PerDay: 960},
		"${SCHEDULE}":        {},
		"every minute":       {},
		"0 0 0 * * *":        {},
		"TZ=UTC */5 * * * *": {},
		"":                   {},
	} {
		got := workloads(one(t, cronManifest("schedule: \""+schedule+"\"", "")))["CronJob a"].Job.Cron
		want.Set, want.Schedule, want.Concurrency = true, schedule, "Allow"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", schedule, diff)
		}
	}
}

func TestACronJobHasItsJobBelow(t *testing.T) {
	t.Parallel()
	got := workloads(one(t, cronManifest("schedule: '@daily'\nconcurrencyPolicy: ${P}\nsuspend: true", "backoffLimit: 2")))["CronJob a"].Job
	if diff := cmp.Diff(facts.Path{"spec", "jobTemplate", "spec"}, got.Path); diff != "" {
		t.Errorf("path (-want +got):\n%s", diff)
	}
	if got.BackoffLimit.Value != 2 || got.Cron.Concurrency != "" || !got.Cron.Suspended {
		t.Errorf("job %+v", got)
	}
}

func TestOtherKindsAreNoJobs(t *testing.T) {
	t.Parallel()
	if got := workloads(one(t, deployment("api", "backoffLimit: 3", "")))["Deployment api"].Job; got.Set {
		t.Errorf("job %+v", got)
	}
}
