package reach

import (
	"slices"
	"strings"
)

func localSocket() []endpoint { return []endpoint{{scheme: "unix", local: true}} }

// readCurl applies --connect-to and --resolve, which replace the address behind a name.
func readCurl(_ *world, _ *process, c *invocation) []endpoint {
	if c.has("unix-socket abstract-unix-socket") {
		return localSocket()
	}
	if proxy, ok := c.flag("x proxy socks4 socks4a socks5 socks5-hostname preproxy"); ok && proxy != "" && !c.has("noproxy") {
		return parseAddresses(proxy, "http", "1080")
	}
	var out []endpoint
	for _, u := range slices.Concat(c.flags["url"], c.args) {
		for _, e := range parseAddresses(u, "http", "80") {
			for _, r := range c.flags["resolve"] {
				parts := strings.SplitN(strings.TrimPrefix(r, "+"), ":", 3)
				if len(parts) == 3 && inList(e.host+" *", parts[0]) && parts[1] == e.port {
					e.host = firstOf(parts[2], ",")
				}
			}
			out = append(out, connectTo(e, c.flags["connect-to"]))
		}
	}
	return out
}

// connectTo applies curl's --connect-to HOST1:PORT1:HOST2:PORT2; an empty part matches, or keeps, anything.
func connectTo(e endpoint, rules []string) endpoint {
	for _, r := range rules {
		parts := strings.SplitN(r, ":", 4)
		if len(parts) < 3 || parts[2] == "" || parts[0] != "" && parts[0] != e.host || parts[1] != "" && parts[1] != e.port {
			continue
		}
		e.host = parts[2]
	}
	return e
}

func readNetcat(_ *world, _ *process, c *invocation) []endpoint {
	if c.has("U unixsock") {
		return localSocket()
	}
	return nil
}

func readNmap(_ *world, _ *process, c *invocation) []endpoint {
	if v, ok := c.flag("p"); ok && len(c.args) > 0 {
		return hostList(c.args[0], "tcp", v)
	}
	return nil
}

func readOpenSSL(_ *world, _ *process, c *invocation) []endpoint {
	if len(c.args) > 0 && !inList("s_client s_time", c.args[0]) {
		return []endpoint{}
	}
	if len(c.args) > 1 && !c.has("connect host") {
		return parseAddresses(c.args[1], "tls", "4433")
	}
	return nil
}

// readDjango knows that check asks a database only when one is named.
func readDjango(_ *world, _ *process, c *invocation) []endpoint {
	if c.has("database") && len(c.args) > 0 && c.args[0] == "check" {
		return []endpoint{{scheme: "postgresql", dependency: "the database", nature: true}}
	}
	return nil
}

// readResolver is a DNS look-up: the server given with @, else the cluster's DNS. Names in /etc/hosts need none.
func readResolver(w *world, _ *process, c *invocation) []endpoint {
	for _, a := range c.args {
		if server, ok := strings.CutPrefix(a, "@"); ok {
			return []endpoint{{host: server, port: "53", scheme: "dns", dependency: "DNS"}}
		}
	}
	return w.lookUp(c.args)
}

// readResolverArgs is readResolver for tools that take the server as their second argument.
func readResolverArgs(w *world, p *process, c *invocation) []endpoint {
	if len(c.args) > 1 {
		return []endpoint{{host: c.args[1], port: "53", scheme: "dns", dependency: "DNS"}}
	}
	return readResolver(w, p, c)
}

// readGetent is readResolver for getent: only the host databases ask DNS.
func readGetent(w *world, _ *process, c *invocation) []endpoint {
	if len(c.args) == 0 || !inList("hosts ahosts ahostsv4 ahostsv6", c.args[0]) {
		return []endpoint{}
	}
	return w.lookUp(c.args[1:])
}

func (w *world) lookUp(names []string) []endpoint {
	if len(names) > 0 && w.pod.locate(names[0]).place == Self {
		return []endpoint{}
	}
	return []endpoint{{scheme: "dns", dependency: "DNS", nature: true}}
}

// readErlangNode reads -n rabbit@host.
func readErlangNode(_ *world, p *process, c *invocation) []endpoint {
	node, ok := c.flag("n node")
	if !ok {
		node, ok = p.getenv("RABBITMQ_NODENAME")
	}
	_, host, at := strings.Cut(node, "@")
	if !ok || !at {
		return []endpoint{{scheme: "erlang", dependency: "RabbitMQ", local: true}}
	}
	return []endpoint{{host: host, scheme: "erlang", dependency: "RabbitMQ"}}
}

// readSQLServer reads -S [tcp:]host[\instance][,port].
func readSQLServer(_ *world, _ *process, c *invocation) []endpoint {
	v, ok := c.flag("S")
	if !ok {
		return nil
	}
	v = strings.TrimPrefix(v, "tcp:")
	host, port, withPort := strings.Cut(v, ",")
	if !withPort {
		port = "1433"
	}
	host = firstOf(host, "\\")
	if host == "." || host == "(local)" || strings.HasPrefix(v, "np:") || strings.HasPrefix(v, "lpc:") {
		return []endpoint{{scheme: "sqlserver", dependency: "SQL Server", local: true}}
	}
	return []endpoint{{host: host, port: port, scheme: "sqlserver", dependency: "SQL Server"}}
}

func readSocat(_ *world, _ *process, c *invocation) []endpoint {
	var out []endpoint
	for _, a := range c.args {
		kind, rest, ok := strings.Cut(a, ":")
		switch strings.ToUpper(kind) {
		case "TCP", "TCP4", "TCP6", "TCP-CONNECT", "OPENSSL", "UDP":
			if ok {
				out = append(out, hostList(firstOf(rest, ","), "tcp", "")...)
			}
		case "UNIX-CONNECT", "UNIX", "GOPEN":
			out = append(out, endpoint{scheme: "unix", local: true})
		}
	}
	return out
}

// readMinio reads the alias that an argument begins with: MC_HOST_<alias> gives its URL; "local" is the client's own default for this host.
func readMinio(_ *world, p *process, c *invocation) []endpoint {
	for _, a := range c.args[min(1, len(c.args)):] {
		alias := firstOf(a, "/")
		if v, ok := p.getenv("MC_HOST_" + alias); ok {
			return parseAddresses(v, "https", "9000")
		}
		if alias == "local" {
			return []endpoint{{host: "localhost", port: "9000", scheme: "http", dependency: "object storage"}}
		}
	}
	return nil
}

// readOracle reads user/password@//host:port/service; without an address SQL*Plus asks the local instance.
func readOracle(_ *world, _ *process, c *invocation) []endpoint {
	for _, a := range c.args {
		if strings.Contains(a, "@") && !strings.HasPrefix(a, "@") {
			return oracle(a)
		}
	}
	return nil
}

// readClickHouse knows that the one binary is many programs.
func readClickHouse(_ *world, _ *process, c *invocation) []endpoint {
	if len(c.args) > 0 && inList("local server keeper format benchmark compressor extract-from-config obfuscator", c.args[0]) {
		return []endpoint{}
	}
	return nil
}
