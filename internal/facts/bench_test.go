package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// BenchmarkCollect prepares a thousand workloads with their Services, budgets, probes and scripts.
func BenchmarkCollect(b *testing.B) {
	var src strings.Builder
	for i := range 1000 {
		name := fmt.Sprintf("api-%d", i)
		src.WriteString(deployment(name, "replicas: 3", `ports: [{name: http, containerPort: 8080}]
env: [{name: DB_HOST, value: orders-db}]
readinessProbe: {httpGet: {path: /ready, port: http}}
livenessProbe:
  exec: {command: [sh, -c, 'pg_isready -h "$DB_HOST" || exit 1']}
  timeoutSeconds: 3`))
		fmt.Fprintf(&src, "apiVersion: v1\nkind: Service\nmetadata: {name: %s}\nspec: {selector: {app: %s}}\n---\n", name, name)
		fmt.Fprintf(&src, "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: %s}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: %s}}}\n---\n", name, name)
	}
	opt := facts.Options{Jobs: 1}
	f, _ := loader.Parse("shop.yaml", []byte(src.String()), loader.Options{Keep: facts.Keep(opt)})
	b.ReportAllocs()
	for b.Loop() {
		if got := facts.Collect([]*loader.File{f}, opt); len(got) != 2000 {
			b.Fatalf("%d subjects", len(got))
		}
	}
}
