package appconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGrafanaAsksADatabaseOnlyWhereItsConfigurationNamesOne(t *testing.T) {
	t.Parallel()
	ini := func(text string) []Setting { return []Setting{file("/etc/grafana/grafana.ini", text)} }
	for name, tc := range map[string]struct {
		container Container
		want      string
	}{
		"the default":                 {Container{}, "local"},
		"variables that are not here": {Container{Open: true}, "undecided"},
		"a file that is not here":     {Container{Unseen: []string{"/etc/grafana"}}, "undecided"},
		"SQLite by name":              {Container{Variables: []Setting{env("GF_DATABASE_TYPE", "sqlite3")}}, "local"},
		"type and host":               {Container{Variables: []Setting{env("GF_DATABASE_TYPE", "mysql"), env("GF_DATABASE_HOST", "db:3306")}}, "depends proven MySQL@db:3306"},
		"a host that is not here":     {Container{Variables: []Setting{env("GF_DATABASE_TYPE", "postgres"), {Name: "GF_DATABASE_HOST"}}}, "depends proven PostgreSQL"},
		"a type that is not here":     {Container{Variables: []Setting{{Name: "GF_DATABASE_TYPE"}}}, "undecided"},
		"a URL":                       {Container{Variables: []Setting{env("GF_DATABASE_URL", "postgres://g:s@db.example:5432/g")}}, "depends proven PostgreSQL@db.example:5432"},
		"a socket":                    {Container{Variables: []Setting{env("GF_DATABASE_TYPE", "postgres"), env("GF_DATABASE_HOST", "/run/postgresql")}}, "local"},
		"the file":                    {Container{Files: ini("[database]\ntype = postgres\nhost = db\n")}, "depends proven PostgreSQL@db"},
		"another section of the file": {Container{Files: ini("[remote_cache]\ntype = redis\nhost = r\n")}, "local"},
		"a comment in the file":       {Container{Files: ini("[database]\n;type = mysql\n;host = db\n")}, "local"},
		"the environment wins":        {Container{Files: ini("[database]\ntype = mysql\nhost = db\n"), Variables: []Setting{env("GF_DATABASE_TYPE", "sqlite3")}}, "local"},
		"a file of another name":      {Container{Files: []Setting{file("/my.ini", "[database]\ntype = mysql\nhost = db\n")}, Variables: []Setting{env("GF_PATHS_CONFIG", "/my.ini")}}, "depends proven MySQL@db"},
		"a file that cannot be read":  {Container{Files: ini("[database\ntype")}, "local"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, said(Grafana(tc.container), true)); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDatabaseSettingsDecideWhatAnEndpointAsks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		row       string
		container Container
		want      string
	}{
		"no settings are known":          {"etcd-health", Container{}, "none"},
		"nothing is set":                 {"metabase-health", Container{}, "undecided"},
		"an embedded kind":               {"metabase-health", Container{Variables: []Setting{env("MB_DB_TYPE", "h2")}}, "local"},
		"a kind and an address":          {"metabase-health", Container{Variables: []Setting{env("MB_DB_TYPE", "postgres"), env("MB_DB_HOST", "db")}}, "depends the application database@db"},
		"an address that is not here":    {"metabase-health", Container{Variables: []Setting{{Name: "MB_DB_HOST"}}}, "depends the application database"},
		"a file":                         {"vaultwarden-alive", Container{Variables: []Setting{env("DATABASE_URL", "data/db.sqlite3")}}, "local"},
		"a URL":                          {"vaultwarden-alive", Container{Variables: []Setting{env("DATABASE_URL", "mysql://u:p@db/x")}}, "depends MySQL@db"},
		"an option":                      {"oauth2-proxy-ready", Container{Arguments: []Setting{arg("--session-store-type=redis"), arg("--redis-connection-url"), arg("redis://cache:6379")}}, "depends Redis@cache:6379"},
		"the option's harmless value":    {"oauth2-proxy-ready", Container{Arguments: []Setting{arg("--session-store-type=cookie")}}, "local"},
		"a condition that is not met":    {"keycloak-ready", Container{Variables: []Setting{env("KC_DB", "postgres")}}, "undecided"},
		"a condition that is met":        {"keycloak-ready", Container{Variables: []Setting{env("KC_DB", "postgres"), env("KC_METRICS_ENABLED", "true")}}, "depends the SQL database"},
		"an embedded default":            {"zipkin-health", Container{}, "local"},
		"an embedded default, perhaps":   {"zipkin-health", Container{Open: true}, "undecided"},
		"an embedded kind, and a broker": {"keycloak-realm", Container{Variables: []Setting{env("DB_VENDOR", "h2")}}, "local"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, said(Database(tc.row, tc.container))); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFrameworksAskTheClientsThatTheyAreConfiguredWith(t *testing.T) {
	t.Parallel()
	jdbc := env("QUARKUS_DATASOURCE_JDBC_URL", "jdbc:postgresql://db:5432/x")
	for name, tc := range map[string]struct {
		container Container
		path      string
		want      string
	}{
		"no framework":                  {Container{}, "/health", "none"},
		"Quarkus, everything":           {Container{Variables: []Setting{jdbc}}, "/q/health", "depends PostgreSQL@db:5432"},
		"Quarkus, readiness":            {Container{Variables: []Setting{jdbc}}, "/q/health/ready", "depends PostgreSQL@db:5432"},
		"Quarkus, liveness":             {Container{Variables: []Setting{jdbc}}, "/q/health/live", "none"},
		"Quarkus, switched off":         {Container{Variables: []Setting{jdbc, env("QUARKUS_DATASOURCE_HEALTH_ENABLED", "false")}}, "/q/health", "undecided"},
		"Quarkus without clients":       {Container{Variables: []Setting{env("QUARKUS_HTTP_PORT", "1")}}, "/q/health", "undecided"},
		"Micronaut":                     {Container{Variables: []Setting{env("DATASOURCES_DEFAULT_URL", "jdbc:mysql://db/x")}}, "/health", "depends MySQL@db"},
		"Micronaut that forgives":       {Container{Variables: []Setting{env("DATASOURCES_DEFAULT_URL", "jdbc:mysql://db/x"), env("ENDPOINTS_HEALTH_STATUS_HTTP_MAPPING_DOWN", "200")}}, "/health", "local"},
		"Micronaut, liveness":           {Container{Variables: []Setting{env("MICRONAUT_SERVER_PORT", "1")}}, "/health/liveness", "none"},
		"Micronaut with its own tables": {Container{Variables: []Setting{env("DATASOURCES_DEFAULT_URL", "jdbc:h2:mem:x")}}, "/health", "undecided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, said(Framework(tc.container, tc.path))); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}
