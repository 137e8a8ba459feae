# METADATA
# title: Outlier ejection that never takes an endpoint out
# description: |
#   Envoy takes one more endpoint out only while the share of endpoints that are out stays within maxEjectionPercent, the new one
#   included. The default is 10%: with fewer than 10 endpoints one alone is already more than that, and nothing is ever ejected. The
#   block is there, but a replica that fails keeps its share of the traffic. In Istio maxEjectionPercent: 0 counts as unset, so 10.
#
#   Counted are the replicas behind the host's Service, of the subset's labels where there is one, and with an autoscaler the most that it
#   may run. Hosts with locality failover are left out, since endpoints of other clusters count too, and so are those with one replica.
# related_resources:
# - ref: https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/outlier#ejection-algorithm
#   description: The check against max_ejection_percent
# - ref: https://istio.io/latest/docs/reference/config/networking/destination-rule/#OutlierDetection
#   description: maxEjectionPercent and its default of 10 %
# - ref: https://gateway.envoyproxy.io/docs/api/extension_types/#passivehealthcheck
#   description: maxEjectionPercent and alwaysEjectOneEndpoint of Envoy Gateway
# custom:
#   severity: info
#   since: 0.1.0
#   subjects: [traffic]
#   kinds: [DestinationRule, BackendTrafficPolicy]
#   aliases: []
#   fix: display
package policies.floors.ejection_never

findings contains {
	"path": ejection.max_path,
	"message": sprintf("%s never takes an endpoint out: 1 of %d is more than maxEjectionPercent, %s", [
		_where(ejection),
		ejection.endpoints.most,
		_limit(ejection),
	]),
	"effect": sprintf("a replica of %s that answers with errors keeps its share of the traffic", [
		concat(" or ", ejection.endpoints.services),
	]),
	"fixes": [{
		"title": sprintf("let one of %d endpoints be out", [_size(ejection)]),
		"safety": "display",
		"suggestion": _suggestion(ceil(100 / _size(ejection))),
	}],
} if {
	some ejection in input.ejections
	not ejection.detector in {"none", "active"}
	not ejection.spread
	ejection.limit_known
	ejection.endpoints.known
	ejection.endpoints.most > 1
	ejection.ejectable_most == 0
}

# _size is the smallest number of endpoints of which one can be out.
_size(ejection) := max([2, ejection.endpoints.least])

_where(ejection) := sprintf("%s of %s %s", [_block, input.kind, input.name]) if {
	ejection.scope == ""
} else := sprintf("%s for %s of %s %s", [_block, ejection.scope, input.kind, input.name])

_block := "outlierDetection" if {
	input.kind == "DestinationRule"
} else := "healthCheck.passive"

_limit(ejection) := "where 0 counts as 10" if {
	input.kind == "DestinationRule"
	ejection.max_percent.set
	ejection.max_percent.value == 0
} else := sprintf("which is %d", [ejection.limit]) if {
	ejection.max_percent.set
} else := sprintf("which is %d by default", [ejection.limit])

_suggestion(percent) := {"outlierDetection": {"maxEjectionPercent": percent}} if {
	input.kind == "DestinationRule"
} else := {"spec": {"healthCheck": {"passive": {"maxEjectionPercent": percent}}}}
