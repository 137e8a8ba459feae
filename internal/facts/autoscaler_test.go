package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

func autoscalerIn(t *testing.T, manifest string) *facts.Autoscaler {
	t.Helper()
	for _, s := range one(t, manifest) {
		if a, ok := s.Input.(*facts.Autoscaler); ok {
			return a
		}
	}
	t.Fatal("no autoscaler")
	return nil
}

func TestAnAutoscalerKnowsItsTargetAndItsBudgets(t *testing.T) {
	t.Parallel()
	hpa := "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: api}\nspec:\n" +
		"  scaleTargetRef: {kind: Deployment, name: api}\n  minReplicas: 2\n  maxReplicas: 9\n  metrics: [{type: External}]\n---\n"
	got := autoscalerIn(t, hpa+deployment("api", "replicas: 4", "")+budget("b", "minAvailable: 3\nselector: {matchLabels: {app: api}}"))
	want := &facts.Autoscaler{
		Subject: "autoscaler", APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler", Name: "api", Field: "minReplicas",
		Minimum: facts.Number{Set: true, Known: true, Value: 2}, Maximum: facts.Number{Set: true, Known: true, Value: 9}, ZeroMetric: true,
		Target: facts.ScaleTarget{
			Kind: "Deployment", Name: "api", Found: true, Class: "worker", Replicas: facts.Number{Set: true, Known: true, Value: 4},
		},
		Budgets: []facts.ScaledBudget{{Name: "b", MinAvailable: facts.Quantity{Set: true, Known: true, Text: "3", Value: 3}}},
		Kube:    facts.Version{Minor: 37, Assumed: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("autoscaler (-want +got):\n%s", diff)
	}
}

func TestAnAutoscalerHasTheMinimumOfItsKind(t *testing.T) {
	t.Parallel()
	hpa := "apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec: {scaleTargetRef: {kind: Deployment, name: a}"
	keda := "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a}\nspec: {scaleTargetRef: {name: a}"
	for manifest, want := range map[string]facts.Number{
		hpa + "}\n":                        {Known: true, Value: 1},
		hpa + ", minReplicas: 0}\n":        {Set: true, Known: true},
		hpa + ", minReplicas: '${MIN}'}\n": {Set: true},
		keda + "}\n":                       {Known: true},
		keda + ", minReplicaCount: 3}\n":   {Set: true, Known: true, Value: 3},
	} {
		got := autoscalerIn(t, manifest)
		if got.Minimum != want || got.Target.Found {
			t.Errorf("%s: minimum %+v, want %+v; found %v", manifest, got.Minimum, want, got.Target.Found)
		}
	}
}
