package reach_test

import (
	"strings"
	"testing"

	"github.com/hclint/hclint/internal/reach"
)

// shop is the bundle around the probed Deployment api: its own Service and Ingress, a database behind a Service of its
// own, an alias for a managed cache, a headless Service, configuration.
const shop = `---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop}
spec: {selector: {app: api}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: orders-db, namespace: shop}
spec: {selector: {app: orders-db}, ports: [{port: 5432}]}
---
apiVersion: v1
kind: Service
metadata: {name: orders-db-headless, namespace: shop}
spec: {clusterIP: None, selector: {app: orders-db}}
---
apiVersion: v1
kind: Service
metadata: {name: cache, namespace: shop}
spec: {type: ExternalName, externalName: cache.abc.cache.amazonaws.com}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: orders-db, namespace: shop}
spec:
  serviceName: orders-db-headless
  template:
    metadata: {labels: {app: orders-db}}
    spec: {containers: [{name: postgres}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: api, namespace: shop}
spec:
  rules:
  - host: api.shop.example
    http: {paths: [{path: /, backend: {service: {name: api, port: {number: 80}}}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: api-env, namespace: shop}
data: {DB_HOST: orders-db, CACHE_URL: "redis://cache:6379/0"}
---
apiVersion: v1
kind: Secret
metadata: {name: api-secret, namespace: shop}
stringData: {DATABASE_URL: "postgresql://app:p%40ss/word@orders-db:5432/orders"}
data: {ENCODED_HOST: b3JkZXJzLWRi}
`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
      - name: api
        image: registry.example/api:1
        env: ENV
        envFrom: FROM
        volumeMounts: MOUNTS
        livenessProbe:
          PROBE
      volumes: VOLUMES
`

// manifest fills in the deployment: probe is the text under livenessProbe, parts are "env=…", "from=…", "mounts=…",
// "volumes=…" in flow style.
func manifest(probe string, parts ...string) string {
	values := map[string]string{"env": "[]", "from": "[]", "mounts": "[]", "volumes": "[]"}
	extra := ""
	var extraSb85 strings.Builder
	for _, p := range parts {
		key, value, _ := strings.Cut(p, "=")
		if key == "objects" {
			extraSb85.WriteString(value)
			continue
		}
		values[key] = value
	}
	extra += extraSb85.String()
	return strings.NewReplacer("PROBE", strings.ReplaceAll(probe, "\n", "\n          "), "ENV", values["env"], "FROM", values["from"],
		"MOUNTS", values["mounts"], "VOLUMES", values["volumes"]).Replace(deployment) + shop + extra
}

// command is a probe that runs argv.
func command(argv ...string) string {
	var b strings.Builder
	b.WriteString("exec:\n  command:")
	for _, a := range argv {
		b.WriteString("\n  - |-\n    " + strings.ReplaceAll(a, "\n", "\n    "))
	}
	return b.String()
}

// shell is a probe that runs text with sh -c.
func shell(text string) string { return command("sh", "-c", text) }

func run(t *testing.T, probe string, parts ...string) reach.Result {
	t.Helper()
	return analyse(t, manifest(probe, parts...))
}

func replaceOnce(s, old, with string) string { return strings.Replace(s, old, with, 1) }

func splitFields(s string) []string { return strings.Fields(s) }

func analyseOne(b *bundle, s reach.Subject) { reach.Explore(b, s) }

// indented fits text into a block scalar of a ConfigMap.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n    ") }
