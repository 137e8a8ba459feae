# METADATA
# title: Liveness asks the readiness endpoint
# description: |
#   The endpoint says whether the application is ready to serve: by its name, or by what is known of the product. An
#   application that is not ready (it waits for a dependency, it drains, it catches up) is taken out of the Services
#   by its readiness probe and heals by itself. The same answer given to liveness restarts it instead, and what made it
#   unready is rarely repaired by that.
#
#   A name is a convention and no proof: the finding is a warning. Endpoints that are known to answer for their own
#   process, whatever they are called, raise none.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#types-of-probe
#   description: What liveness, readiness and startup probes are for
# - ref: https://kubernetes.io/docs/reference/using-api/health-checks/
#   description: livez and readyz of the Kubernetes API server
# custom:
#   severity: warning
#   since: 0.1.0
#   subjects: [workload]
#   needs: [liveness, readiness-endpoint]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.reach.liveness_readiness_endpoint

import data.policies.lib

findings contains {
	"path": lib.endpoint_path(probe),
	"message": sprintf("%s asks %s, a readiness endpoint%s", [
		lib.probe_name(container, probe),
		lib.endpoint_asked(container, probe),
		_dependency(probe),
	]),
	"effect": lib.unready_effect(input, container, probe),
	"evidence": lib.endpoint_evidence(probe),
	"container": container.name,
	"fixes": lib.endpoint_fixes(input, container, probe),
} if {
	some container in input.containers
	some probe in container.probes
	probe.type == "liveness"
	probe.restarts
	probe.endpoint.readiness
	probe.endpoint.depends == ""
	not lib.endpoint_remote(probe)
}

_dependency(probe) := sprintf(", which may fail without %s", [probe.endpoint.dependency]) if {
	probe.endpoint.dependency != ""
} else := ""
