package rules

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// sampleWorkload is a workload with two containers, three probes each, and every kind of field filled in.
func sampleWorkload(name string) *facts.Workload {
	w := &facts.Workload{
		Subject: "workload", APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: name, Class: "service",
		Replicas: facts.Count{Known: true, Value: 6, From: "replicas"}, PodPath: loader.Path{"spec", "template", "spec"},
		Labels: map[string]string{"app": name, "tier": "web"}, RestartPolicy: "Always", Services: []string{name}, PDBs: []string{name},
	}
	for i, container := range []string{"app", "proxy"} {
		path := loader.Path{"spec", "template", "spec", "containers", i}
		c := facts.Container{
			Name: container, Image: "registry.example/" + container + ":1.2.3", Type: "app", Path: path,
			Ports: []facts.Port{{Name: "http", Number: 8080, Protocol: "TCP"}},
		}
		for _, kind := range []string{"liveness", "readiness", "startup"} {
			c.Probes = append(c.Probes, facts.Probe{
				Type: kind, Field: kind + "Probe", Path: path.Child(kind + "Probe"), Handler: "httpGet", Restarts: kind != "readiness",
				Period: 10, Timeout: 1, FailureThreshold: 3, SuccessThreshold: 1, Known: true,
				Written: []string{"periodSeconds"}, Budget: facts.Budget{Harmless: 20, Fatal: 30, Earliest: 21, Latest: 31, Spread: 10},
				Port: facts.PortRef{Name: "http", Number: 8080, Declared: true, Known: true}, HTTP: facts.HTTP{Scheme: "HTTP", Path: "/healthz"},
				Targets: []facts.Target{{Port: "8080", Scheme: "http", Place: "self", Via: "httpGet", Confidence: "certain"}},
			})
		}
		w.Containers = append(w.Containers, c)
	}
	return w
}

// emptied replaces null by what the converter makes of it: [] for a list, {} for a map.
func emptied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			switch {
			case child != nil:
				v[key] = emptied(child)
			case key == "labels", key == "selector":
				v[key] = map[string]any{}
			default:
				v[key] = []any{}
			}
		}
	case []any:
		for i := range v {
			v[i] = emptied(v[i])
		}
	}
	return v
}

func TestConvertAgreesWithJSON(t *testing.T) {
	t.Parallel()
	for _, input := range []any{
		sampleWorkload("api"), &facts.Workload{}, *sampleWorkload("by value"), &facts.PDB{}, &facts.Input{File: "a.yaml", Message: "bad"},
		&facts.PDB{Workloads: []facts.PDBWorkload{{Kind: "Deployment", Name: "api", Replicas: facts.Count{Known: true, Value: 1000}}}},
		&facts.RestartPolicy{WindowSeconds: facts.Field{Set: true, Number: 0.25}}, &facts.Suppression{State: "unused"},
	} {
		c := converter{}
		if err := c.add(input); err != nil {
			t.Fatal(err)
		}
		term, err := c.term(words{}, input, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		want, err := ast.InterfaceToValue(emptied(plain))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), term.Value.String()); diff != "" {
			t.Errorf("%T (-want +got):\n%s", input, diff)
		}
	}
}

func TestConvertRejectsWhatRegoHasNoFormFor(t *testing.T) {
	t.Parallel()
	type channel struct {
		C chan int `json:"c"`
	}
	type untagged struct{ Name string }
	type keyed struct {
		M map[int]string `json:"m"`
	}
	for want, input := range map[string]any{
		"rules.channel.C: facts hold a chan int, which has no Rego form":        channel{},
		"rules.untagged.Name has no json tag":                                   untagged{},
		"rules.keyed.M: facts hold a map[int]string, whose keys are no strings": keyed{},
		"subject without input":                                                 nil,
	} {
		if err := (converter{}).add(input); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	c := converter{}
	if err := c.add((*facts.PDB)(nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.term(words{}, (*facts.PDB)(nil), nil); err == nil {
		t.Error("a nil *facts.PDB was converted")
	}
}

func TestConvertedFactsFitTheirSchema(t *testing.T) {
	t.Parallel()
	for kind, input := range map[string]any{
		facts.SubjectWorkload: sampleWorkload("api"), facts.SubjectPDB: &facts.PDB{}, facts.SubjectRestartPolicy: &facts.RestartPolicy{},
		facts.SubjectInput: &facts.Input{}, facts.SubjectSuppression: &facts.Suppression{}, facts.SubjectTraffic: &facts.Traffic{},
		facts.SubjectMachine: &facts.Machine{},
	} {
		schema, err := facts.Schema(kind)
		if err != nil {
			t.Fatal(err)
		}
		c := converter{}
		if err := c.add(input); err != nil {
			t.Fatal(err)
		}
		term, err := c.term(words{}, input, nil)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := ast.JSON(term.Value)
		if err != nil {
			t.Fatal(err)
		}
		got, want := keys(plain), keys(schema["properties"])
		delete(want, "object")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: keys (-schema +input):\n%s", kind, diff)
		}
	}
	if _, err := facts.Schema("pod"); err == nil {
		t.Error("there is a schema for pod")
	}
}

func keys(v any) map[string]bool {
	out := map[string]bool{}
	if m, ok := v.(map[string]any); ok {
		for k := range m {
			out[k] = true
		}
	}
	return out
}
