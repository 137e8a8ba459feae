package appconfig

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// Request is an HTTP request of a probe.
type Request struct {
	Port int    // 0 when unknown
	Path string // with its query
	Host string // of the Host header; "" for the address that is dialled
}

// Nginx says what the location of a mounted nginx configuration that a request hits does with it: answer by itself, or pass it
// to a server. ok is false when the bundle shows no nginx configuration.
func Nginx(c Container, r Request) (answer Answer, ok bool) {
	n := &nginx{container: c, request: r}
	tree, ok := n.load()
	if !ok {
		return Answer{}, false
	}
	if tree == nil || n.broken {
		return Answer{}, true
	}
	for _, d := range tree {
		if d.name() == "http" {
			n.http = d.block
		}
	}
	server, found := n.server()
	if !found {
		return Answer{}, true
	}
	uri, _, _ := strings.Cut(r.Path, "?")
	answer = n.serve(server, uri, 0)
	answer.Proven = answer.Proven && !n.partial
	return answer, true
}

// nginx is one configuration and one request.
type nginx struct {
	container Container
	request   Request
	http      []directive
	partial   bool // an include is not in the bundle
	broken    bool // a file cannot be read
	includes  int
}

// load finds the main file and reads it with its includes. Where only server blocks are mounted, the image's own main file is
// taken to include them, as those of the official images do.
func (n *nginx) load() (tree []directive, ok bool) {
	mains := []string{
		"/etc/nginx/nginx.conf", "/opt/bitnami/nginx/conf/nginx.conf", "/usr/local/openresty/nginx/conf/nginx.conf", "/usr/local/nginx/conf/nginx.conf",
	}
	if named, ok := n.container.option("c"); ok && strings.HasSuffix(named.Value, ".conf") {
		mains = []string{named.Value}
	}
	for _, name := range mains {
		f, ok := n.container.file(name)
		if !ok {
			continue
		}
		list, err := parseNginx(f)
		if err != nil {
			return nil, true
		}
		return n.include(list, path.Dir(name)), true
	}
	http := directive{words: []string{"http"}, braces: true}
	for _, f := range n.container.Files {
		if !slices.ContainsFunc([]string{
			"/etc/nginx/conf.d/*.conf", "/etc/nginx/http.d/*.conf", "/etc/nginx/sites-enabled/*", "/etc/nginx/templates/*.template",
			"/opt/bitnami/nginx/conf/server_blocks/*.conf", "/opt/bitnami/nginx/conf/bitnami/*.conf", "/usr/local/openresty/nginx/conf.d/*.conf",
		}, func(pattern string) bool { return matches(pattern, f.Name) }) {
			continue
		}
		list, err := parseNginx(n.substituted(f))
		if err != nil {
			return nil, true
		}
		ok = true
		http.block = append(http.block, n.include(list, "/etc/nginx")...)
	}
	return []directive{http}, ok
}

// substituted fills the variables of the container into a template, as the entry point of the official images does.
func (n *nginx) substituted(f Setting) Setting {
	if !strings.HasSuffix(f.Name, ".template") {
		return f
	}
	var pairs []string
	for _, v := range n.container.Variables {
		if v.Known {
			pairs = append(pairs, "${"+v.Name+"}", v.Value)
		}
	}
	text := strings.NewReplacer(pairs...).Replace(f.Value)
	f.Exact = f.Exact && text == f.Value
	f.Value = text
	return f
}

// include puts the directives of included files in the place of the include.
func (n *nginx) include(list []directive, dir string) []directive {
	var out []directive
	for _, d := range list {
		if d.braces {
			d.block = n.include(d.block, dir)
		}
		if d.name() != "include" {
			out = append(out, d)
			continue
		}
		out = append(out, n.included(d.arg(0), dir)...)
	}
	return out
}

func (n *nginx) included(pattern, dir string) []directive {
	base := path.Base(pattern)
	if base == "mime.types" || strings.HasSuffix(base, "_params") || strings.Contains(pattern, "modules") {
		return nil
	}
	if !path.IsAbs(pattern) {
		pattern = path.Join(dir, pattern)
	}
	n.includes++
	if n.includes > 64 {
		n.broken = true
		return nil
	}
	var out []directive
	found := false
	for _, f := range n.container.Files {
		if !matches(pattern, f.Name) {
			continue
		}
		list, err := parseNginx(f)
		if err != nil {
			n.broken = true
			return nil
		}
		found = true
		out = append(out, n.include(list, dir)...)
	}
	n.partial = n.partial || !found
	return out
}

// server picks the server block for the request: by port, then by name, else the default of the port.
func (n *nginx) server() (directive, bool) {
	var candidates []directive
	def := -1
	for _, d := range n.http {
		if d.name() != "server" || !d.braces {
			continue
		}
		listens, isDefault := n.listens(d)
		if !listens {
			continue
		}
		if isDefault && def < 0 {
			def = len(candidates)
		}
		candidates = append(candidates, d)
	}
	if len(candidates) == 0 {
		return directive{}, false
	}
	if n.request.Host != "" {
		for _, d := range candidates {
			if slices.ContainsFunc(d.block, func(s directive) bool { return s.name() == "server_name" && s.has(n.request.Host) }) {
				return d, true
			}
		}
	}
	return candidates[max(def, 0)], true
}

// listens reports whether a server block listens on the port of the request; without a listen directive it is port 80.
func (n *nginx) listens(server directive) (on, isDefault bool) {
	none := true
	for _, d := range server.block {
		if d.name() != "listen" {
			continue
		}
		none = false
		if n.hits(d.arg(0)) {
			on = true
			isDefault = isDefault || d.has("default_server") || d.has("default")
		}
	}
	return on || none && n.hits("80"), isDefault
}

// hits reports whether the request comes in at an address of a listen directive.
func (n *nginx) hits(address string) bool {
	if strings.HasPrefix(address, "unix:") {
		return false
	}
	port := address[strings.LastIndexByte(address, ':')+1:]
	if port == "" || strings.Trim(port, "0123456789") != "" {
		port = "80"
	}
	return n.request.Port == 0 || port == strconv.Itoa(n.request.Port)
}

// serve answers a URI in a server block. depth counts internal redirects.
func (n *nginx) serve(server directive, uri string, depth int) Answer {
	if depth > 10 {
		return Answer{}
	}
	s := &nginxServer{nginx: n, server: server, depth: depth}
	if a, done := s.rewrites(server.block, &uri); done {
		return a
	}
	chain := locate(server.block, uri)
	if chain == nil {
		return Answer{}
	}
	return s.handle(chain, uri)
}
