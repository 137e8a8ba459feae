package appconfig

import (
	"slices"
	"strings"
)

// A switch is an environment variable or option that gives a product a server which its health endpoint asks.
type databaseSwitch struct {
	row string // id of the endpoint's row
	// kinds are the settings that name the kind of the server; local are the values that keep it inside the pod.
	kinds, local string
	// addresses are the settings that name the server, strongest first.
	addresses string
	product   string
	// always: the endpoint asks the server wherever it is; what is not set only leaves its address unknown.
	always bool
	// embedded: what is not set is kept inside the container.
	embedded bool
	// needs is a setting that must be "true" for the endpoint to ask at all.
	needs string
}

func databaseSwitches() []databaseSwitch {
	return []databaseSwitch{
		{row: "metabase-health", kinds: "MB_DB_TYPE", local: "h2", addresses: "MB_DB_CONNECTION_URI MB_DB_HOST", product: "the application database"},
		{row: "vaultwarden-alive", addresses: "DATABASE_URL", product: "the SQL database"},
		{row: "hasura-healthz", addresses: "HASURA_GRAPHQL_METADATA_DATABASE_URL HASURA_GRAPHQL_DATABASE_URL", product: "the metadata database"},
		{
			row: "oauth2-proxy-ready", kinds: "OAUTH2_PROXY_SESSION_STORE_TYPE --session-store-type", local: "cookie",
			addresses: "OAUTH2_PROXY_REDIS_CONNECTION_URL --redis-connection-url", product: "Redis",
		},
		{
			row: "keycloak-ready", kinds: "KC_DB --db", local: "dev-file dev-mem", addresses: "KC_DB_URL KC_DB_URL_HOST --db-url --db-url-host",
			product: "the SQL database", needs: "KC_METRICS_ENABLED --metrics-enabled",
		},
		{
			row: "openfga-healthz", kinds: "OPENFGA_DATASTORE_ENGINE --datastore-engine", local: "memory sqlite",
			addresses: "OPENFGA_DATASTORE_URI --datastore-uri", product: "the SQL database",
		},
		{
			row: "openfga-grpc", kinds: "OPENFGA_DATASTORE_ENGINE --datastore-engine", local: "memory sqlite",
			addresses: "OPENFGA_DATASTORE_URI --datastore-uri", product: "the SQL database",
		},
		{
			row: "keycloak-realm", kinds: "KC_DB --db DB_VENDOR", local: "dev-file dev-mem h2",
			addresses: "KC_DB_URL KC_DB_URL_HOST --db-url --db-url-host DB_ADDR", product: "the SQL database", embedded: true,
		},
		{
			row: "zipkin-health", kinds: "STORAGE_TYPE", local: "mem",
			addresses: "KAFKA_BOOTSTRAP_SERVERS RABBIT_ADDRESSES RABBIT_URI ES_HOSTS MYSQL_HOST MYSQL_JDBC_URL CASSANDRA_CONTACT_POINTS",
			product:   "the storage", embedded: true,
		},
		{row: "sonarqube-liveness", addresses: "SONAR_JDBC_URL SONARQUBE_JDBC_URL", product: "the SQL database", embedded: true},
		{row: "appsmith-health", addresses: "APPSMITH_DB_URL APPSMITH_MONGODB_URI APPSMITH_REDIS_URL", product: "the database", embedded: true},
		{row: "open-webui-health-db", addresses: "DATABASE_URL", product: "the SQL database", embedded: true},
		{row: "prefect-ready", addresses: "PREFECT_SERVER_DATABASE_CONNECTION_URL PREFECT_API_DATABASE_CONNECTION_URL", product: "the SQL database", embedded: true},
		{row: "n8n-healthz-readiness", kinds: "DB_TYPE", local: "sqlite", addresses: "DB_POSTGRESDB_HOST DB_MYSQLDB_HOST", product: "the SQL database", embedded: true},
		{row: "ory-ready", addresses: "DSN", product: "the SQL database"},
		{row: "gitea-healthz", kinds: "GITEA__database__DB_TYPE", local: "sqlite3", addresses: "GITEA__database__HOST", product: "the SQL database", always: true},
	}
}

// Database says whether the settings of a product give its health endpoint a server outside the pod. ok is false when no settings
// are known for the row.
func Database(row string, c Container) (answer Answer, ok bool) {
	all := databaseSwitches()
	i := slices.IndexFunc(all, func(s databaseSwitch) bool { return s.row == row })
	if i < 0 {
		return Answer{}, false
	}
	return all[i].answer(c), true
}

func (d databaseSwitch) answer(c Container) Answer {
	if need, ok := c.first(d.needs); d.needs != "" && (!ok || need.Value != "true") {
		return Answer{}
	}
	kind, hasKind := c.first(d.kinds)
	address, hasAddress := c.first(d.addresses)
	if !hasKind && !hasAddress {
		if d.embedded && !c.Open {
			return Answer{Verdict: Local}
		}
		return Answer{}
	}
	answer := d.named(kind, hasKind, address, hasAddress)
	if hasKind {
		answer.Steps = append(answer.Steps, kind.whole(kind.is()))
	}
	if hasAddress {
		answer.Steps = append(answer.Steps, address.whole(address.is()))
	}
	return answer
}

// named answers for settings of which at least one is there.
func (d databaseSwitch) named(kind Setting, hasKind bool, address Setting, hasAddress bool) Answer {
	if hasKind && kind.Known && slices.Contains(strings.Fields(d.local), strings.ToLower(kind.Value)) {
		if d.always { // the kind says where the data are, not that nothing else is asked
			return Answer{}
		}
		return Answer{Verdict: Local}
	}
	switch {
	case hasAddress && address.Known:
		found, remote := server(address.Value, d.product)
		if !remote || strings.HasPrefix(address.Value, "/") || strings.HasPrefix(address.Value, "data/") {
			return Answer{Verdict: Local}
		}
		return Answer{Verdict: Depends, Servers: []Server{found}}
	case hasAddress, kind.Known && d.local != "":
		// An address that is kept elsewhere is none of a file beside the process.
		return Answer{Verdict: Depends, Servers: []Server{{Product: d.product}}}
	}
	return Answer{}
}

// first finds the first of several variables and options that is set.
func (c *Container) first(names string) (Setting, bool) {
	for name := range strings.FieldsSeq(names) {
		if option, ok := strings.CutPrefix(name, "--"); ok {
			if v, ok := c.option(option); ok {
				return v, true
			}
			continue
		}
		if v, ok := c.variable(name); ok {
			return v, true
		}
	}
	return Setting{}, false
}
