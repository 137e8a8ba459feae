package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

func TestSlowStartersAreKnownByImageAndCommand(t *testing.T) {
	t.Parallel()
	pod := func(container string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    livenessProbe: {tcpSocket: {port: 80}}\n" + indent(container, 4)
	}
	for name, tc := range map[string]struct {
		container string
		want      facts.SlowStart
	}{
		"an image":               {"image: quay.io/keycloak/keycloak:26.0", facts.SlowStart{Name: "Keycloak", Work: "jvm", From: "quay.io/keycloak/keycloak:26.0"}},
		"a digest":               {"image: mysql@sha256:0123", facts.SlowStart{Name: "MySQL", Work: "recovery", From: "mysql@sha256:0123"}},
		"its own start command":  {"image: bitnami/keycloak\ncommand: [/opt/bitnami/scripts/keycloak/run.sh]", facts.SlowStart{Name: "Keycloak", Work: "jvm", From: "bitnami/keycloak"}},
		"java":                   {"image: a\ncommand: [/usr/bin/java, -jar, app.jar]", facts.SlowStart{Name: "a Java application", Work: "jvm", From: "java"}},
		"java in a shell":        {"image: a\nargs: [sh, -c, exec java -jar app.jar]", facts.SlowStart{Name: "a Java application", Work: "jvm", From: "java"}},
		"migrations":             {"image: a\ncommand: [sh, -c, bundle exec rails db:migrate && bundle exec puma]", facts.SlowStart{Name: "an application that migrates its schema first", Work: "migration", From: "db:migrate"}},
		"an exporter":            {"image: prom/mysqld-exporter:1", facts.SlowStart{}},
		"a name inside":          {"image: example/keycloak-theme-sync", facts.SlowStart{}},
		"another command":        {"image: postgres:17\ncommand: [sleep, infinity]", facts.SlowStart{}},
		"a registry with a port": {"image: registry:5000/team/api", facts.SlowStart{}},
		"a word of java":         {"image: a\nargs: [--lang=java, javac]", facts.SlowStart{}},
		"no image":               {"args: [a]", facts.SlowStart{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := workloads(one(t, pod(tc.container)))["Pod a"]
			if diff := cmp.Diff(tc.want, w.Containers[0].SlowStart); diff != "" {
				t.Errorf("slow start (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProgramsThatAreSlowToLaunch(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]facts.Launch{
		`[rabbitmq-diagnostics, -q, ping]`:           {Program: "rabbitmq-diagnostics", Runtime: "erlang"},
		`[sh, -c, "nodetool status | grep UN"]`:      {Program: "nodetool", Runtime: "jvm"},
		`[kafka-topics.sh, --list]`:                  {Program: "kafka-topics.sh", Runtime: "jvm"},
		`[/usr/local/bin/python3.12, /check.py]`:     {Program: "python3.12", Runtime: "python"},
		`[timeout, "5", mongosh, --eval, db.ping()]`: {Program: "mongosh", Runtime: "node"},
		`[psql, -c, SELECT 1]`:                       {Program: "psql", Runtime: "session"},
		`[redis-cli, ping]`:                          {},
		`[pg_isready]`:                               {},
		`[cat, /tmp/alive]`:                          {},
		`[pgrep, -f, java]`:                          {},
		`[/app/healthcheck]`:                         {},
		`[python-exporter-check]`:                    {},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := workloads(one(t, deployment("api", "", "livenessProbe:\n  exec:\n    command: "+command)))["Deployment api"]
			if diff := cmp.Diff(want, w.Containers[0].Probes[0].Launch); diff != "" {
				t.Errorf("launch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServicesSendTrafficByTheirPorts(t *testing.T) {
	t.Parallel()
	service := func(name, spec string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec:\n  selector: {app: api}\n" + indent(spec, 2) + "---\n"
	}
	const first = "ports: [{name: web, containerPort: 8080}, {name: http-metrics, containerPort: 9100}]\n"
	const second = "  - name: side\n    image: b\n    ports: [{containerPort: 9000}]\n"
	for name, tc := range map[string]struct {
		services, sidecar string
		main, side        []string
	}{
		"by name":              {services: service("api", "ports: [{port: 80, targetPort: web}]"), sidecar: second, main: []string{"api"}},
		"by number":            {services: service("api", "ports: [{port: 80, targetPort: 9000}]"), sidecar: second, side: []string{"api"}},
		"by the port itself":   {services: service("api", "ports: [{port: 8080}]"), sidecar: second, main: []string{"api"}},
		"two Services":         {services: service("b", "ports: [{port: 8080}]") + service("a", "ports: [{port: 80, targetPort: web}]"), main: []string{"a", "b"}},
		"undeclared and alone": {services: service("api", "ports: [{port: 3000}]"), main: []string{"api"}},
		"undeclared":           {services: service("api", "ports: [{port: 3000}]"), sidecar: second},
		"metrics":              {services: service("api", "ports: [{port: 9100, targetPort: http-metrics}]")},
		"a Service of metrics": {services: service("api-metrics", "ports: [{port: 8080}]")},
		"unready pods as well": {services: service("api", "publishNotReadyAddresses: true\nports: [{port: 8080}]")},
		"no ports":             {services: service("api", "clusterIP: None")},
		"no Service":           {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			manifest := tc.services + "apiVersion: v1\nkind: Pod\nmetadata: {name: api, labels: {app: api}}\nspec:\n  containers:\n  - name: main\n    image: a\n" + indent(first, 4) + tc.sidecar
			w := workloads(one(t, manifest))["Pod api"]
			got := [][]string{w.Containers[0].ServedBy}
			want := [][]string{tc.main}
			if tc.sidecar != "" {
				got, want = append(got, w.Containers[1].ServedBy), append(want, tc.side)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Services of each container (-want +got):\n%s", diff)
			}
		})
	}
}
