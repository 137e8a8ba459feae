package reach_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const workload = `apiVersion: apps/v1
kind: KIND
metadata: {name: db, namespace: shop}
spec:
  replicas: REPLICAS
  SERVICE
  template:
    metadata: {labels: {app: db}}
    spec:
      POD
      containers:
      - name: db
        livenessProbe: {exec: {command: [nc, -z, HOST, "5432"]}}
`

// A short name is another server unless the pod's own name could make it.
func TestShortNamesAreThePodOnlyWhereItsOwnNameMakesThem(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, kind, replicas, service, pod, host, want string }{
		{"a pod of a StatefulSet elsewhere", "Deployment", "3", "", "", "cache-0.cache", "cluster certain"},
		{"a pod, its Service and its namespace", "Deployment", "3", "", "", "cache-0.cache.prod", "cluster certain"},
		{"a Service in another namespace", "Deployment", "3", "", "", "db.prod", "cluster likely"},
		{"a Service of another name in another namespace", "Deployment", "3", "", "", "pay.prod", "cluster certain"},
		{"a Service that has the workload's name", "Deployment", "3", "", "", "db", "cluster likely"},
		{"a domain", "Deployment", "3", "", "", "cache.example.com", "external certain"},
		{"a two-label domain", "Deployment", "3", "", "", "example.com", "external certain"},
		{"its own name under its Service", "StatefulSet", "1", "serviceName: db-pods", "", "db-0.db-pods", "self certain"},
		{"the last replica is the one that is simulated", "StatefulSet", "3", "serviceName: db-pods", "", "db-2.db-pods", "self certain"},
		{"the first replica is another pod for the others", "StatefulSet", "3", "serviceName: db-pods", "", "db-0.db-pods", "own-service certain"},
		{"fully qualified", "StatefulSet", "1", "serviceName: db-pods", "", "db-0.db-pods.shop.svc.cluster.local", "self certain"},
		{"another Service's pod of the same name", "StatefulSet", "1", "serviceName: db-pods", "", "db-0.other", "cluster likely"},
		{"the loopback network in short", "Deployment", "1", "", "", "127.1", "self certain"},
		{"its Service is a template", "StatefulSet", "1", "serviceName: '{{ .Values.name }}'", "", "cache-0.cache", "cluster likely"},
		{"hostname and subdomain", "Deployment", "1", "", "hostname: alpha\n      subdomain: beta", "alpha.beta", "self certain"},
		{"another hostname under the subdomain", "Deployment", "1", "", "hostname: alpha\n      subdomain: beta", "gamma.beta", "cluster certain"},
		{"a hostname that is a template", "Deployment", "1", "", "hostname: '{{ .Values.h }}'", "alpha.beta", "cluster likely"},
		{"an alias of the pod", "Deployment", "1", "", "hostAliases: [{ip: 127.0.0.1, hostnames: [cache.local]}]", "cache.local", "self certain"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := strings.NewReplacer("KIND", tc.kind, "REPLICAS", tc.replicas, "SERVICE", tc.service, "POD", tc.pod, "HOST", tc.host).Replace(workload)
			target := analyse(t, text).Targets[0]
			if diff := cmp.Diff(tc.want, string(target.Place)+" "+string(target.Confidence)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.host, diff)
			}
		})
	}
}
