package facts_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// endpointOf is the endpoint of the first liveness probe in a manifest, in one line, and its trace.
func endpointOf(t *testing.T, src string) (line string, trace []string) {
	t.Helper()
	known, err := endpoints.Load(os.DirFS("../../policies/data/endpoints"), ".")
	if err != nil {
		t.Fatal(err)
	}
	opt := facts.Options{Endpoints: known}
	file, _ := loader.Parse("a.yaml", []byte(src), loader.Options{Keep: facts.Keep(opt)})
	for _, s := range facts.Collect([]*loader.File{file}, opt) {
		w, ok := s.Input.(*facts.Workload)
		if !ok {
			continue
		}
		for _, c := range w.Containers {
			for _, p := range c.Probes {
				if p.Type != "liveness" {
					continue
				}
				e := p.Endpoint
				if e.Evidence >= 0 {
					for _, step := range s.Evidence[e.Evidence] {
						trace = append(trace, fmt.Sprintf("%d %s", step.Span.Start.Line, step.Text))
					}
				}
				return strings.Join([]string{e.Container, e.Asked, e.ID, e.Depends, e.Dependency, e.Confidence}, "|"), trace
			}
		}
	}
	t.Fatal("no liveness probe")
	return "", nil
}

func pod(container string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n" + container
}

func TestTheEndpointOfAProbeIsKnownByImageCommandAndConfiguration(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ container, want string }{
		"an image that is known": {
			`  - {name: a, image: "docker.gitea.com/gitea:1", livenessProbe: {httpGet: {path: /api/healthz, port: 3000}}}`,
			"a|/api/healthz|gitea-healthz|yes|the SQL database or the cache|certain",
		},
		"a path without its slash": {
			`  - {name: a, image: gitea/gitea, livenessProbe: {httpGet: {path: api/healthz, port: 3000}}}`,
			"a|/api/healthz|gitea-healthz|yes|the SQL database or the cache|certain",
		},
		"an image that is not known": {
			`  - {name: a, image: acme/forge, livenessProbe: {httpGet: {path: /api/healthz, port: 3000}}}`,
			"a|/api/healthz||||",
		},
		"a path of any application": {
			`  - {name: a, image: acme/forge, livenessProbe: {httpGet: {path: /healthz, port: 3000}}}`,
			"a|/healthz||||",
		},
		"the port of a sidecar": {
			`  - {name: a, image: acme/a, livenessProbe: {httpGet: {path: /health/ready, port: 4433}}}` + "\n" +
				`  - {name: kratos, image: "oryd/kratos:v1", ports: [{containerPort: 4433}]}`,
			"kratos|/health/ready|ory-ready|yes|the database of the Ory service|certain",
		},
		"a port that two others declare": {
			`  - {name: a, image: acme/a, livenessProbe: {httpGet: {path: /health/ready, port: 4433}}}` + "\n" +
				`  - {name: b, image: "oryd/kratos:v1", ports: [{containerPort: 4433}]}` + "\n" +
				`  - {name: c, image: "oryd/hydra:v1", ports: [{containerPort: 4433}]}`,
			"a|/health/ready||||",
		},
		"another host": {
			`  - {name: a, image: gitea/gitea, livenessProbe: {httpGet: {host: git.example.com, path: /api/healthz, port: 443}}}`,
			"|||||",
		},
		"curl of the own port": {
			`  - {name: a, image: gitea/gitea, livenessProbe: {exec: {command: [curl, -f, "http://localhost:3000/api/healthz"]}}}`,
			"a|/api/healthz|gitea-healthz|yes|the SQL database or the cache|certain",
		},
		"curl that takes any answer": {
			`  - {name: a, image: gitea/gitea, livenessProbe: {exec: {command: [curl, "http://localhost:3000/api/healthz"]}}}`,
			"a|/api/healthz|gitea-healthz|no|the SQL database or the cache|certain",
		},
		"curl whose status the script looks at": {
			`  - name: a
    image: gitea/gitea
    livenessProbe:
      exec:
        command: [sh, -c, '[ "$(curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:3000/api/healthz)" = 200 ]']`,
			"a|/api/healthz|gitea-healthz|yes|the SQL database or the cache|certain",
		},
		"a tolerated wget": {
			`  - {name: a, image: gitea/gitea, livenessProbe: {exec: {command: [sh, -c, "wget -qO- http://localhost:3000/api/healthz || true"]}}}`,
			"a|/api/healthz|gitea-healthz|no|the SQL database or the cache|certain",
		},
		"a command about a cluster": {
			`  - {name: a, image: acme/kv, livenessProbe: {exec: {command: [etcdctl, endpoint, health]}}}`,
			"a|etcdctl endpoint health|cluster-etcdctl-health|yes|the etcd quorum|certain",
		},
		"a question whose answer nobody looks at": {
			`  - {name: a, image: mongo, livenessProbe: {exec: {command: [mongosh, --eval, db.hello().isWritablePrimary]}}}`,
			"a|mongosh --eval db.hello().isWritablePrimary|cluster-mongodb-role|no|the role or election that it asks of the replica set|certain",
		},
		"a report that the command looks at": {
			`  - {name: a, image: hashicorp/consul, livenessProbe: {exec: {command: [sh, -c, "curl -s http://127.0.0.1:8500/v1/status/leader | grep -q '[0-9]'"]}}}`,
			"a|/v1/status/leader|consul-status-leader-http|yes|the Consul raft leader|certain",
		},
		"a report that nobody looks at": {
			`  - {name: a, image: hashicorp/consul, livenessProbe: {exec: {command: [curl, -fs, "http://127.0.0.1:8500/v1/status/leader"]}}}`,
			"a|/v1/status/leader|consul-status-leader-http|no|the Consul raft leader|certain",
		},
		"a script in the image": {
			`  - {name: a, image: bitnami/keydb, livenessProbe: {exec: {command: [sh, -c, "/opt/bitnami/scripts/ping_liveness_local_and_master.sh 5"]}}}`,
			"a|/opt/bitnami/scripts/ping_liveness_local_and_master.sh 5|keydb-local-and-master|yes|the KeyDB master|certain",
		},
		"a path that tells Spring": {
			`  - {name: a, image: acme/a, livenessProbe: {httpGet: {path: /actuator/health, port: 80}}}`,
			"a|/actuator/health|spring-actuator-health|yes|any health indicator of the application (database, Redis, broker, mail)|certain",
		},
		"a path that others use too": {
			`  - {name: a, image: acme/a, livenessProbe: {httpGet: {path: /management/health, port: 80}}}`,
			"a|/management/health|spring-actuator-health|yes|any health indicator of the application (database, Redis, broker, mail)|likely",
		},
		"no request at all": {
			`  - {name: a, image: gitea/gitea, livenessProbe: {tcpSocket: {port: 3000}}}`,
			"|||||",
		},
		"configuration that is in the bundle": {
			`  - name: a
    image: grafana/grafana
    env: [{name: GF_DATABASE_URL, value: "postgres://u:secret@db.example.com:5432/grafana"}]
    livenessProbe: {httpGet: {path: /api/health, port: 3000}}`,
			"a|/api/health|grafana-api-health|yes|PostgreSQL at db.example.com:5432|likely",
		},
		"configuration that is not": {
			`  - name: a
    image: grafana/grafana
    envFrom: [{secretRef: {name: env}}]
    livenessProbe: {httpGet: {path: /api/health, port: 3000}}`,
			"a|/api/health|grafana-api-health||the SQL database|",
		},
		"a row that answers success whatever it finds": {
			`  - {name: a, image: "goharbor/harbor-core:v2", livenessProbe: {httpGet: {path: /api/v2.0/health, port: 8080}}}`,
			"a|/api/v2.0/health|harbor-core-health|no|the database, Redis, registry or another Harbor component|",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := endpointOf(t, pod(tc.container))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("container|asked|row|depends|dependency|confidence (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheTraceOfAnEndpointNamesItsSourceAndTheConfiguration(t *testing.T) {
	t.Parallel()
	_, got := endpointOf(t, pod(`  - name: web
    image: nginx:1
    livenessProbe:
      httpGet:
        path: /healthz
        port: 8080
    volumeMounts: [{name: c, mountPath: /etc/nginx/conf.d}]
  volumes: [{name: c, configMap: {name: c}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data:
  a.conf: |
    server {
      listen 8080;
      location /healthz {
        proxy_pass http://orders:8000;
      }
    }
---
apiVersion: v1
kind: Service
metadata: {name: orders}
spec: {selector: {app: orders}}
`))
	want := []string{"10 httpGet /healthz", "23 proxy_pass http://orders:8000", "29 Service orders is in the bundle"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
	_, got = endpointOf(t, pod(`  - name: a
    image: oryd/kratos
    livenessProbe:
      httpGet:
        path: /health/ready
        port: 4434`))
	want = []string{
		"10 httpGet /health/ready",
		"7 Ory (kratos, hydra, keto, oathkeeper): /health/ready fails when the database of the Ory service is down (ory/x@31658d1b healthx/handler.go Ready())",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
}
