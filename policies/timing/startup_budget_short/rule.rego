# METADATA
# title: Slow starter has less than a minute before liveness kills it
# description: |
#   Without a startupProbe liveness judges the start as well: a container that does not answer yet is killed between
#   initialDelaySeconds + (F-1)*P and initialDelaySeconds + P + (F-1)*I + timeoutSeconds after its start. This container is known to
#   need longer than that now and then: a JVM with a large application under CPU limits, a database that replays its log after a
#   crash, a broker that waits for its peers, an application that migrates its schema first. A kill in the middle makes the next start longer, because the
#   work begins again, so the container may never come up; a migration may be left half done.
#
#   Known are images of such products by name, java as the command, and commands that run migrations.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-startup-probes
#   description: Protect slow starting containers with startup probes
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#when-should-you-use-a-startup-probe
#   description: When to use a startup probe
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [liveness, slow-start]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob, Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.timing.startup_budget_short

import data.policies.lib

findings contains {
	"path": live.path,
	"message": sprintf("%s kills it %s after its start unless it answers by then, and %s (%s) %s", [
		lib.probe_name(container, live),
		lib.seconds(live.initial_delay + live.budget.harmless, _kill(live)),
		container.slow_start.name,
		container.slow_start.from,
		_work[container.slow_start.work],
	]),
	"effect": "the next start begins the same work again, so the container may never come up",
	"container": container.name,
	"fixes": [_fix(live)],
} if {
	some container in input.containers
	container.slow_start.name != ""
	some live in container.probes
	live.type == "liveness"
	live.restarts
	live.known
	live.handler != ""
	not live.never_fails
	not _looks_at_processes(live)
	_kill(live) < 60
	lib.whole(input, container)
	not "startup" in {probe.type | some probe in container.probes}
}

_kill(live) := live.initial_delay + live.budget.latest

# _looks_at_processes: the check passes as soon as the process is there.
_looks_at_processes(live) if {
	live.handler == "exec"
	count(live.programs) > 0
	every program in live.programs {
		program in {"pgrep", "pidof", "ps", "kill", "cat", "test", "[", "ls", "true", "grep", "sh", "bash", "echo", "find", "stat"}
	}
	count(live.targets) == 0
}

_work := {
	"jvm": "can take longer, most of all with a CPU limit",
	"recovery": "replays its log first after a crash",
	"migration": "answers only when that is done",
	"boot": "takes minutes to boot",
	"peers": "waits for the other nodes of its cluster first",
}

_fix(live) := {
	"title": "let a startupProbe wait up to 300 s for the start",
	"safety": "display",
	"suggestion": {"startupProbe": object.union_n([
		lib.handler(live),
		{"periodSeconds": 10, "failureThreshold": 30},
		{"timeoutSeconds": live.timeout | "timeoutSeconds" in live.written},
	])},
} if {
	lib.complete(live)
} else := {"title": "add a startupProbe that waits up to 300 s for the start", "safety": "display"}
