package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const scripts = `objects=---
apiVersion: v1
kind: ConfigMap
metadata: {name: health, namespace: shop}
data:
  alive.sh: |
    #!/bin/bash
    # liveness
    script_dir="$(dirname "$0")"
    exit_status=0
    "$script_dir/local.sh" $1 || exit_status=$?
    "$script_dir/master.sh" $1 || exit_status=$?
    exit $exit_status
  local.sh: |
    #!/bin/bash
    redis-cli -h localhost ping
  master.sh: |
    #!/bin/bash
    . /health/lib.sh
    ask "$MASTER"
  lib.sh: |
    ask() {
      response=$(timeout -s 15 $1 redis-cli -h "$1" ping)
      [ "$response" = PONG ]
    }
  branch.sh: |
    #!/bin/sh
    while [ $# -gt 0 ]; do
      case "$1" in
        --deep) deep=1;;
      esac
      shift
    done
    if [ -n "$deep" ]; then
      nc -z orders-db 5432
    fi
  check.py: |
    #!/usr/bin/env python3
    import socket
    socket.create_connection(("orders-db", 5432), timeout=2)
`

func TestScriptsOfTheBundleAreFollowed(t *testing.T) {
	t.Parallel()
	const (
		local  = "self localhost:6379 (Redis) via redis-cli decides: the probe exits 1"
		remote = "service cache:6379 (Redis) [cache.abc.cache.amazonaws.com] via redis-cli decides: the probe exits 1"
		deep   = "service orders-db:5432 [StatefulSet orders-db] via nc decides: the probe exits 1"
		python = "service orders-db:5432 [StatefulSet orders-db] via python decides likely: the probe exits 1"
		env    = `env=[{name: MASTER, value: cache}]`
		mounts = `mounts=[{name: health, mountPath: /health}]`
		volume = `volumes=[{name: health, configMap: {name: health, defaultMode: 0755}}]`
	)
	for _, tc := range []struct {
		name, probe    string
		mounts, volume string
		want           []string
		opaque         string
	}{
		{"called directly", command("/health/alive.sh", "5"), mounts, volume, []string{local, remote}, ""},
		{"through sh", command("sh", "/health/alive.sh", "5"), mounts, volume, []string{local, remote}, ""},
		{"through sh -c", command("sh", "-c", "/health/alive.sh 5"), mounts, volume, []string{local, remote}, ""},
		{"through exec and wrappers", command("sh", "-c", "exec timeout 5 /health/alive.sh 5"), mounts, volume, []string{local, remote}, ""},
		{"options after -c", command("/bin/sh", "-c", "-e", "exec /health/alive.sh 5"), mounts, volume, []string{local, remote}, ""},
		{"sourced", command("bash", "-ec", "source /health/lib.sh; ask cache"), mounts, volume, []string{remote}, ""},
		{"a relative path", command("sh", "-c", "cd /health && ./local.sh"), mounts, volume, []string{local}, ""},
		{"a sibling that is not called", command("/health/local.sh"), mounts, volume, []string{local}, ""},
		{"the argument chooses the branch", command("/health/branch.sh", "--deep"), mounts, volume, []string{deep}, ""},
		{"without the argument", command("/health/branch.sh"), mounts, volume, nil, ""},
		{"python", command("/health/check.py"), mounts, volume, []string{python}, ""},
		{"python with its interpreter", command("python3", "/health/check.py"), mounts, volume, []string{python}, ""},
		{"subPath", command("/usr/local/bin/check"), `mounts=[{name: health, mountPath: /usr/local/bin/check, subPath: branch.sh}]`, volume, nil, ""},
		{"items", command("/h/c", "--deep"), `mounts=[{name: health, mountPath: /h}]`, `volumes=[{name: health, configMap: {name: health, items: [{key: branch.sh, path: c}]}}]`, []string{deep}, ""},
		{"projected", command("/h/local.sh"), `mounts=[{name: health, mountPath: /h}]`, `volumes=[{name: health, projected: {sources: [{configMap: {name: health}}]}}]`, []string{local}, ""},
		{"not in the volume", command("sh", "/health/none.sh"), mounts, volume, nil, "the script /health/none.sh is not in the mounted volume"},
		{"in the image", command("/opt/alive.sh"), mounts, volume, nil, "the script /opt/alive.sh is inside the image"},
		{"in an unseen ConfigMap", command("sh", "/health/alive.sh"), mounts, `volumes=[{name: health, configMap: {name: elsewhere}}]`, nil, "the script /health/alive.sh comes from ConfigMap elsewhere, which was not read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := run(t, tc.probe, env, tc.mounts, tc.volume, scripts)
			if diff := cmp.Diff(tc.want, summaries(got)); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
			if tc.opaque != "" && got.Opaque != tc.opaque {
				t.Errorf("opaque: %q", got.Opaque)
			}
		})
	}
}

func TestTheTraceLeadsFromTheProbeToTheTarget(t *testing.T) {
	t.Parallel()
	got := run(t, command("/health/alive.sh", "5"), `env=[{name: MASTER, value: cache}]`, `mounts=[{name: health, mountPath: /health}]`,
		`volumes=[{name: health, configMap: {name: health}}]`, scripts)
	want := []string{
		"16:13 runs /health/alive.sh, from ConfigMap health",
		"81:5 \"$script_dir/master.sh\" $1",
		"88:5 . /health/lib.sh",
		"92:18 timeout -s 15 $1 redis-cli -h \"$1\" ping",
		"11:30 MASTER is cache, Service cache is an alias for cache.abc.cache.amazonaws.com",
	}
	if diff := cmp.Diff(want, traceLines(got.Targets[1])); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
}

func TestCodeInOtherLanguagesIsReadForItsLiterals(t *testing.T) {
	t.Parallel()
	const service = "service orders-db:5432 [StatefulSet orders-db] via "
	for _, tc := range []struct {
		name, program, flag, code string
		want                      []string
	}{
		{"python socket", "python3", "-c", `import socket; socket.create_connection(("orders-db", 5432))`, []string{service + "python decides likely: the probe exits 1"}},
		{"python environment", "python", "-c", `import os,socket; socket.create_connection((os.environ["DB"], 5432))`, []string{service + "python decides likely: the probe exits 1"}},
		{"python loopback", "python", "-c", `import urllib.request; urllib.request.urlopen("http://127.0.0.1:8000/healthz")`, []string{"self 127.0.0.1:8000 via python decides likely: the probe exits 1"}},
		{"node", "node", "-e", `require('http').get('http://orders-db:5432/', r => process.exit(r.statusCode == 200 ? 0 : 1))`, []string{service + "node decides likely: the probe exits 1"}},
		{"node options", "node", "-e", `require('net').connect({host: 'orders-db', port: 5432})`, []string{service + "node decides likely: the probe exits 1"}},
		{"node port first", "node", "-e", `require('net').connect(5432, 'orders-db')`, []string{service + "node decides likely: the probe exits 1"}},
		{"ruby", "ruby", "-rsocket -e", `TCPSocket.new("orders-db", 5432)`, []string{service + "ruby decides likely: the probe exits 1"}},
		{"php", "php", "-r", `exit(fsockopen("orders-db", 5432) ? 0 : 1);`, []string{service + "php decides likely: the probe exits 1"}},
		{"perl", "perl", "-MIO::Socket::INET -e", `IO::Socket::INET->new(PeerAddr => "orders-db:5432") or die`, []string{service + "perl decides likely: the probe fails"}},
		{"celery in python", "python", "-c", `from app import celery; assert celery.control.inspect().ping()`, []string{"external (the message broker) via python decides likely: the probe exits 1"}},
		{"a keyword argument", "ruby", "-e", `Redis.new(url: ENV['URL']).ping`, []string{"service cache:6379 (Redis) [cache.abc.cache.amazonaws.com] via ruby decides likely: the probe exits 1"}},
		{"errors are caught", "python", "-c", "import socket\ntry:\n  socket.create_connection((\"orders-db\", 5432))\nexcept OSError:\n  pass", []string{service + "python tolerated"}},
		{"a name that is computed", "python", "-c", `socket.create_connection((host, 5432))`, nil},
		{"a literal that is only a part", "node", "-e", `http.get('http://' + host + '/')`, nil},
		{"a string that reaches no call", "python", "-c", `print("http://orders-db:5432/")`, nil},
		{"an import", "python", "-c", `import app`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			argv := []string{tc.program}
			if tc.flag != "" {
				argv = append(argv, splitFields(tc.flag)...)
			}
			got := run(t, command(append(argv, tc.code)...), `env=[{name: DB, value: orders-db}, {name: URL, value: "redis://cache:6379"}]`)
			if diff := cmp.Diff(tc.want, summaries(got)); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

// A Deployment of the usual size: what a hundred exec probes cost against decoding the YAML that they stand in.
func BenchmarkHundredExecProbes(b *testing.B) {
	text := manifest(shell(`curl -fsS -m 2 http://localhost:8080/healthz && pg_isready -h "$DB_HOST" -q`), `env=[{name: DB_HOST, value: orders-db}]`)
	own := text[:len(text)-len(shop)]
	own = replaceOnce(own, "spec:\n", `  labels:
    app.kubernetes.io/name: api
    app.kubernetes.io/instance: shop
    app.kubernetes.io/version: 1.4.2
    app.kubernetes.io/managed-by: Helm
  annotations:
    prometheus.io/scrape: "true"
    prometheus.io/port: "9090"
spec:
  replicas: 3
  revisionHistoryLimit: 3
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxSurge: 1, maxUnavailable: 0}
  selector:
    matchLabels:
      app: api
`)
	own = replaceOnce(own, "        volumeMounts:", `        imagePullPolicy: IfNotPresent
        ports:
        - name: http
          containerPort: 8080
          protocol: TCP
        - name: metrics
          containerPort: 9090
        resources:
          requests: {cpu: 100m, memory: 128Mi}
          limits: {cpu: "1", memory: 512Mi}
        securityContext:
          runAsNonRoot: true
          allowPrivilegeEscalation: false
          capabilities: {drop: [ALL]}
        readinessProbe:
          httpGet: {path: /ready, port: http}
          periodSeconds: 5
          failureThreshold: 3
        volumeMounts:`)
	own = replaceOnce(own, "metadata: {name: api, namespace: shop}\n", "metadata:\n  name: api\n  namespace: shop\n")
	small := text[:len(text)-len(shop)]
	bundle := parse(b, own+shop)
	subject := bundle.subjects()[0]
	bundle.own, bundle.labels = subject.Workload, subject.Labels
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			for range 100 {
				parse(b, own)
			}
		}
	})
	b.Run("decode small", func(b *testing.B) {
		for b.Loop() {
			for range 100 {
				parse(b, small)
			}
		}
	})
	b.Run("analyse", func(b *testing.B) {
		for b.Loop() {
			for range 100 {
				analyseOne(bundle, subject)
			}
		}
	})
}
