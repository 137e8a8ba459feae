package reach

import (
	"cmp"
	"slices"
	"strings"
)

// connector is a call whose arguments name a server.
type connector struct {
	languages, name string
	product         string // the server's product where the call says so
	port            string // its default port
	// use lists the calls that connect, where the call itself only remembers the address.
	use string
	// quiet: a failure is a value that the program has to look at, not an exception.
	quiet bool
	// web: only a URL counts as an address.
	web bool
	// local: without an address it asks this machine.
	local bool
	// inert: it opens a file.
	inert bool
}

const (
	redisUse = ".ping .info .get .set .client .call .exists .keys .llen"
	httpUse  = ".request .get .get2 .head .start .request_get"
)

// connectors is the table of connecting calls: of the standard libraries and the usual clients.
//
//nolint:gochecknoglobals // an immutable table; the linker lays it out, nothing runs at start-up
var connectors = [...]connector{
	{languages: "python", name: "create_connection"},
	{languages: "python", name: ".connect_ex", quiet: true},
	{languages: "python", name: "psycopg2.connect", product: "PostgreSQL", port: "5432"},
	{languages: "python", name: "psycopg.connect", product: "PostgreSQL", port: "5432"},
	{languages: "python", name: "asyncpg.connect", product: "PostgreSQL", port: "5432"},
	{languages: "python", name: "pymysql.connect", product: "MySQL", port: "3306"},
	{languages: "python", name: "MySQLdb.connect", product: "MySQL", port: "3306"},
	{languages: "python", name: "mysql.connector.connect", product: "MySQL", port: "3306"},
	{languages: "python", name: "sqlite3.connect", inert: true},
	{languages: "python", name: ".connect"},
	{languages: "python", name: "create_engine", use: ".connect .execute .begin"},
	{languages: "python", name: "open_connection"},
	{languages: "python", name: "urlopen", web: true},
	{languages: "python", name: ".get", web: true},
	{languages: "python", name: ".head", web: true},
	{languages: "python", name: ".post", web: true},
	{languages: "python", name: ".request", web: true},
	{languages: "python", name: "HTTPConnection", port: "80", use: httpUse + " .connect"},
	{languages: "python", name: "HTTPSConnection", port: "443", use: httpUse + " .connect"},
	{languages: "python", name: "Redis", product: "Redis", port: "6379", use: redisUse, local: true},
	{languages: "python", name: "StrictRedis", product: "Redis", port: "6379", use: redisUse, local: true},
	{languages: "python", name: "from_url", port: "6379", use: redisUse},
	{languages: "python", name: "MongoClient", product: "MongoDB", port: "27017", use: ".server_info .command .ping .list_database_names", local: true},
	{languages: "python", name: "KafkaConsumer", product: "Kafka", port: "9092"},
	{languages: "python", name: "KafkaProducer", product: "Kafka", port: "9092"},
	{languages: "python", name: "KafkaAdminClient", product: "Kafka", port: "9092"},
	{languages: "python", name: "BlockingConnection", product: "RabbitMQ", port: "5672"},
	{languages: "python", name: "SMTP", port: "25"},
	{languages: "python", name: "FTP", port: "21"},
	{languages: "python", name: "Telnet", port: "23"},

	{languages: "node", name: ".connect", local: true},
	{languages: "node", name: ".createConnection", local: true},
	{languages: "node", name: "http.get", port: "80", local: true},
	{languages: "node", name: "https.get", port: "443", local: true},
	{languages: "node", name: "http.request", port: "80", local: true},
	{languages: "node", name: "https.request", port: "443", local: true},
	{languages: "node", name: ".get", web: true},
	{languages: "node", name: ".request", web: true},
	{languages: "node", name: "fetch", web: true},
	{languages: "node", name: "axios", web: true},
	{languages: "node", name: "got", web: true},
	{languages: "node", name: "createClient", port: "6379", use: ".connect .ping"},

	{languages: "ruby", name: "TCPSocket.new"},
	{languages: "ruby", name: "TCPSocket.open"},
	{languages: "ruby", name: "Socket.tcp"},
	{languages: "ruby", name: "Net::HTTP.get", port: "80"},
	{languages: "ruby", name: "Net::HTTP.get_response", port: "80"},
	{languages: "ruby", name: "Net::HTTP.start", port: "80"},
	{languages: "ruby", name: "Net::HTTP.new", port: "80", use: httpUse},
	{languages: "ruby", name: "URI.open", web: true},
	{languages: "ruby", name: "open", web: true},
	{languages: "ruby", name: "PG.connect", product: "PostgreSQL", port: "5432"},
	{languages: "ruby", name: "PG::Connection.new", product: "PostgreSQL", port: "5432"},
	{languages: "ruby", name: "Mysql2::Client.new", product: "MySQL", port: "3306"},
	{languages: "ruby", name: "Redis.new", product: "Redis", port: "6379", use: redisUse, local: true},

	{languages: "php", name: "fsockopen", quiet: true},
	{languages: "php", name: "pfsockopen", quiet: true},
	{languages: "php", name: "stream_socket_client", quiet: true},
	{languages: "php", name: "file_get_contents", quiet: true, web: true},
	{languages: "php", name: "get_headers", quiet: true, web: true},
	{languages: "php", name: "curl_init", quiet: true, web: true},
	{languages: "php", name: "pg_connect", product: "PostgreSQL", port: "5432", quiet: true},
	{languages: "php", name: "mysqli_connect", product: "MySQL", port: "3306", quiet: true},
	{languages: "php", name: "mysqli", product: "MySQL", port: "3306", quiet: true},
	{languages: "php", name: "PDO"},
	{languages: "php", name: "->connect"},

	{languages: "perl", name: "INET->new", quiet: true},
	{languages: "perl", name: "IP->new", quiet: true},
	{languages: "perl", name: "SSL->new", quiet: true},
	{languages: "perl", name: "DBI->connect", quiet: true},
	{languages: "perl", name: "->get", quiet: true, web: true},
	{languages: "perl", name: "->head", quiet: true, web: true},
	{languages: "perl", name: "get", quiet: true, web: true},
}

// connection is one connecting call of a program.
type connection struct {
	*connector
	at   int // offset of the call, or of the later one that connects
	from int // offset of the address
	ends []endpoint
}

// connections lists what the program connects to, in the order of the text. sure is false when a connecting call has an
// address that cannot be evaluated.
func (c *code) connections() (list []connection, sure bool) {
	sure = true
	taken := map[int]bool{}
	for i := range connectors {
		row := &connectors[i]
		if row.languages != c.language {
			continue
		}
		for _, at := range c.uses(row.name) {
			args, ok := c.call(at + len(row.name))
			if !ok || taken[args.from] || c.defines(at) {
				continue
			}
			if row.inert || row.web && !c.network(at) { // x.get(…) of something else
				taken[args.from] = row.inert
				continue
			}
			taken[args.from] = true
			k, known := c.connects(row, at, args)
			sure = sure && known
			if list = append(list, k...); len(list) >= maxConnections {
				return list, false
			}
		}
	}
	slices.SortStableFunc(list, func(a, b connection) int { return a.from - b.from })
	return list, sure
}

// connects reads one connecting call: nothing where it never connects; known is false when its address cannot be evaluated.
func (c *code) connects(row *connector, at int, args expression) (list []connection, known bool) {
	where, reached := c.using(row, args)
	if !reached {
		return nil, true
	}
	ends, known := c.addresses(row, args)
	if !known {
		return nil, false
	}
	return []connection{{connector: row, at: cmp.Or(where, at), from: at, ends: ends}}, true
}

// call finds the arguments of a call whose name ends at offset i; Ruby may leave out the brackets.
func (c *code) call(i int) (expression, bool) {
	switch {
	case i < len(c.bare) && c.bare[i] == '(':
		return expression{i + 1, c.callEnd(i + 1)}, true
	case i+1 < len(c.bare) && c.bare[i] == ' ' && c.language == "ruby" && (c.quote(i+1) != "" || wordByte(c.bare[i+1])):
		end := i + strings.IndexAny(c.bare[i:]+"\n", "\n;")
		return c.trimmed(expression{i + 1, end}), true
	}
	return expression{}, false
}

// defines reports a name that stands in its own definition.
func (c *code) defines(at int) bool {
	before := strings.TrimRight(c.bare[:at], " ")
	return strings.HasSuffix(before, "def") || strings.HasSuffix(before, "function")
}

// network reports that the receiver of the call at an offset is an HTTP client.
func (c *code) network(at int) bool {
	end := at
	for at > 0 && wordByte(c.bare[at-1]) {
		at--
	}
	receiver := c.bare[at:end]
	if e, ok := c.assigned(receiver); ok && receiver != "" {
		receiver = c.bare[e.from:e.to]
	}
	for _, word := range [...]string{"requests", "httpx", "axios", "got", "ession", "http", "HTTP", "lient", "UserAgent"} {
		if strings.Contains(receiver, word) {
			return true
		}
	}
	if at > 0 && strings.IndexByte(")]>", c.bare[at-1]) >= 0 {
		return true // a call made on the value of another call
	}
	at = end
	return inList("urlopen fetch axios got file_get_contents curl_init get_headers URI.open", c.word(at))
}

// using finds the first call behind args that makes the connection, where the call itself makes none.
func (c *code) using(row *connector, args expression) (int, bool) {
	if row.use == "" {
		return 0, true
	}
	best := -1
	for use := range strings.FieldsSeq(row.use) {
		for _, at := range c.uses(use) {
			if at >= args.to && (best < 0 || at < best) {
				best = at
			}
		}
	}
	return best, best >= 0
}

// addresses evaluates the arguments of a connecting call.
func (c *code) addresses(row *connector, args expression) ([]endpoint, bool) {
	positional, named := c.arguments(args)
	ends, ok := c.namedAddress(row, positional, named)
	if !ok {
		return nil, false
	}
	if row.product != "" {
		for i := range ends {
			ends[i].dependency = cmp.Or(ends[i].dependency, row.product)
		}
	}
	for _, e := range ends {
		if !e.local && (tainted(e.host) || !plausibleName(strings.ToLower(e.host)) && !strings.Contains(e.host, ":")) {
			return nil, false
		}
	}
	return ends, len(ends) > 0
}

func (c *code) namedAddress(row *connector, positional []expression, named map[string]expression) ([]endpoint, bool) {
	port := row.port
	for _, key := range [...]string{"port", "peerport"} {
		if e, ok := named[key]; ok {
			port, _ = c.value(e, 0)
		}
	}
	for _, key := range [...]string{"url", "uri", "dsn", "connectionstring", "conninfo", "bootstrap_servers", "server", "servers"} {
		if e, ok := named[key]; ok {
			return c.parsed(row, e, port)
		}
	}
	for _, key := range [...]string{"host", "hostname", "hostaddr", "peeraddr", "peerhost", "address"} {
		if e, ok := named[key]; ok {
			return c.parsed(row, e, port)
		}
	}
	ends, ok := c.firstAddress(row, positional, port)
	if !ok && row.local && len(ends) == 0 && c.onlyPorts(positional) && !row.web {
		return []endpoint{{port: port, scheme: "tcp", local: true}}, true
	}
	return ends, ok
}

// onlyPorts reports arguments without any address: numbers and functions.
func (c *code) onlyPorts(positional []expression) bool {
	return !slices.ContainsFunc(positional, func(e expression) bool {
		text := c.text[e.from:e.to]
		return !digits(text) && !strings.Contains(text, "=>") && !strings.HasPrefix(text, "function")
	})
}

// firstAddress finds the address among the positional arguments: host, port; port, host; or a URL.
func (c *code) firstAddress(row *connector, positional []expression, port string) ([]endpoint, bool) {
	for i, e := range positional {
		v, ok := c.value(e, 0)
		switch {
		case !ok && i == 0 && !strings.Contains(c.bare[e.from:e.to], "=>"):
			return nil, false
		case !ok, row.web && !strings.Contains(v, "://"): // a function; a method, a path or a key
		case digits(v):
			port = v
		default:
			port = c.portBehind(positional[i+1:], port)
			if port == "" && !address(v) && !strings.Contains(v, "=") { // x.connect("event", …)
				return nil, false
			}
			return c.parsed(row, e, port)
		}
	}
	return nil, false
}

// portBehind is the number that follows a host.
func (c *code) portBehind(rest []expression, port string) string {
	if len(rest) > 0 {
		if next, ok := c.value(rest[0], 0); ok && digits(next) {
			return next
		}
	}
	return port
}

// parsed reads a URL, a DSN, a list or a plain host.
func (c *code) parsed(row *connector, e expression, port string) ([]endpoint, bool) {
	v, ok := c.value(e, 0)
	if !ok || v == "" {
		return nil, false
	}
	if _, rest, dsn := strings.Cut(v, ":"); dsn && !strings.Contains(v, "://") && strings.Contains(rest, "host=") { // dbi:Pg:host=…, pgsql:host=…
		v = strings.ReplaceAll(v[strings.LastIndex(v, ":")+1:], ";", " ")
	}
	scheme := "tcp"
	if row.web {
		scheme = ""
	}
	if strings.ContainsAny(v, "{}<>\\") || !address(v) && strings.ContainsAny(v, " =/;") {
		return nil, false
	}
	return parseAddresses(v, scheme, port), true
}
