# METADATA
# title: Liveness asks an endpoint that includes dependencies
# description: |
#   The endpoint that this liveness probe asks is known to fail when a dependency of the application fails: a database,
#   a cache, a broker, another service. The request stays inside the pod, so the manifest looks local, but the handler
#   asks further. When the dependency is down, the probe fails in every replica at once, and each kubelet restarts its
#   container, which repairs nothing and makes the restarted fleet reconnect all at the same time.
#
#   What endpoints check is knowledge about images and frameworks, each piece with its source (docs/endpoints.md).
#   Where configuration decides, the rule follows it as far as the bundle shows it: the health groups of Spring Boot
#   in environment, arguments and mounted files, the database of Grafana and others, the location of a mounted nginx
#   configuration that the request hits. What the bundle does not show raises nothing.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#when-should-you-use-a-readiness-probe
#   description: Liveness passes when the app itself is healthy, readiness also checks each required back end
# - ref: https://docs.spring.io/spring-boot/reference/actuator/endpoints.html#actuator.endpoints.kubernetes-probes
#   description: Spring Boot on probes, health groups and external state
# - ref: https://github.com/hclint/hclint/blob/main/docs/endpoints.md
#   description: How hclint knows what endpoints check, and how to add a row
# custom:
#   severity: error
#   since: 0.1.0
#   subjects: [workload]
#   needs: [liveness, dependent-endpoint]
#   kinds: [Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Pod, Job, CronJob,
#     Rollout, CloneSet, DeploymentConfig, Knative Service]
#   aliases: []
#   fix: display
package policies.reach.liveness_aggregate_endpoint

import data.policies.lib

findings contains {
	"path": lib.endpoint_path(probe),
	"message": lib.endpoint_message(container, probe),
	"effect": lib.outage_effect(input, container, probe, lib.endpoint_outage(probe)),
	"evidence": lib.endpoint_evidence(probe),
	"confidence": probe.endpoint.confidence,
	"container": container.name,
	"fixes": lib.endpoint_fixes(input, container, probe),
} if {
	some container in input.containers
	some probe in container.probes
	probe.type == "liveness"
	probe.restarts
	lib.endpoint_dependent(probe)
	not probe.endpoint.cluster
	not probe.endpoint.proxied # which is no endpoint of this container, and liveness-remote-dependency
}
