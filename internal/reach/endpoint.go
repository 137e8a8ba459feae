package reach

import (
	"cmp"
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
	s, jdbc := strings.CutPrefix(strings.TrimSpace(s), "jdbc:")
	if strings.Count(s, "://") > 1 && !strings.Contains(s, "?") {
		return parseURLs(s, port)
	}
	switch {
	case strings.HasPrefix(s, "oracle:thin:"):
		return oracle(strings.TrimPrefix(s, "oracle:thin:"))
	case strings.Contains(s, "@tcp("):
		return hostList(firstOf(s[strings.LastIndex(s, "@tcp(")+len("@tcp("):], ")"), scheme, port)
	case strings.Contains(s, "://"):
		return parseURL(s, port, jdbc)
	case strings.Contains(s, "@unix("), strings.HasPrefix(s, "/"), strings.HasPrefix(s, "@"):
		return []endpoint{{scheme: "unix", local: true}}
	}
	for _, key := range [...]string{"hostaddr", "host"} {
		if conninfo(s, key) != "" {
			return conninfoList(s, key, scheme, port)
		}
	}
	authority, ok := authorityOf(members(s, scheme), true)
	if !ok {
		return []endpoint{{host: unknown, scheme: scheme}}
	}
	return hostList(authority, scheme, port)
}

// parseURLs reads a list of URLs.
func parseURLs(s, port string) []endpoint {
	var out []endpoint
	for item := range strings.SplitSeq(s, ",") {
		if strings.Contains(item, "://") {
			out = append(out, parseURL(strings.TrimSpace(item), port, false)...)
		} else {
			return []endpoint{{host: unknown}}
		}
	}
	return out
}

// oracle reads user/password@//host:port/service, @host:port:sid and @(DESCRIPTION=…(HOST=…)(PORT=…)).
func oracle(s string) []endpoint {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || strings.Count(s, "@") > 1 {
		return []endpoint{{host: unknown, scheme: "oracle", dependency: "Oracle Database"}}
	}
	s = strings.TrimPrefix(s[at+1:], "//")
	if strings.HasPrefix(s, "(") {
		s = between(s, "HOST=", ")") + ":" + cmp.Or(between(s, "PORT=", ")"), "1521")
	}
	out := hostList(firstOf(s, "/"), "oracle", "1521")
	for i := range out {
		out[i].dependency = "Oracle Database"
	}
	return out
}

func between(s, from, to string) string {
	_, rest, ok := strings.Cut(s, from)
	if !ok {
		return ""
	}
	return firstOf(rest, to)
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

// conninfo reads one key of a libpq "key=value key='other value'" string.
func conninfo(s, key string) string {
	for rest := strings.TrimSpace(s); rest != ""; {
		k, tail, ok := strings.Cut(rest, "=")
		if !ok {
			return ""
		}
		tail = strings.TrimLeft(tail, " ")
		end := strings.IndexByte(tail, ' ')
		if strings.HasPrefix(tail, "'") {
			end = 1 + closing(tail, 1, "'")
		}
		if end < 0 || end > len(tail) {
			end = len(tail)
		}
		if strings.TrimSpace(k) == key {
			return strings.Trim(tail[:end], "'")
		}
		rest = strings.TrimSpace(tail[end:])
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

func parseURL(s, port string, jdbc bool) []endpoint {
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
	authority, ok := authorityOf(rest, jdbc || base == "http" || base == "https")
	switch {
	case !ok:
		return []endpoint{{host: unknown, scheme: base, dependency: known.product}}
	case authority == "":
		return emptyAuthority(base, rest, port, known.product)
	}
	out := hostList(authority, base, port)
	for i := range out {
		out[i].dependency = known.product
	}
	return out
}

// authorityOf cuts host and port out of what follows "://". A password may hold "@", "/" or "?" unescaped: the host starts after the
// last "@". Where more than one reading is possible ok is false: a part of a password must not pass for a host. web says that
// an "@" may as well stand in the path or the query.
func authorityOf(rest string, web bool) (authority string, ok bool) {
	authority = beforeAny(rest, "/?#;")
	tail := rest[len(authority):]
	at := strings.LastIndexByte(authority, '@')
	if !strings.Contains(tail, "@") {
		return authority[at+1:], true
	}
	_, port, colon := strings.Cut(authority, ":")
	asked := strings.IndexAny(tail, "?;")
	inQuery := asked >= 0 && strings.IndexByte(tail, '@') > asked && strings.Contains(tail[asked:], "=")
	switch {
	case at >= 0:
		return "", false // u:p@ss/w@host, u:p@host/x?y=a@b
	case plainAuthority(authority, web, inQuery):
		return authority, true
	case colon && digits(port) || strings.Count(tail, "@") > 1:
		return "", false
	}
	return beforeAny(rest[strings.LastIndexByte(rest, '@')+1:], "/?#;"), true
}

// plainAuthority reports a host, host:port or list before a tail with an "@" that cannot be the end of a password.
func plainAuthority(authority string, web, inQuery bool) bool {
	_, port, colon := strings.Cut(authority, ":")
	if !colon {
		return web || inQuery
	}
	return digits(port) && inQuery || strings.Contains(authority, ",")
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
