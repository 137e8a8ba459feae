package facts

import (
	"encoding/json"

	"github.com/invopop/jsonschema"
)

// RestartPolicyDocument is the restart-policy format: what to do when instances turn unhealthy, and where to stop. It stands in
// a file of its own, beside other keys, in a list under restart_policies, or in the data of a ConfigMap.
type RestartPolicyDocument struct {
	RestartPolicy *RestartPolicySpec `json:"restart_policy,omitempty"`
	HealthCheck   *HealthCheckSpec   `json:"health_check,omitempty"`
	// RestartPolicies holds several policies in one file.
	RestartPolicies []RestartPolicyItem `json:"restart_policies,omitempty"`
}

// RestartPolicyItem is an item of restart_policies: a policy, or a mapping that holds one with its health check.
type RestartPolicyItem struct{}

// JSONSchema implements the interface of the schema generator.
func (RestartPolicyItem) JSONSchema() *jsonschema.Schema {
	whole := jsonschema.NewProperties()
	whole.Set(keyRestartPolicy, &jsonschema.Schema{Ref: "#/$defs/RestartPolicySpec"})
	whole.Set(keyHealthCheck, &jsonschema.Schema{Ref: "#/$defs/HealthCheckSpec"})
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Ref: "#/$defs/RestartPolicySpec"},
		{Type: "object", Required: []string{keyRestartPolicy}, Properties: whole},
	}}
}

// RestartPolicySpec caps restarts and keeps a floor under the fleet.
type RestartPolicySpec struct {
	Name                 string         `json:"name,omitempty" jsonschema:"description=tells the policies of a list apart"`
	MaxRestartsPerWindow int            `json:"max_restarts_per_window" jsonschema:"minimum=1,description=most restarts within one window"`
	WindowSeconds        float64        `json:"window_seconds" jsonschema:"exclusiveMinimum=0,description=length of the window in seconds"`
	OnLimitExceeded      string         `json:"on_limit_exceeded" jsonschema:"description=what happens instead of another restart,example=page_oncall"`
	MinHealthyFraction   float64        `json:"min_healthy_fraction" jsonschema:"exclusiveMinimum=0,maximum=1,description=never restart while fewer than this fraction of the fleet is healthy"`
	AppliesTo            *AppliesToSpec `json:"applies_to,omitempty" jsonschema:"description=the workload whose replicas the numbers are about"`
}

// AppliesToSpec names a workload.
type AppliesToSpec struct {
	Kind      string `json:"kind" jsonschema:"example=Deployment"`
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
}

// HealthCheckSpec says when an instance counts as unhealthy.
type HealthCheckSpec struct {
	TimeoutMS        int      `json:"timeout_ms,omitempty" jsonschema:"minimum=1"`
	FailureThreshold int      `json:"failure_threshold,omitempty" jsonschema:"minimum=1,description=consecutive failures before acting"`
	ResetAfterS      float64  `json:"reset_after_s,omitempty" jsonschema:"minimum=0"`
	OnUnhealthy      string   `json:"on_unhealthy,omitempty" jsonschema:"example=shed_load"`
	DependsOn        []string `json:"depends_on,omitempty" jsonschema:"description=dependencies that the check contacts"`
}

// RestartPolicySchema is the JSON Schema (2020-12) of the restart-policy format.
func RestartPolicySchema() ([]byte, error) {
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true}
	s := r.Reflect(&RestartPolicyDocument{})
	s.Title = "Restart policy"
	s.AdditionalProperties = nil // a policy may stand beside other keys
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}
