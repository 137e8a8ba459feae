package reach_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValuesOfTheEnvironmentAreThoseOfKubernetes(t *testing.T) {
	t.Parallel()
	const (
		found   = "service orders-db:5432 (PostgreSQL) [StatefulSet orders-db] via psql decides: the probe exits 2"
		local   = "self :5432 (PostgreSQL) via psql decides: the probe exits 2"
		unknown = "unknown …:5432 (PostgreSQL) via psql decides likely: the probe exits 2"
		literal = "unknown $(DB_HOST):5432 (PostgreSQL) via psql decides likely: the probe exits 2"
	)
	direct := command("psql", "-h", "$(DB_HOST)", "-c", "select 1")
	for _, tc := range []struct {
		name, probe string
		parts       []string
		want        string
	}{
		{"a literal value, expanded by the kubelet", direct, []string{`env=[{name: DB_HOST, value: orders-db}]`}, found},
		{"a literal value, expanded by the shell", shell(`psql -h "$DB_HOST"`), []string{`env=[{name: DB_HOST, value: orders-db}]`}, found},
		{"a value made of another", shell("psql -h $DB_HOST"), []string{`env=[{name: P, value: orders}, {name: DB_HOST, value: $(P)-db}]`}, found},
		{"a later value is not expanded", shell("psql -h $DB_HOST"), []string{`env=[{name: DB_HOST, value: $(P)-db}, {name: P, value: orders}]`}, "unknown $(P)-db:5432 (PostgreSQL) via psql decides likely: the probe exits 2"},
		{"a doubled dollar is literal", command("psql", "-h", "$$(DB_HOST)"), []string{`env=[{name: DB_HOST, value: orders-db}]`}, literal},
		{"a ConfigMap key", shell("psql -h $DB_HOST"), []string{`env=[{name: DB_HOST, valueFrom: {configMapKeyRef: {name: api-env, key: DB_HOST}}}]`}, found},
		{"a Secret key in stringData", shell(`psql "$DATABASE_URL"`), []string{`env=[{name: DATABASE_URL, valueFrom: {secretKeyRef: {name: api-secret, key: DATABASE_URL}}}]`}, found},
		{"a Secret key in base64", shell("psql -h $H"), []string{`env=[{name: H, valueFrom: {secretKeyRef: {name: api-secret, key: ENCODED_HOST}}}]`}, found},
		{"envFrom", shell("psql -h $DB_HOST"), []string{`from=[{configMapRef: {name: api-env}}]`}, found},
		{"envFrom with a prefix", shell("psql -h $APP_DB_HOST"), []string{`from=[{prefix: APP_, configMapRef: {name: api-env}}]`}, found},
		{"env wins over envFrom", shell("psql -h $DB_HOST"), []string{`from=[{configMapRef: {name: api-env}}]`, `env=[{name: DB_HOST, value: localhost}]`}, "self localhost:5432 (PostgreSQL) via psql decides: the probe exits 2"},
		{"the client's own variable", command("psql", "-c", "select 1"), []string{`env=[{name: PGHOST, value: orders-db}]`}, found},
		{"a flag wins over the client's variable", command("psql", "-h", "localhost"), []string{`env=[{name: PGHOST, value: orders-db}]`}, "self localhost:5432 (PostgreSQL) via psql decides: the probe exits 2"},
		{"a Service's variable", shell("psql -h $ORDERS_DB_SERVICE_HOST -p $ORDERS_DB_SERVICE_PORT"), nil, found},
		{"a default in the script", shell("psql -h ${DB_HOST:-orders-db}"), nil, found},
		{"a default that a value replaces", shell("psql -h ${DB_HOST:-orders-db}"), []string{`env=[{name: DB_HOST, value: localhost}]`}, "self localhost:5432 (PostgreSQL) via psql decides: the probe exits 2"},
		{"an assignment in the script", shell("H=orders-db\npsql -h $H"), nil, found},
		{"a password with odd characters", command("psql", "$(U)"), []string{`env=[{name: U, value: "postgres://u:p@ss@orders-db/x"}]`}, found},
		{"the pod's own address", shell("psql -h $IP"), []string{`env=[{name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]`}, "self :5432 (PostgreSQL) via psql decides: the probe exits 2"},

		{"valueFrom is empty to the kubelet: the client's local default", direct, []string{`env=[{name: DB_HOST, valueFrom: {configMapKeyRef: {name: api-env, key: DB_HOST}}}]`}, local},
		{"envFrom stays literal to the kubelet", direct, []string{`from=[{configMapRef: {name: api-env}}]`}, literal},
		{"an unseen Secret is unknown, not local", shell(`psql -h "$DB_HOST"`), []string{`env=[{name: DB_HOST, valueFrom: {secretKeyRef: {name: elsewhere, key: host}}}]`}, unknown},
		{"an unseen Secret is unknown in a URL", shell(`psql "postgresql://u:p@$DB_HOST:5432/x"`), []string{`env=[{name: DB_HOST, valueFrom: {secretKeyRef: {name: elsewhere, key: host}}}]`}, unknown},
		{"an unseen envFrom may set anything", shell("psql -h ${DB_HOST:-localhost}"), []string{`from=[{secretRef: {name: elsewhere}}]`}, unknown},
		{"a variable that nothing sets is unknown", shell(`psql -h "$DB_HOST"`), nil, unknown},
		{"a template is unknown", shell(`psql -h "$DB_HOST"`), []string{`env=[{name: DB_HOST, value: "{{ .Values.db }}"}]`}, unknown},
		{"a template in the command is unknown", shell(`psql -h {{ .Values.db }}`), nil, unknown},
		{"a substitution of an unknown program is unknown", shell(`psql -h "$(discover)"`), nil, unknown},
		{"a value that grows beyond what a process can start with is unknown", shell(`psql -h "$D9"`), []string{growing(10)}, unknown},
		{"no shell, no expansion", command("psql", "-h", "$DB_HOST"), []string{`env=[{name: DB_HOST, value: orders-db}]`}, "unknown $DB_HOST:5432 (PostgreSQL) via psql decides likely: the probe exits 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]string{tc.want}, summaries(run(t, tc.probe, tc.parts...))); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

// growing is an environment of n variables D0, D1, …, each made of eight times the one before.
func growing(n int) string {
	var env strings.Builder
	env.WriteString("env=[{name: D0, value: orders-db}")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&env, ", {name: D%d, value: %s}", i, strings.Repeat(fmt.Sprintf("$(D%d)", i-1), 8))
	}
	return env.String() + "]"
}
