package reach

import (
	"path"
	"slices"
	"strings"
)

// execProgram answers a program by the tables: the virtual system programs, the clients, the interpreters. Anything else
// is unknown: it is expected to succeed and its answer is not known.
func (w *world) execProgram(p *process, program string, argv []string, site int) (int, error) {
	if status, ok := w.refused(p, program, argv, site); ok {
		return status, nil
	}
	if status, ok, err := w.system(p, program, argv, site); ok {
		w.note(program)
		return status, err
	}
	if program == "sentry" && len(argv) > 3 && argv[1] == "exec" {
		w.note(program)
		return w.snippet(p, "python", argv[len(argv)-1], site), nil
	}
	if interpreter(program) {
		return w.interpreted(p, program, argv, site)
	}
	w.note(program)
	if row := clientNamed(program); row != nil {
		return w.client(p, program, row, argv, site)
	}
	if strings.Contains(argv[0], "/") || strings.HasSuffix(program, ".sh") || strings.HasSuffix(program, ".py") {
		w.hide(opaqueFile(argv[0]))
	} else {
		w.hide("what " + plain(program) + " does is not known")
	}
	if _, state := w.fs.open(w.absolute(p, argv[0])); state == missing && strings.Contains(argv[0], "/") {
		return 127, nil
	}
	status := w.status(site)
	if status == 0 {
		p.print(answer + "\n")
	}
	return status, nil
}

func opaqueFile(name string) string {
	if strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".py") {
		return "the script " + plain(name) + " is inside the image"
	}
	return "the program " + plain(name) + " is inside the image"
}

// client answers a row of the clients table: every server that it names must be up.
func (w *world) client(p *process, program string, row *tool, argv []string, site int) (int, error) {
	call := row.parse(argv[1:])
	ends := w.special(p, program, call)
	if ends == nil {
		ends = call.endpoints(p.getenv)
	}
	if len(ends) == 0 {
		if call.blurred {
			w.connect(program, endpoint{host: unknown, scheme: row.scheme}, site)
		}
		status := w.status(site)
		if status == 0 {
			p.print(answer + "\n")
		}
		return status, nil
	}
	failover := row.args != argsURL && row.args != argsHost && !call.demandsAll()
	if failover && len(ends) > 1 {
		w.group(ends)
	}
	alive := 0
	for _, e := range ends {
		if w.connect(program, e, site) {
			alive++
		}
	}
	// Drivers with several servers fail over; programs that are given several URLs report the last failure.
	up := alive == len(ends) || alive > 0 && failover
	out := w.healthy(p, program, call, up)
	p.print(out)
	if !up {
		return row.down, nil
	}
	return 0, nil
}

// group marks the remote ones of a list of servers as one: they are replicas of each other.
func (w *world) group(ends []endpoint) {
	var names []string
	for _, e := range ends {
		names = append(names, e.host+":"+e.port)
	}
	for i, e := range ends {
		if !e.local && !e.nature && w.pod.locate(e.host).place != Self {
			ends[i].group = "list|" + strings.Join(names, ",")
		}
	}
}

// special reads command lines that the grammar cannot: nil means that the grammar is right.
func (w *world) special(p *process, program string, c *invocation) []endpoint {
	switch program {
	case "curl":
		if c.has("unix-socket abstract-unix-socket") {
			return []endpoint{{scheme: "unix", local: true}}
		}
		return curlTargets(c)
	case "nc", "ncat", "netcat", "nc.openbsd", "nc.traditional":
		if c.has("U unixsock") {
			return []endpoint{{scheme: "unix", local: true}}
		}
	case "nmap":
		if v, ok := c.flag("p"); ok && len(c.args) > 0 {
			return hostList(c.args[0], "tcp", v)
		}
	case "openssl":
		if len(c.args) > 0 && c.args[0] != "s_client" {
			return []endpoint{}
		}
	case "dig", "drill", "nslookup", "host", "getent":
		return w.resolver(program, c)
	case "rabbitmqctl", "rabbitmq-diagnostics", "rabbitmq-queues", "rabbitmq-upgrade", "rabbitmq-plugins":
		return erlangNode(p, c)
	case "sqlcmd":
		if v, ok := c.flag("S"); ok {
			return sqlServer(v)
		}
	case "socat":
		return socatTargets(c)
	case "manage.py", "django-admin":
		if v, ok := c.flag("database"); ok && len(c.args) > 0 && c.args[0] == "check" {
			_ = v
			return []endpoint{{scheme: "postgresql", dependency: "the database", nature: true}}
		}
	}
	return nil
}

// curlTargets applies --connect-to and --resolve, which replace the address behind a name.
func curlTargets(c *invocation) []endpoint {
	urls := slices.Concat(c.flags["url"], c.args)
	var out []endpoint
	for _, u := range urls {
		for _, e := range parseAddresses(u, "http", "80") {
			for _, r := range c.flags["resolve"] {
				parts := strings.SplitN(strings.TrimPrefix(r, "+"), ":", 3)
				if len(parts) == 3 && (parts[0] == e.host || parts[0] == "*") && parts[1] == e.port {
					e.host = firstOf(parts[2], ",")
				}
			}
			for _, r := range c.flags["connect-to"] {
				parts := strings.SplitN(r, ":", 4)
				if len(parts) >= 3 && (parts[0] == "" || parts[0] == e.host) && (parts[1] == "" || parts[1] == e.port) && parts[2] != "" {
					e.host = parts[2]
				}
			}
			out = append(out, e)
		}
	}
	return out
}

// resolver is a DNS look-up: the server given with @, else the cluster's DNS. Names in /etc/hosts need none.
func (w *world) resolver(program string, c *invocation) []endpoint {
	args := c.args
	if program == "getent" {
		if len(args) == 0 || !strings.HasPrefix(args[0], "hosts") && !strings.HasPrefix(args[0], "ahosts") {
			return []endpoint{}
		}
		args = args[1:]
	}
	for _, a := range args {
		if server, ok := strings.CutPrefix(a, "@"); ok {
			return []endpoint{{host: server, port: "53", scheme: "dns", dependency: "DNS"}}
		}
	}
	if program != "dig" && program != "getent" && len(args) > 1 {
		return []endpoint{{host: args[1], port: "53", scheme: "dns", dependency: "DNS"}}
	}
	if len(args) > 0 && (program == "getent" || w.pod.locate(args[0]).place == Self) && !tainted(args[0]) && w.pod.locate(args[0]).place == Self {
		return []endpoint{}
	}
	return []endpoint{{scheme: "dns", dependency: "DNS", nature: true}}
}

// erlangNode reads -n rabbit@host.
func erlangNode(p *process, c *invocation) []endpoint {
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

// sqlServer reads -S [tcp:]host[\instance][,port].
func sqlServer(v string) []endpoint {
	v = strings.TrimPrefix(v, "tcp:")
	host, port, ok := strings.Cut(v, ",")
	if !ok {
		port = "1433"
	}
	host = firstOf(host, "\\")
	if host == "." || host == "(local)" || strings.HasPrefix(v, "np:") || strings.HasPrefix(v, "lpc:") {
		return []endpoint{{scheme: "sqlserver", dependency: "SQL Server", local: true}}
	}
	return []endpoint{{host: host, port: port, scheme: "sqlserver", dependency: "SQL Server"}}
}

func socatTargets(c *invocation) []endpoint {
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

// healthy is what the client prints.
func (w *world) healthy(p *process, program string, c *invocation, up bool) string {
	switch program {
	case "curl":
		return curlOutput(c, up)
	case "wget":
		return wgetOutput(c, up)
	case "nc", "ncat", "netcat", "telnet", "socat", "nc.openbsd", "nc.traditional":
		if up && p.stdin != nil && !c.has("z") {
			if strings.Contains(p.input(), "ruok") {
				return "imok"
			}
		}
	case "nmap":
		if !up {
			return "Host seems down.\n"
		}
		return "Host is up.\nPORT STATE SERVICE\n" + answer + "/tcp open\n"
	}
	if !up {
		return ""
	}
	if row := c.command(); row != nil && row.out != "" {
		return row.out
	}
	if c.tool.out != "" {
		return c.tool.out
	}
	return answer + "\n"
}

func curlOutput(c *invocation, up bool) string {
	var out strings.Builder
	if _, toFile := c.flag("o output"); up && !toFile && !c.has("O remote-name") {
		if c.has("I head i include") {
			out.WriteString("HTTP/1.1 200 OK\r\n")
		}
		out.WriteString(answer)
	}
	if format, ok := c.flag("w write-out"); ok {
		code := "000"
		if up {
			code = "200"
		}
		format = strings.NewReplacer("%{http_code}", code, "%{response_code}", code, "\\n", "\n").Replace(format)
		for {
			from := strings.Index(format, "%{")
			to := strings.Index(format[max(from, 0):], "}")
			if from < 0 || to < 0 {
				break
			}
			format = format[:from] + answer + format[from+to+1:]
		}
		out.WriteString(format)
	}
	return out.String()
}

func wgetOutput(c *invocation, up bool) string {
	if !up {
		return ""
	}
	if v, ok := c.flag("O output-document"); ok && (v == "-" || v == "/dev/stdout") {
		return answer
	}
	if c.has("S server-response") {
		return "HTTP/1.1 200 OK\n"
	}
	return ""
}

func interpreter(program string) bool {
	base := strings.TrimRight(program, "0123456789.")
	switch base {
	case "python", "pypy", "node", "nodejs", "ruby", "php", "perl", "deno", "bun", "java", "rails", "rake", "lua", "julia", "Rscript":
		return true
	}
	return false
}

// interpreted is a call of python, node and their kin: code on the command line, a module, a file of the bundle or the image.
func (w *world) interpreted(p *process, program string, argv []string, site int) (int, error) {
	base := strings.TrimRight(program, "0123456789.")
	w.note(program)
	for i := 1; i < len(argv); i++ {
		a := argv[i]
		switch {
		case codeFlag(base, a) && i+1 < len(argv):
			return w.snippet(p, base, argv[i+1], site), nil
		case base == "python" && a == "-m" && i+1 < len(argv):
			return w.execProgram(p, firstOf(argv[i+1], "."), argv[i+1:], site)
		case base == "rails" && a == "runner" && i+1 < len(argv):
			return w.snippet(p, "ruby", argv[i+1], site), nil
		case strings.HasPrefix(a, "-"):
			if (base == "python" && (a == "-W" || a == "-X")) || (base == "node" && (a == "-r" || a == "--require")) {
				i++
			}
			continue
		default:
			return w.interpretedFile(p, base, argv[i:], site)
		}
	}
	if text := p.input(); text != "" {
		return w.snippet(p, base, text, site), nil
	}
	return w.status(site), nil
}

func codeFlag(base, flag string) bool {
	switch base {
	case "python", "pypy":
		return strings.HasPrefix(flag, "-") && !strings.HasPrefix(flag, "--") && strings.HasSuffix(flag, "c")
	case "node", "nodejs", "bun":
		return flag == "-e" || flag == "--eval" || flag == "-p" || flag == "-pe"
	case "php":
		return flag == "-r"
	case "ruby", "perl", "lua", "julia":
		return strings.HasPrefix(flag, "-") && strings.HasSuffix(flag, "e") && len(flag) <= 4
	case "deno":
		return flag == "eval"
	}
	return false
}

func (w *world) interpretedFile(p *process, base string, argv []string, site int) (int, error) {
	name := path.Base(argv[0])
	if f, _ := w.fs.open(w.absolute(p, argv[0])); f != nil {
		return w.execForeign(p, f, []string{base}, site)
	}
	if clientNamed(name) != nil {
		return w.execProgram(p, name, argv, site)
	}
	w.hide(opaqueFile(argv[0]))
	status := w.status(site)
	if status == 0 {
		p.print(answer + "\n")
	}
	return status, nil
}
