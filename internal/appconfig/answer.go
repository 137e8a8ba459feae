// Package appconfig reads the configuration of well-known servers and frameworks (environment, arguments, mounted files) as far
// as it says what an HTTP endpoint of theirs depends on. Its functions are pure: text with positions in, an answer with its
// reasons out.
package appconfig

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
)

// Setting is a piece of text that configures a container and where it stands.
type Setting struct {
	Name  string // of a variable, or the absolute path of a file
	Value string
	Known bool   // false when the value, or a part of it, is not in the bundle
	From  string // "ConfigMap api-env"; "" when it stands in the container itself
	At    loader.Node
	// Exact: offsets into Value are offsets into the text of At.
	Exact bool
}

// Container is the configuration that a container sees.
type Container struct {
	Variables []Setting
	Open      bool      // variables may be set that are not in the bundle
	Files     []Setting // mounted text files, by path
	Unseen    []string  // directories mounted from what the bundle does not show
	Arguments []Setting // command and args
}

// Verdict says what the configuration makes of an endpoint.
type Verdict int

// The verdicts.
const (
	Undecided Verdict = iota // the bundle does not show it
	Local                    // the endpoint answers for its own process alone
	Depends                  // it fails when a server is down
)

// Server is a server that configuration names.
type Server struct {
	Product    string // "PostgreSQL"; "" when only the address is known
	Host, Port string // "" when not known
}

// Step is one reason: where it stands (a range of the setting's text) and what it says.
type Step struct {
	Setting  Setting
	From, To int
	Text     string
}

// Answer is what the configuration says about one endpoint.
type Answer struct {
	Verdict Verdict
	// Dependency is what the endpoint needs, as in "fails when … is down"; "" leaves it to Servers.
	Dependency string
	Servers    []Server // each must be up, unless Any
	Any        bool     // one of Servers is enough
	// Proven: the configuration alone decides. Otherwise it makes likely what the application's code decides.
	Proven bool
	Steps  []Step
	// Variable and Value are an environment variable that takes the dependency away; "" when there is none.
	Variable, Value string
	// Group is the health group that the endpoint shows; "" when it shows none.
	Group string
}

// variable finds an environment variable.
func (c *Container) variable(name string) (Setting, bool) {
	i := slices.IndexFunc(c.Variables, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return c.Variables[i], true
}

// file finds a mounted file.
func (c *Container) file(name string) (Setting, bool) {
	i := slices.IndexFunc(c.Files, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return c.Files[i], true
}

// hidden reports whether the file may come from a volume that the bundle does not show.
func (c *Container) hidden(name string) bool {
	return slices.ContainsFunc(c.Unseen, func(dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") })
}

// option finds a command line option: --name=value, --name value, -name=value.
func (c *Container) option(names ...string) (Setting, bool) {
	for i, arg := range c.Arguments {
		for _, name := range names {
			word := strings.TrimPrefix(strings.TrimPrefix(arg.Value, "-"), "-")
			if word == arg.Value {
				continue
			}
			if value, ok := strings.CutPrefix(word, name+"="); ok {
				return Setting{Name: "--" + name, Value: value, Known: arg.Known, At: arg.At}, true
			}
			if word == name && i+1 < len(c.Arguments) {
				next := c.Arguments[i+1]
				return Setting{Name: "--" + name, Value: next.Value, Known: next.Known, At: next.At}, true
			}
		}
	}
	return Setting{}, false
}

// whole is a step that quotes a setting.
func (s Setting) whole(text string) Step { return Step{Setting: s, To: len(s.Value), Text: text} }

// is says "NAME is value", and where a value from elsewhere stands.
func (s Setting) is() string {
	text := s.Name + " is " + s.shown()
	if s.From != "" {
		text += ", from " + s.From
	}
	return text
}

// shown is the value for people: an address without its credentials, nothing that is not known.
func (s Setting) shown() string {
	switch {
	case !s.Known:
		return "set"
	case s.Value == "":
		return "empty"
	}
	value := s.Value
	if scheme, rest, ok := strings.Cut(value, "://"); ok {
		if _, host, ok := strings.Cut(rest, "@"); ok {
			value = scheme + "://" + host
		}
		value, _, _ = strings.Cut(value, "?")
	}
	const longest = 80
	if r := []rune(value); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return value
}

// products are what a URL's scheme names.
func product(scheme string) string {
	base, _, _ := strings.Cut(strings.ToLower(scheme), "+")
	switch base {
	case "postgres", "postgresql", "pgsql":
		return "PostgreSQL"
	case "mysql", "mysql2":
		return "MySQL"
	case "mariadb":
		return "MariaDB"
	case "mongodb":
		return "MongoDB"
	case "redis", "rediss", "valkey":
		return "Redis"
	case "amqp", "amqps":
		return "RabbitMQ"
	case "sqlserver", "mssql":
		return "SQL Server"
	case "oracle":
		return "Oracle Database"
	}
	return ""
}

// server reads an address: a URL, a JDBC URL, host:port or a host. ok is false for embedded databases, files and sockets.
func server(text, fallback string) (s Server, ok bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "jdbc:")
	scheme, rest, hasScheme := strings.Cut(text, "://")
	if !hasScheme {
		scheme, _, _ = strings.Cut(text, ":")
		switch scheme {
		case "h2", "hsqldb", "derby", "sqlite", "file", "unix", "embed", "memory":
			return Server{}, false
		}
		scheme, rest = "", text
	}
	switch strings.ToLower(scheme) {
	case "sqlite", "sqlite3", "file", "unix", "h2:mem", "h2:file", "h2", "hsqldb:mem":
		return Server{}, false
	}
	if i := strings.IndexAny(rest, "/?;"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	rest, _, _ = strings.Cut(rest, ",")
	if rest == "" {
		return Server{}, false // a socket: host=/path, or nothing at all
	}
	s = Server{Product: fallback}
	if p := product(scheme); p != "" {
		s.Product = p
	}
	u := url.URL{Host: rest}
	s.Host, s.Port = u.Hostname(), u.Port()
	if strings.ContainsAny(s.Host, " ${}<>…") {
		s.Host, s.Port = "", ""
	}
	return s, true
}

// matches reports whether a shell pattern such as /etc/nginx/conf.d/*.conf names a file.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
