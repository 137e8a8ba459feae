package facts_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/hclint/hclint/internal/facts"
)

func policies(subjects []facts.Subject) []*facts.RestartPolicy {
	var out []*facts.RestartPolicy
	for _, s := range subjects {
		if p, ok := s.Input.(*facts.RestartPolicy); ok {
			out = append(out, p)
		}
	}
	return out
}

func TestARestartPolicyIsFoundInItsForms(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want []facts.Path
	}{
		"a file of its own":  {"restart_policy: {window_seconds: 300}\n", []facts.Path{{"restart_policy"}}},
		"beside other keys":  {"service: api\nrestart_policy:\n  window_seconds: 300\nowner: team\n", []facts.Path{{"restart_policy"}}},
		"a list of policies": {"restart_policies:\n- window_seconds: 300\n- restart_policy: {window_seconds: 60}\n", []facts.Path{{"restart_policies", 0}, {"restart_policies", 1, "restart_policy"}}},
		"empty":              {"restart_policy:\n", []facts.Path{{"restart_policy"}}},
		"JSON":               {"{\"restart_policy\": {\"window_seconds\": 300}}", []facts.Path{{"restart_policy"}}},
		"a list with checks": {"restart_policies:\n- restart_policy: {window_seconds: 60}\n  health_check: {timeout_ms: 500}\n", []facts.Path{{"restart_policies", 0, "restart_policy"}}},
		"a ConfigMap":        {configMapWith("restart_policy: {window_seconds: 300}\n"), []facts.Path{{"data", "a.yaml", "restart_policy"}}},
		"a stream within":    {configMapWith("owner: us\n---\nrestart_policies: [{window_seconds: 300}]\n"), []facts.Path{{"data", "a.yaml", 1, "restart_policies", 0}}},
		"a manifest within":  {configMapWith("apiVersion: v1\nkind: Thing\nrestart_policy: always\n"), nil},
		"prose within":       {configMapWith("see restart_policy\n"), nil},
		"a Secret":           {strings.Replace(configMapWith("restart_policy: {}\n"), "ConfigMap", "Secret", 1), nil},
		"another document":   {"settings: {restart_policy: {window_seconds: 300}}\n", nil},
		"a Kubernetes field": {"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nrestart_policy: {}\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []facts.Path
			for _, p := range policies(one(t, tc.text)) {
				got = append(got, p.Path)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
		})
	}
}

func configMapWith(text string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a.yaml: |\n" + indent(text, 4)
}

func TestAFloorRoundsUp(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		fraction, replicas string
		want               facts.RestartFloor
	}{
		{"0.6", "2", facts.RestartFloor{Resolved: true, Healthy: 2}},
		{"0.6", "3", facts.RestartFloor{Resolved: true, Healthy: 2, Allowed: 1}},
		{"0.5", "2", facts.RestartFloor{Resolved: true, Healthy: 1, Allowed: 1}},
		{"0.1", "6", facts.RestartFloor{Resolved: true, Healthy: 1, Allowed: 5}},
		{"0.07", "100", facts.RestartFloor{Resolved: true, Healthy: 7, Allowed: 93}},
		{"0.29", "100", facts.RestartFloor{Resolved: true, Healthy: 29, Allowed: 71}},
		{"1", "4", facts.RestartFloor{Resolved: true, Healthy: 4}},
		{"0.6", "0", facts.RestartFloor{}},
		{"0.6", "${N}", facts.RestartFloor{}},
		{"0", "3", facts.RestartFloor{}},
		{"1.5", "3", facts.RestartFloor{}},
		{"60%", "3", facts.RestartFloor{}},
		{"null", "3", facts.RestartFloor{}},
	} {
		text := "restart_policy:\n  min_healthy_fraction: " + tc.fraction + "\n  applies_to: {kind: Deployment, name: api}\n"
		if got := policies(one(t, deployment("api", "replicas: "+tc.replicas, "")+text))[0].Floor; got != tc.want {
			t.Errorf("%s of %s: %+v, want %+v", tc.fraction, tc.replicas, got, tc.want)
		}
	}
}

func TestAMisspeltHealthCheckIsFoundBesideItsPolicy(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]int{
		"healthcheck": 1, "health_chek": 1, "healthCheck": 1, "health_check": 0, "owner": 0, "heartbeat": 0, "checks": 0,
	} {
		text := "restart_policy: {max_restarts_per_window: 3, window_seconds: 300, on_limit_exceeded: page_oncall, min_healthy_fraction: 0.6}\n" +
			key + ": {timeout_ms: 500}\n"
		got := policies(one(t, text))[0].Violations
		if len(got) != want {
			t.Errorf("%s: violations %v, want %d", key, got, want)
		}
	}
}

func TestAHealthCheckStandsBesideItsPolicy(t *testing.T) {
	t.Parallel()
	text := "restart_policy: {window_seconds: 300}\nhealth_check: {timeout_ms: 500, on_unhealthy: restart, depends_on: [db, 7]}\n"
	got := policies(one(t, text))[0].HealthCheck
	want := facts.HealthCheck{
		Set: true, Path: facts.Path{"health_check"},
		TimeoutMS:        facts.Field{Set: true, Type: "number", Number: 500, Text: "500"},
		FailureThreshold: facts.Field{Type: "absent"}, ResetAfterS: facts.Field{Type: "absent"},
		OnUnhealthy: facts.Field{Set: true, Type: "string", Text: "restart"}, DependsOn: []string{"db", "7"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("health_check (-want +got):\n%s", diff)
	}
	for _, text := range []string{"restart_policy: {}\n", "restart_policy: {}\nhealth_check: often\n", "restart_policies: [{}]\nhealth_check: {}\n"} {
		if policies(one(t, text))[0].HealthCheck.Set {
			t.Errorf("%s has a health check", text)
		}
	}
}

func TestARestartPolicyFindsTheReplicasItAppliesTo(t *testing.T) {
	t.Parallel()
	got := policies(one(t, deployment("api", "replicas: 4", "")+"restart_policy:\n  applies_to: {kind: Deployment, name: api}\n"))[0].AppliesTo
	want := facts.AppliesTo{
		Set: true, Kind: "Deployment", Name: "api", Found: true,
		Replicas: facts.Count{Known: true, Value: 4, From: "replicas"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("applies_to (-want +got):\n%s", diff)
	}
}

// A violation is what the published schema forbids, apart from what rules of their own judge (missing caps and floors).
func TestViolationsAgreeWithThePublishedSchema(t *testing.T) {
	t.Parallel()
	schema := compileSchema(t)
	const whole = "max_restarts_per_window: 3, window_seconds: 300, on_limit_exceeded: page_oncall, min_healthy_fraction: 0.6"
	for name, tc := range map[string]struct {
		text string
		want []facts.Violation
	}{
		"whole":              {"restart_policy: {" + whole + "}\n", []facts.Violation{}},
		"with a target":      {"restart_policy: {" + whole + ", applies_to: {kind: Deployment, name: api}}\n", []facts.Violation{}},
		"with a check":       {"restart_policy: {" + whole + "}\nhealth_check: {timeout_ms: 500, failure_threshold: 5, reset_after_s: 30, on_unhealthy: shed_load, depends_on: []}\n", []facts.Violation{}},
		"beside another key": {"owner: team\nrestart_policy: {" + whole + "}\n", []facts.Violation{}},
		"a misspelt key": {"restart_policy: {" + whole + ", max_restart_per_window: 3}\n", []facts.Violation{{
			Path: facts.Path{"restart_policy", "max_restart_per_window"}, Message: `unknown key "max_restart_per_window"`, Suggestion: "max_restarts_per_window", Value: int64(3),
		}}},
		"an unknown key": {"restart_policy: {" + whole + ", colour: red}\n", []facts.Violation{{
			Path: facts.Path{"restart_policy", "colour"}, Message: `unknown key "colour"`, Value: "red",
		}}},
		"a word for a number": {"restart_policy: {max_restarts_per_window: three, window_seconds: 300, on_limit_exceeded: page_oncall, min_healthy_fraction: 0.6}\n", []facts.Violation{{
			Path: facts.Path{"restart_policy", "max_restarts_per_window"}, Message: `max_restarts_per_window is "three", not a whole number of at least 1`, Value: "three",
		}}},
		"a broken check": {"restart_policy: {" + whole + "}\nhealth_check: {failure_treshold: 5, timeout_ms: 0.5}\n", []facts.Violation{
			{Path: facts.Path{"health_check", "failure_treshold"}, Message: `unknown key "failure_treshold"`, Suggestion: "failure_threshold", Value: int64(5)},
			{Path: facts.Path{"health_check", "timeout_ms"}, Message: `timeout_ms is 0.5, not a whole number of at least 1`, Value: 0.5},
		}},
		"a target without a kind": {"restart_policy: {" + whole + ", applies_to: {name: api}}\n", []facts.Violation{{
			Path: facts.Path{"restart_policy", "applies_to"}, Message: "applies_to has no kind",
		}}},
		"a check that is none": {"restart_policy: {" + whole + "}\nhealth_check: often\n", []facts.Violation{{
			Path: facts.Path{"health_check"}, Message: `health_check is "often", not a mapping`, Value: "often",
		}}},
		"a list for a word": {"restart_policy: {max_restarts_per_window: 3, window_seconds: 300, on_limit_exceeded: [a], min_healthy_fraction: 0.6}\n", []facts.Violation{{
			Path: facts.Path{"restart_policy", "on_limit_exceeded"}, Message: `on_limit_exceeded is a list, not a word such as page_oncall`, Value: []any{"a"},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := policies(one(t, tc.text))[0].Violations
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
			var doc any
			if err := yaml.Unmarshal([]byte(tc.text), &doc); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); (err != nil) != (len(got) > 0) {
				t.Errorf("the schema says %v", err)
			}
		})
	}
}

// What the schema forbids in min_healthy_fraction is said by the rule that knows what was meant.
func TestAFractionOutsideItsRangeIsNoViolation(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"60%", "60", "1.2", "-0.5", "'60 %'", "0", "null"} {
		p := policies(one(t, "restart_policy:\n  min_healthy_fraction: "+value+"\n"))[0]
		if diff := cmp.Diff([]facts.Violation{}, p.Violations); diff != "" {
			t.Errorf("%s: violations (-want +got):\n%s", value, diff)
		}
	}
	for _, value := range []string{"most", "'0.6'", "[0.6]", "true"} {
		if p := policies(one(t, "restart_policy:\n  min_healthy_fraction: "+value+"\n"))[0]; len(p.Violations) != 1 {
			t.Errorf("%s: violations %v, want one", value, p.Violations)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := facts.RestartPolicySchema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("restart-policy.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("restart-policy.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestALimitThatIsTakenAwayIsUnbounded(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"0": true, "-1": true, "null": true, "unlimited": true, "": true,
		"3": false, "three": false, "0.5": false, "[]": false,
	} {
		p := policies(one(t, "restart_policy:\n  max_restarts_per_window: "+value+"\n"))[0]
		if got := p.MaxRestartsPerWindow.Unbounded; got != want {
			t.Errorf("%q: unbounded is %v, want %v", value, got, want)
		}
		if want && len(p.Violations) > 0 {
			t.Errorf("%q is judged twice: %v", value, p.Violations)
		}
	}
}

func TestTheSchemaIsOneJSONDocument(t *testing.T) {
	t.Parallel()
	text, err := facts.RestartPolicySchema()
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Errorf("no JSON:\n%s", text)
	}
}
