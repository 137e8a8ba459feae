package reach

import (
	"net"
	"strings"
)

// endpoint is a server as a command line, a URL or a DSN names it.
type endpoint struct {
	host, port, scheme string
	dependency         string
	local              bool // a socket or loopback by the tool's own default
	nature             bool // outside the pod by the nature of the tool; no address is known
	// group names the servers of one list, among which the client fails over: an outage is one of all of them.
	group string
}

// service is what a URL scheme says about its server.
type service struct{ schemes, port, product string }

// services is the table of URL schemes.
//
//nolint:gochecknoglobals // an immutable table; the linker lays it out, nothing runs at start-up
var services = [...]service{
	{"postgres postgresql psql pgsql", "5432", "PostgreSQL"},
	{"mysql mysqlx mariadb", "3306", "MySQL"},
	{"redis rediss valkey valkeys", "6379", "Redis"},
	{"mongodb mongodb+srv", "27017", "MongoDB"},
	{"amqp amqps pyamqp", "5672", "RabbitMQ"},
	{"kafka", "9092", "Kafka"},
	{"http ws", "80", ""},
	{"https wss", "443", ""},
	{"ldap", "389", "LDAP"},
	{"ldaps", "636", "LDAP"},
	{"sqlserver mssql", "1433", "SQL Server"},
	{"oracle", "1521", "Oracle Database"},
	{"cassandra", "9042", "Cassandra"},
	{"clickhouse", "9000", "ClickHouse"},
	{"nats", "4222", "NATS"},
	{"neo4j neo4j+s bolt bolt+s", "7687", "Neo4j"},
	{"ftp", "21", ""},
	{"smtp", "25", ""},
	{"memcache memcached", "11211", "Memcached"},
	{"zookeeper", "2181", "ZooKeeper"},
	{"sqs", "", "Amazon SQS"},
	{"s3", "", "Amazon S3"},
	{"gs", "", "Google Cloud Storage"},
	{"tcp udp grpc dns tls", "", ""},
}

func serviceOf(scheme string) service {
	base, _, _ := strings.Cut(scheme, "+")
	for _, s := range &services {
		if inList(s.schemes, scheme) || inList(s.schemes, base) {
			return s
		}
	}
	return service{}
}

// address reports strings that name a server rather than a database.
func address(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "jdbc:") || conninfo(s, "host") != "" || conninfo(s, "hostaddr") != "" ||
		strings.Contains(s, "@tcp(") || strings.Contains(s, "@unix(") || hostPort(s)
}

func hostPort(s string) bool {
	first, _, _ := strings.Cut(s, "/")
	host, port, err := net.SplitHostPort(first)
	return err == nil && host != "" && digits(port)
}

func digits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// parseAddresses reads a URL, a JDBC URL, a go-sql DSN, a libpq conninfo, host:port, or a comma list of these.
// What is not written takes the given scheme and port.
func parseAddresses(s, scheme, port string) []endpoint {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "jdbc:")
	switch {
	case strings.HasPrefix(s, "oracle:thin:@"):
		s = strings.TrimPrefix(strings.TrimPrefix(s, "oracle:thin:@"), "//")
		return hostList(firstOf(s, "/"), "oracle", "1521")
	case strings.Contains(s, "@tcp("):
		_, rest, _ := strings.Cut(s, "@tcp(")
		return hostList(firstOf(rest, ")"), scheme, port)
	case strings.Contains(s, "://"):
		return parseURL(s, port)
	case strings.Contains(s, "@unix("), strings.HasPrefix(s, "/"), strings.HasPrefix(s, "@"):
		return []endpoint{{scheme: "unix", local: true}}
	}
	for _, key := range [...]string{"hostaddr", "host"} {
		if conninfo(s, key) != "" {
			return conninfoList(s, key, scheme, port)
		}
	}
	return hostList(firstOf(members(s, scheme), "/"), scheme, port)
}

// members drops the name of a MongoDB replica set before its members: rs0/host:port,host:port.
func members(s, scheme string) string {
	if set, hosts, ok := strings.Cut(s, "/"); ok && scheme == "mongodb" && hosts != "" && !strings.ContainsAny(set, ":.") {
		return hosts
	}
	return s
}

func firstOf(s, sep string) string {
	first, _, _ := strings.Cut(s, sep)
	return first
}

// conninfo reads one key of a libpq "key=value key=value" string.
func conninfo(s, key string) string {
	for field := range strings.FieldsSeq(s) {
		if k, v, ok := strings.Cut(field, "="); ok && k == key {
			return strings.Trim(v, "'")
		}
	}
	return ""
}

func conninfoList(s, key, scheme, port string) []endpoint {
	if p := conninfo(s, "port"); p != "" {
		port = p
	}
	host := conninfo(s, key)
	if strings.HasPrefix(host, "/") {
		return []endpoint{{scheme: "unix", local: true}}
	}
	return hostList(host, scheme, port)
}

func parseURL(s, port string) []endpoint {
	scheme, rest, _ := strings.Cut(s, "://")
	scheme = strings.ToLower(strings.TrimPrefix(scheme, "sqla+"))
	if i := strings.LastIndexByte(scheme, ':'); i >= 0 { // mysql:loadbalance
		scheme = firstOf(scheme, ":")
	}
	base := firstOf(scheme, "+")
	switch base {
	case "sqlite", "sqlite3", "file", "unix", "memory", "ipc", "npipe":
		return []endpoint{{scheme: base, local: true}}
	}
	if strings.HasSuffix(scheme, "+socket") || strings.HasSuffix(scheme, "+unix") {
		return []endpoint{{scheme: base, local: true}}
	}
	known := serviceOf(scheme)
	if known.port != "" {
		port = known.port
	}
	authority := authorityOf(rest, base == "http" || base == "https")
	if authority == "" {
		return emptyAuthority(base, rest, port, known.product)
	}
	out := hostList(authority, base, port)
	for i := range out {
		out[i].dependency = known.product
	}
	return out
}

// authorityOf cuts host and port out of what follows "://". The password of a DSN may hold a slash or a question mark:
// then the host starts after the last "@".
func authorityOf(rest string, web bool) string {
	authority := beforeAny(rest, "/?#;")
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		return authority[i+1:]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 && !web {
		return beforeAny(rest[i+1:], "/?#;")
	}
	return authority
}

func beforeAny(s, chars string) string {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i]
	}
	return s
}

// emptyAuthority is a URL without a host: libpq takes it from ?host= or uses the local socket.
func emptyAuthority(scheme, rest, port, product string) []endpoint {
	_, query, _ := strings.Cut(rest, "?")
	for pair := range strings.SplitSeq(query, "&") {
		k, v, _ := strings.Cut(pair, "=")
		if k == "host" && v != "" && !strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "%2F") && !strings.HasPrefix(v, "%2f") {
			out := hostList(v, scheme, port)
			for i := range out {
				out[i].dependency = product
			}
			return out
		}
	}
	if product == "Amazon SQS" || product == "Amazon S3" {
		return []endpoint{{scheme: scheme, dependency: product, nature: true}}
	}
	return []endpoint{{scheme: scheme, dependency: product, local: true}}
}

func hostList(s, scheme, port string) []endpoint {
	var out []endpoint
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		host, p := splitHostPort(item, port)
		out = append(out, endpoint{host: host, port: p, scheme: scheme})
	}
	return out
}

func splitHostPort(s, port string) (string, string) {
	if strings.HasPrefix(s, "[") {
		host, rest, ok := strings.Cut(s[1:], "]")
		if ok {
			if p, ok := strings.CutPrefix(rest, ":"); ok && p != "" {
				port = p
			}
			return host, port
		}
	}
	if strings.Count(s, ":") == 1 {
		host, p, _ := strings.Cut(s, ":")
		if p != "" {
			port = p
		}
		return host, port
	}
	if strings.Count(s, ":") > 1 && !strings.Contains(s, "::") && !tainted(s) { // host:port:sid
		parts := strings.Split(s, ":")
		if digits(parts[1]) && !digits(parts[0]) {
			return parts[0], parts[1]
		}
	}
	return s, port
}
