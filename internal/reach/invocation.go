package reach

import (
	"cmp"
	"strings"
)

// invocation is a command line read by a tool's grammar.
type invocation struct {
	tool  *tool
	flags map[string][]string
	args  []string
	// blurred: words of the command line are unknown, so it may name a server that is not seen.
	blurred bool
}

func (c *invocation) flag(names string) (string, bool) {
	for name := range strings.FieldsSeq(names) {
		if v := c.flags[name]; len(v) > 0 {
			return v[len(v)-1], true
		}
	}
	return "", false
}

func (c *invocation) has(names string) bool {
	_, ok := c.flag(names)
	return ok
}

// inList reports whether name is one of the space-separated words of list.
func inList(list, name string) bool {
	for name != "" {
		at := strings.Index(list, name)
		if at < 0 {
			return false
		}
		end := at + len(name)
		if (at == 0 || list[at-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return !strings.Contains(name, " ")
		}
		list = list[end:]
		// What is left starts inside a word: a match at its start is none.
		if next := strings.IndexByte(list, ' '); next >= 0 {
			list = list[next:]
		} else {
			return false
		}
	}
	return false
}

// parse reads argv (without the program) by the grammar of t: -h x, -hx, --host x, --host=x, -host x, clusters (-zvw3).
func (t *tool) parse(argv []string) *invocation {
	c := &invocation{tool: t, flags: map[string][]string{}}
	for i := 0; i < len(argv); i++ {
		word := argv[i]
		switch {
		case word == "--":
			c.args = append(c.args, argv[i+1:]...)
			return c
		case tainted(word[:min(1, len(word))]):
			c.blurred = true
			c.args = append(c.args, word)
		case len(word) < 2 || word[0] != '-':
			c.args = append(c.args, word)
		default:
			if t.option(c, word, argv[i+1:]) {
				i++
			}
		}
	}
	return c
}

// option reads one option word and reports whether it takes the next word as its value.
func (t *tool) option(c *invocation, word string, rest []string) bool {
	name := strings.TrimLeft(word, "-")
	if key, value, ok := strings.Cut(name, "="); ok && (strings.HasPrefix(word, "--") || len(key) > 1 && inList(t.values, key)) {
		c.flags[key] = append(c.flags[key], value)
		return false
	}
	if strings.HasPrefix(word, "--") || len(name) > 1 && inList(t.values, name) {
		return c.long(name, rest)
	}
	return t.cluster(c, name, rest)
}

func (c *invocation) long(name string, rest []string) bool {
	if inList(c.tool.values, name) && len(rest) > 0 {
		c.flags[name] = append(c.flags[name], rest[0])
		return true
	}
	c.flags[name] = append(c.flags[name], "")
	return false
}

func (t *tool) cluster(c *invocation, letters string, rest []string) bool {
	for i := range len(letters) {
		name := letters[i : i+1]
		switch {
		case strings.Contains(t.attached, name):
			c.flags[name] = append(c.flags[name], letters[i+1:])
			return false
		case !inList(t.values, name):
			c.flags[name] = append(c.flags[name], "")
		case i+1 < len(letters):
			c.flags[name] = append(c.flags[name], strings.TrimPrefix(letters[i+1:], "="))
			return false
		case len(rest) > 0:
			c.flags[name] = append(c.flags[name], rest[0])
			return true
		}
	}
	return false
}

// patience is how long the program waits for a server that does not answer, in seconds; 0 when that is not known.
func (c *invocation) patience(p *process) float64 {
	if v, ok := c.flag(c.tool.limits); ok {
		return duration(v)
	}
	if _, ok := p.getenv("PGCONNECT_TIMEOUT"); ok {
		return 0
	}
	for _, a := range c.args {
		if strings.Contains(a, "timeout") {
			return 0
		}
	}
	return c.tool.waits
}

// command finds the row of t.commands that the arguments match: its words in order at the front.
func (c *invocation) command() *command {
	for i := range c.tool.commands {
		row := &c.tool.commands[i]
		words := strings.Fields(row.words)
		if len(words) > len(c.args) {
			continue
		}
		match := true
		for j, w := range words {
			if w != "*" && !strings.EqualFold(c.args[j], w) {
				match = false
				break
			}
		}
		if match {
			return row
		}
	}
	return nil
}

// demandsAll reports commands that fail when one server of the list is down.
func (c *invocation) demandsAll() bool {
	row := c.command()
	return row != nil && (row.all || row.quorum != "")
}

// contactsNothing reports invocations that only print: --help, --version.
func (c *invocation) contactsNothing() bool {
	if row := c.command(); row != nil && row.inert {
		return true
	}
	if c.has("help version") {
		return true
	}
	return len(c.args) == 1 && (c.args[0] == "version" || c.args[0] == "help") && len(c.tool.commands) > 0
}

// endpoints lists the servers that the command line asks. env gives the process's variables.
func (c *invocation) endpoints(env func(string) (string, bool)) []endpoint {
	t := c.tool
	if c.contactsNothing() {
		return nil
	}
	row := c.command()
	if found := c.named(env); len(found) > 0 {
		if row != nil && row.quorum != "" {
			return append(found, endpoint{scheme: t.scheme, dependency: row.quorum, nature: true})
		}
		for i := range found {
			found[i].dependency = cmp.Or(found[i].dependency, t.dependency)
			if row != nil && row.remote {
				found[i].dependency = row.dependency
			}
		}
		return found
	}
	if row != nil && row.remote {
		return []endpoint{{scheme: t.scheme, dependency: row.dependency, nature: true}}
	}
	if row != nil && row.quorum != "" {
		return append(c.unnamed(), endpoint{scheme: t.scheme, dependency: row.quorum, nature: true})
	}
	return c.unnamed()
}

// unnamed is the server where nothing names one.
func (c *invocation) unnamed() []endpoint {
	t := c.tool
	switch {
	case c.blurred || t.fallback == fallbackUnknown:
		return []endpoint{{host: unknown, scheme: t.scheme, dependency: t.dependency}}
	case t.fallback == fallbackSelf:
		return []endpoint{{scheme: t.scheme, port: t.port, dependency: t.dependency, local: true}}
	case t.fallback == fallbackRemote:
		return []endpoint{{scheme: t.scheme, dependency: t.dependency, nature: true}}
	}
	return nil
}

// named lists the servers that flags, arguments or variables name, strongest first.
func (c *invocation) named(env func(string) (string, bool)) []endpoint {
	t := c.tool
	port := t.port
	portKnown := false
	if v, ok := c.flag(t.portFlag); ok && v != "" {
		port, portKnown = v, true
	}
	if v, ok := c.flag(t.url); ok && address(v) {
		return parseAddresses(v, t.scheme, port)
	}
	if v, ok := c.flag(t.host); ok {
		return parseAddresses(v, t.scheme, port)
	}
	if found := c.positional(port); len(found) > 0 {
		return found
	}
	hosts, envPort := t.variables(env)
	if !portKnown {
		port = cmp.Or(envPort, port)
	}
	if hosts != "" {
		return parseAddresses(hosts, t.scheme, port)
	}
	return nil
}

// variables reads the server from the environment.
func (t *tool) variables(env func(string) (string, bool)) (hosts, port string) {
	for name := range strings.FieldsSeq(t.env) {
		name, isPort := strings.CutSuffix(name, ":port")
		v, _ := env(name)
		if isPort {
			port = cmp.Or(port, v)
		} else {
			hosts = cmp.Or(hosts, v)
		}
	}
	return hosts, port
}

// hostAndPort reads the last words as a host and a port, or as a host and several ports.
func hostAndPort(args []string, port string) (string, string) {
	n := len(args)
	for n > 2 && digits(args[n-2]) && digits(args[n-1]) {
		n--
	}
	if n == 1 {
		return args[0], port
	}
	return args[n-2], args[n-1]
}

func (c *invocation) positional(port string) []endpoint {
	t := c.tool
	if len(c.args) == 0 {
		return nil
	}
	switch t.args {
	case argsURL, argsHost:
		var out []endpoint
		for _, a := range c.args {
			out = append(out, parseAddresses(a, t.scheme, port)...)
		}
		return out
	case argsHostPort, argsServer:
		host, port := hostAndPort(c.args, port)
		return parseAddresses(host, t.scheme, port)
	case argsAddress:
		return parseAddresses(c.args[0], t.scheme, port)
	case argsDSN:
		if address(c.args[0]) || tainted(c.args[0]) && strings.ContainsAny(c.args[0], ":=@") {
			return parseAddresses(c.args[0], t.scheme, port)
		}
	case argsNone:
	}
	return nil
}
