package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

func TestLivenessIsComparedWithReadiness(t *testing.T) {
	t.Parallel()
	standard := facts.Verdict{Earliest: 21, Latest: 31}
	identical := facts.Shared{Same: true, Outpaces: "hang", Liveness: standard, Readiness: standard}
	different := facts.Shared{Outpaces: "hang", Liveness: standard, Readiness: standard}
	const ports = "ports: [{name: web, containerPort: 8080}, {name: admin, containerPort: 9090}]\n"
	for name, tc := range map[string]struct {
		live, ready string
		want        facts.Shared
	}{
		"the same":                   {"httpGet: {path: /health, port: 8080}", "httpGet: {path: /health, port: 8080}", identical},
		"a port by name and number":  {"httpGet: {path: /health, port: web}", "httpGet: {path: /health, port: 8080}", identical},
		"a path that is the default": {"httpGet: {port: web}", "httpGet: {path: /, port: web, scheme: HTTP}", identical},
		"a path without its slash":   {"httpGet: {path: health, port: web}", "httpGet: {path: /health, port: web}", identical},
		"headers in another order":   {"httpGet: {port: web, httpHeaders: [{name: a, value: b}, {name: c, value: d}]}", "httpGet: {port: web, httpHeaders: [{name: c, value: d}, {name: a, value: b}]}", identical},
		"other named ports":          {"httpGet: {port: web}", "httpGet: {port: admin}", different},
		"other undeclared names":     {"httpGet: {port: x}", "httpGet: {port: y}", different},
		"templated ports":            {`httpGet: {port: "${A}"}`, `httpGet: {port: "${A}"}`, different},
		"other paths":                {"httpGet: {path: /livez, port: web}", "httpGet: {path: /readyz, port: web}", different},
		"other queries":              {"httpGet: {path: /health?a, port: web}", "httpGet: {path: /health, port: web}", different},
		"other schemes":              {"httpGet: {port: web, scheme: HTTPS}", "httpGet: {port: web}", different},
		"other headers":              {"httpGet: {port: web, httpHeaders: [{name: a, value: b}]}", "httpGet: {port: web}", different},
		"other hosts":                {"tcpSocket: {port: web, host: db}", "tcpSocket: {port: web}", different},
		"other handlers":             {"tcpSocket: {port: web}", "httpGet: {port: web}", facts.Shared{Local: true, Outpaces: "hang", Liveness: standard, Readiness: standard}},
		"other gRPC services":        {"grpc: {port: 9, service: liveness}", "grpc: {port: 9, service: readiness}", different},
		"other commands":             {"exec: {command: [/bin/check, live]}", "exec: {command: [/bin/check, ready]}", different},
		"the same gRPC service":      {"grpc: {port: 9}", "grpc: {port: 9, service: \"\"}", identical},
		"a connection is local":      {"tcpSocket: {port: web}", "tcpSocket: {port: web}", facts.Shared{Same: true, Local: true, Outpaces: "hang", Liveness: standard, Readiness: standard}},
		"a connection elsewhere is not": {
			"tcpSocket: {port: web, host: db}", "tcpSocket: {port: web, host: db}", identical,
		},
		"a ping of the own server is local": {
			"exec: {command: [redis-cli, ping]}", "exec: {command: [redis-cli, ping]}",
			facts.Shared{Same: true, Local: true, Outpaces: "hang", Liveness: standard, Readiness: standard},
		},
		"a file is local": {
			"exec: {command: [cat, /tmp/alive]}", "exec: {command: [cat, /tmp/alive]}",
			facts.Shared{Same: true, Local: true, Outpaces: "hang", Liveness: standard, Readiness: standard},
		},
		"an endpoint asked by curl is not": {"exec: {command: [curl, -f, \"http://localhost:8080/health\"]}", "exec: {command: [curl, -f, \"http://localhost:8080/health\"]}", identical},
		"a program of the image is not":    {"exec: {command: [/app/healthcheck]}", "exec: {command: [/app/healthcheck]}", identical},
		"liveness that is clearly slower": {
			"httpGet: {port: web}\nfailureThreshold: 5", "httpGet: {port: web}",
			facts.Shared{Same: true, Liveness: facts.Verdict{Earliest: 41, Latest: 51}, Readiness: standard},
		},
		"liveness that is slower by one failure": {
			"httpGet: {port: web}\nfailureThreshold: 4", "httpGet: {port: web}",
			facts.Shared{Same: true, Outpaces: "hang", Liveness: facts.Verdict{Earliest: 31, Latest: 41}, Readiness: standard},
		},
		"slower only when the check hangs": {
			"httpGet: {port: web}\ntimeoutSeconds: 30", "httpGet: {port: web}",
			facts.Shared{Same: true, Outpaces: "error", Liveness: facts.Verdict{Earliest: 20, Latest: 30}, Readiness: facts.Verdict{Earliest: 20, Latest: 30}},
		},
		"templated timings": {"httpGet: {port: web}\nperiodSeconds: ${P}", "httpGet: {port: web}", facts.Shared{Same: true}},
		"no readiness":      {"httpGet: {port: web}", "", facts.Shared{}},
		"no handler":        {"periodSeconds: 5", "httpGet: {port: web}", facts.Shared{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			container := ports + "livenessProbe:\n" + indent(tc.live, 2)
			if tc.ready != "" {
				container += "readinessProbe:\n" + indent(tc.ready, 2)
			}
			w := workloads(one(t, deployment("api", "", container)))["Deployment api"]
			if diff := cmp.Diff(tc.want, w.Containers[0].Shared); diff != "" {
				t.Errorf("comparison (-want +got):\n%s", diff)
			}
		})
	}
}
