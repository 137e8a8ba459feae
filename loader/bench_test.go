package loader

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// manifests writes n Deployments as people write them.
func manifests(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `---
# Deployment %[1]d of the shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: api-%[1]d
  namespace: shop
  labels: {app.kubernetes.io/name: api-%[1]d, app.kubernetes.io/part-of: shop}
spec:
  replicas: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: api-%[1]d
  template:
    metadata:
      labels:
        app.kubernetes.io/name: api-%[1]d
      annotations:
        prometheus.io/scrape: "true"
    spec:
      containers:
      - name: api
        image: registry.example.com/shop/api:1.%[1]d.0
        args: ["--port=8080", "--log-level", 'info']
        env:
        - name: DB_HOST
          value: orders-db.shop.svc   # the primary
        - name: PASSWORD
          valueFrom:
            secretKeyRef:
              name: orders-db
              key: password
        ports:
        - name: http
          containerPort: 8080
        livenessProbe:
          exec:
            command:
            - sh
            - -c
            - |
              set -e
              pg_isready -h "$DB_HOST"
          periodSeconds: 10
          failureThreshold: 3
        readinessProbe:
          httpGet:
            path: /ready
            port: http
        resources:
          requests: {cpu: 100m, memory: 128Mi}
          limits: {memory: 256Mi}
`, i)
	}
	return []byte(b.String())
}

// BenchmarkDecode is the floor: the same bytes into YAML nodes and nothing else.
func BenchmarkDecode(b *testing.B) {
	src := manifests(200)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		for part := range bytes.SplitSeq(src, []byte("---\n")) {
			var n yaml.Node
			if len(part) > 0 && yaml.Unmarshal(part, &n) != nil {
				b.Fatal("not YAML")
			}
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	src := manifests(200)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		f, _ := Parse("shop.yaml", src, Options{})
		if len(f.Objects) != 200 {
			b.Fatalf("%d objects", len(f.Objects))
		}
	}
}

// BenchmarkLoadRefused reads documents whose kind nobody wants.
func BenchmarkLoadRefused(b *testing.B) {
	src := manifests(200)
	b.SetBytes(int64(len(src)))
	keep := func(_, _ string) bool { return false }
	for b.Loop() {
		if f, _ := Parse("shop.yaml", src, Options{Keep: keep}); len(f.Objects) != 200 {
			b.Fatalf("%d objects", len(f.Objects))
		}
	}
}

// BenchmarkLoadOther reads YAML that is none of our business.
func BenchmarkLoadOther(b *testing.B) {
	src := bytes.ReplaceAll(manifests(10), []byte("apiVersion"), []byte("version"))
	src = bytes.ReplaceAll(src, []byte("kind:"), []byte("type:"))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if f, _ := Parse("other.yaml", src, Options{}); len(f.Objects) > 0 {
			b.Fatal("objects")
		}
	}
}

func BenchmarkCommentsAbsent(b *testing.B) {
	f, _ := Parse("shop.yaml", manifests(200), Options{})
	for b.Loop() {
		if len(f.Comments("hclint:")) > 0 {
			b.Fatal("comments")
		}
	}
}
