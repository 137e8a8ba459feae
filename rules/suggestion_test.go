package rules

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSuggestionsReadAsManifests(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ value, want string }{
		"object": {
			`{"spec": {"selector": {"matchLabels": {"app": "api"}}, "minAvailable": 1}, "kind": "PodDisruptionBudget",
			  "metadata": {"namespace": "shop", "name": "api"}, "apiVersion": "policy/v1"}`,
			`apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: api
  namespace: shop
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: api
`,
		},
		"probe": {
			`{"livenessProbe": {"timeoutSeconds": 2, "failureThreshold": 3, "periodSeconds": 10, "tcpSocket": {"port": "http"}},
			  "readinessProbe": {"periodSeconds": 5, "exec": {"command": ["psql", "-c", "select 1"]}}}`,
			`livenessProbe:
  tcpSocket:
    port: http
  periodSeconds: 10
  timeoutSeconds: 2
  failureThreshold: 3
readinessProbe:
  exec:
    command:
    - psql
    - -c
    - select 1
  periodSeconds: 5
`,
		},
		"restart policy": {
			`{"restart_policy": {"min_healthy_fraction": 0.6, "on_limit_exceeded": "page_oncall", "window_seconds": 300, "max_restarts_per_window": 3}}`,
			`restart_policy:
  max_restarts_per_window: 3
  window_seconds: 300
  on_limit_exceeded: page_oncall
  min_healthy_fraction: 0.6
`,
		},
		"containers":                {`{"containers": [{"livenessProbe": {}, "image": "x", "name": "app"}]}`, "containers:\n- name: app\n  image: x\n  livenessProbe: {}\n"},
		"what YAML 1.1 misreads":    {`{"a": "yes", "b": "012", "c": "1e3", "d": "", "e": "null", "f": "on"}`, "a: \"yes\"\nb: \"012\"\nc: \"1e3\"\nd: \"\"\ne: \"null\"\nf: \"on\"\n"},
		"a script":                  {`{"command": ["sh", "-c", "set -e\nexit 0\n"]}`, "command:\n- sh\n- -c\n- |\n  set -e\n  exit 0\n"},
		"a long line is not cut":    {`{"a": "x xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y"}`, "a: x xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y\n"},
		"a template in double ends": {`{"host": "{{ .Values.host }}"}`, "host: '{{ .Values.host }}'\n"},
		"numbers as they are":       {`{"a": 3, "b": 0.25, "c": 100000000, "d": -1}`, "a: 3\nb: 0.25\nc: 100000000\nd: -1\n"},
		"text":                      {`"minAvailable: 1"`, "minAvailable: 1\n"},
		"unknown keys by alphabet":  {`{"zeta": 1, "alpha": 2, "spec": 3, "name": "n"}`, "name: \"n\"\nalpha: 2\nzeta: 1\nspec: 3\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var value any
			if err := json.Unmarshal([]byte(tc.value), &value); err != nil {
				t.Fatal(err)
			}
			got, err := suggestion(value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("YAML (-want +got):\n%s", diff)
			}
		})
	}
}
