package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/reach"
)

func TestHostsOfNetworkHandlersAreResolvedFromTheNode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, probe, want string }{
		{"httpGet without a host asks the pod", "httpGet: {path: /, port: 8080}", "self :8080 via httpGet decides"},
		{"an empty host asks the pod", "httpGet: {path: /, port: 8080, host: ''}", "self :8080 via httpGet decides"},
		{"tcpSocket without a host asks the pod", "tcpSocket: {port: 8080}", "self :8080 via tcpSocket decides"},
		{"grpc has no host", "grpc: {port: 9090, service: orders-db}", "self :9090 via grpc decides"},
		{"loopback is the node", "httpGet: {path: /, port: 8080, host: 127.0.0.1}", "node 127.0.0.1:8080 via httpGet decides"},
		{"localhost is the node", "tcpSocket: {port: 8080, host: localhost}", "node localhost:8080 via tcpSocket decides"},
		{"IPv6 loopback is the node", "tcpSocket: {port: 8080, host: '::1'}", "node ::1:8080 via tcpSocket decides"},
		{"a Service of the bundle", "tcpSocket: {port: 5432, host: orders-db}", "service orders-db:5432 [StatefulSet orders-db] via tcpSocket decides: the kubelet cannot reach orders-db"},
		{"the own Service may answer from another replica", "httpGet: {path: /, port: 80, host: api.shop.svc}", "own-service api.shop.svc:80 via httpGet decides: the kubelet cannot reach api.shop.svc"},
		{"an Ingress host that leads back", "httpGet: {path: /, port: 443, host: api.shop.example, scheme: HTTPS}", "own-service api.shop.example:443 via httpGet decides: the kubelet cannot reach api.shop.example"},
		{"a cluster name", "httpGet: {path: /, port: 80, host: pay.bank.svc.cluster.local}", "cluster pay.bank.svc.cluster.local:80 via httpGet decides: the kubelet cannot reach pay.bank.svc.cluster.local"},
		{"another domain", "httpGet: {path: /, port: 80, host: www.example.com}", "external www.example.com:80 via httpGet decides: the kubelet cannot reach www.example.com"},
		{"a private address is not the pod", "tcpSocket: {port: 80, host: 10.0.0.42}", "external 10.0.0.42:80 via tcpSocket decides: the kubelet cannot reach 10.0.0.42"},
		{"nothing is expanded in httpGet", "httpGet: {path: /, port: 80, host: $(POD_IP)}", "unknown $(POD_IP):80 via httpGet decides likely"},
		{"a template is unknown", "httpGet: {path: /, port: 80, host: '{{ .Values.host }}'}", "unknown {{ .Values.host }}:80 via httpGet decides likely"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]string{tc.want}, summaries(run(t, tc.probe))); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoopbackIsThePodItselfUnderHostNetwork(t *testing.T) {
	t.Parallel()
	got := analyse(t, `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: exporter}
spec:
  template:
    spec:
      hostNetwork: true
      containers:
      - name: exporter
        livenessProbe:
          httpGet: {path: /, port: metrics, host: 127.0.0.1}
        ports: [{name: metrics, containerPort: 9100}]
`)
	if diff := cmp.Diff([]string{"self 127.0.0.1:9100 via httpGet decides"}, summaries(got)); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestAProbeWithoutExactlyOneHandlerHasNoTargets(t *testing.T) {
	t.Parallel()
	for _, probe := range []string{"periodSeconds: 5", "httpGet: {port: 1}\ntcpSocket: {port: 1}", "exec: {command: []}", "httpGet: null"} {
		got := run(t, probe)
		if len(got.Targets) != 0 {
			t.Errorf("%s: %v", probe, summaries(got))
		}
	}
}

func TestNamesLeadToWhatStandsBehindThem(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"localhost":                         "self",
		"127.0.0.53":                        "self",
		"0.0.0.0":                           "self",
		"[::1]":                             "self",
		"app.localhost":                     "self",
		"orders-db":                         "service [StatefulSet orders-db]",
		"orders-db.shop":                    "service [StatefulSet orders-db]",
		"orders-db.shop.svc":                "service [StatefulSet orders-db]",
		"ORDERS-DB.shop.svc.cluster.local.": "service [StatefulSet orders-db]",
		"orders-db-0.orders-db-headless":    "service [StatefulSet orders-db]",
		"orders-db-1.orders-db-headless.shop.svc.cluster.local": "service [StatefulSet orders-db]",
		"cache":                        "service [cache.abc.cache.amazonaws.com]",
		"api":                          "own-service",
		"api.shop":                     "own-service",
		"api.shop.example":             "own-service",
		"orders-db.other.svc":          "cluster",
		"payments":                     "cluster",
		"payments.bank":                "cluster",
		"payments.bank.svc":            "cluster",
		"kubernetes":                   "cluster [the Kubernetes API server]",
		"kubernetes.default.svc":       "cluster [the Kubernetes API server]",
		"example.com":                  "external",
		"db.internal":                  "external",
		"orders.abc.rds.amazonaws.com": "external",
		"10.1.2.3":                     "external",
		"203.0.113.9":                  "external",
		"[2001:db8::1]":                "external",
		"169.254.169.254":              "external [the cloud's metadata service]",
		"169.254.20.10":                "node",
		"db.alias.example":             "self",
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			text := manifest(command("curl", "-f", "http://"+host+":80/"))
			text = replaceOnce(text, "      containers:\n", "      hostAliases: [{ip: 127.0.0.1, hostnames: [db.alias.example]}]\n      containers:\n")
			got := analyse(t, text).Targets
			if len(got) != 1 {
				t.Fatalf("%d targets", len(got))
			}
			place := string(got[0].Place)
			if got[0].Subject != "" {
				place += " [" + got[0].Subject + "]"
			}
			if diff := cmp.Diff(want, place); diff != "" {
				t.Errorf("place (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAStatefulSetKnowsItsOwnPodsFromTheOthers(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]reach.Place{
		"redis-cli -h $HOSTNAME ping":                                      reach.Self,
		"redis-cli -h $(hostname) ping":                                    reach.Self,
		"redis-cli -h $(hostname -i) ping":                                 reach.Self,
		"redis-cli -h $(hostname -f) ping":                                 reach.Self,
		"redis-cli -h $HOSTNAME.redis-headless ping":                       reach.Self,
		"redis-cli -h ${HOSTNAME}.redis-headless.data.svc.cluster.local p": reach.Self,
		"redis-cli -h redis-${HOSTNAME##*-}.redis-headless ping":           reach.Self,
		"redis-cli -h $POD_NAME.redis-headless ping":                       reach.Self,
		"redis-cli -h $POD_IP ping":                                        reach.Self,
		"redis-cli -h redis-0.redis-headless ping":                         reach.OwnService,
		"redis-cli -h redis-headless ping":                                 reach.OwnService,
		"redis-cli -h $NODE_IP ping":                                       reach.Node,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			got := analyse(t, `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: redis, namespace: data}
spec:
  replicas: 3
  serviceName: redis-headless
  template:
    metadata: {labels: {app: redis}}
    spec:
      containers:
      - name: redis
        env:
        - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
        - {name: NODE_IP, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}
        livenessProbe:
          exec:
            command: [sh, -c, '`+command+`']
---
apiVersion: v1
kind: Service
metadata: {name: redis-headless, namespace: data}
spec: {clusterIP: None, selector: {app: redis}}
`)
			if len(got.Targets) != 1 || got.Targets[0].Place != want {
				t.Errorf("want %s, got %v", want, summaries(got))
			}
		})
	}
}
