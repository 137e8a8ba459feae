package appconfig

import (
	"cmp"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// locate finds the location for a URI as nginx does: an exact one, else the longest prefix, unless a pattern matches first in
// the order of the file and the prefix is not marked with ^~. The result leads from the outermost location to the innermost; a
// list with an empty directive means that no location matches; nil that a pattern cannot be read.
func locate(block []directive, uri string) []directive {
	best, exact := prefix(block, uri)
	if exact {
		return []directive{best}
	}
	if best.words != nil {
		nested := locate(best.block, uri)
		switch {
		case nested == nil:
			return nil
		case nested[0].words != nil:
			return append([]directive{best}, nested...)
		case best.arg(0) == "^~":
			return []directive{best}
		}
	}
	for _, d := range block {
		if d.name() != "location" || len(d.words) != 3 || !strings.HasPrefix(d.arg(0), "~") {
			continue
		}
		ok, err := matchPattern(d.arg(0), d.arg(1), uri)
		if err != nil {
			return nil
		}
		if ok {
			return []directive{d}
		}
	}
	return []directive{best}
}

// prefix finds the exact location for a URI, or the one with the longest prefix.
func prefix(block []directive, uri string) (best directive, exact bool) {
	length := -1
	for _, d := range block {
		if d.name() != "location" || !d.braces || len(d.words) < 2 {
			continue
		}
		modifier, pattern := d.arg(0), d.arg(1)
		if len(d.words) == 2 {
			modifier, pattern = "", d.arg(0)
		}
		switch modifier {
		case "=":
			if pattern == uri {
				return d, true
			}
		case "", "^~":
			if !strings.HasPrefix(pattern, "@") && strings.HasPrefix(uri, pattern) && len(pattern) > length {
				best, length = d, len(pattern)
			}
		}
	}
	return best, false
}

// matchPattern applies a pattern of nginx. RE2 knows less than PCRE; what it cannot read is an error.
func matchPattern(modifier, pattern, uri string) (bool, error) {
	if modifier == "~*" {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.MatchString(uri), nil
}

// nginxServer answers within one server block.
type nginxServer struct {
	*nginx
	server directive
	depth  int
}

// rewrites runs return and rewrite directives of a block. done is true when they answer or cannot be followed.
func (s *nginxServer) rewrites(block []directive, uri *string) (a Answer, done bool) {
	for _, d := range block {
		switch d.name() {
		case "return":
			return Answer{Verdict: Local, Proven: true, Steps: []Step{d.step("nginx answers with " + strings.Join(d.words[1:], " "))}}, true
		case "rewrite":
			to, ok := rewritten(d, *uri)
			switch {
			case !ok:
				return Answer{}, true
			case to == "":
				continue
			case d.arg(2) == "break":
				*uri = to
				return Answer{}, false
			}
			return s.serve(s.server, to, s.depth+1), true
		case "if":
			if slices.ContainsFunc(d.block, func(x directive) bool {
				return strings.HasSuffix(x.name(), "_pass") || x.name() == "rewrite" || x.name() == "set"
			}) {
				return Answer{}, true
			}
		}
	}
	return Answer{}, false
}

// rewritten is what a rewrite makes of a URI: "" when it does not apply. ok is false when that cannot be told.
func rewritten(d directive, uri string) (to string, ok bool) {
	re, err := regexp.Compile(d.arg(0))
	if err != nil {
		return "", false
	}
	if !re.MatchString(uri) {
		return "", true
	}
	to = re.ReplaceAllString(uri, strings.ReplaceAll(d.arg(1), "$uri", uri))
	if strings.Contains(to, "$") || strings.Contains(to, "://") || to == uri {
		return "", false
	}
	return to, true
}

// handle answers in a location: chain leads to it.
func (s *nginxServer) handle(chain []directive, uri string) Answer {
	location := chain[len(chain)-1]
	if location.words == nil {
		return Answer{Verdict: Local, Proven: true, Steps: []Step{s.server.step("no location matches " + uri + ", so nginx answers from its files")}}
	}
	if a, done := s.rewrites(location.block, &uri); done {
		return a
	}
	if a := s.guarded(chain, location); a.Verdict == Depends {
		return a
	}
	for _, d := range location.block {
		switch name := d.name(); {
		case name == "proxy_pass", name == "fastcgi_pass", name == "uwsgi_pass", name == "scgi_pass", name == "grpc_pass", name == "memcached_pass":
			return s.pass(chain, d)
		case strings.HasPrefix(name, "content_by_lua"), name == "js_content", name == "perl", strings.HasPrefix(name, "access_by_lua"),
			strings.HasPrefix(name, "rewrite_by_lua"):
			return Answer{}
		case name == "try_files":
			return s.tryFiles(chain, d)
		}
	}
	what := "answers by itself"
	for _, d := range location.block {
		switch d.name() {
		case "stub_status":
			what = "answers with its own status"
		case "root", "alias":
			what = "serves files"
		}
	}
	return Answer{Verdict: Local, Proven: true, Steps: []Step{location.step(strings.Join(location.words, " ") + " " + what)}}
}

// guarded answers the subrequest that a location makes before it serves.
func (s *nginxServer) guarded(chain []directive, location directive) Answer {
	for _, block := range [][]directive{location.block, s.server.block} {
		for _, d := range block {
			if d.name() != "auth_request" {
				continue
			}
			if d.arg(0) == "off" || !strings.HasPrefix(d.arg(0), "/") || s.depth > 5 {
				return Answer{}
			}
			a := s.serve(s.server, d.arg(0), s.depth+1)
			a.Steps = append([]Step{d.step(strings.Join(chain[len(chain)-1].words, " ") + " first asks " + d.arg(0))}, a.Steps...)
			return a
		}
	}
	return Answer{}
}

// tryFiles goes to the last word when no file is there; whether one is, the bundle does not show.
func (s *nginxServer) tryFiles(chain []directive, d directive) Answer {
	last := d.words[len(d.words)-1]
	switch {
	case strings.HasPrefix(last, "@"):
		for _, named := range s.server.block {
			if named.name() == "location" && named.arg(0) == last {
				a := s.handle([]directive{named}, "/")
				a.Steps = append([]Step{d.step(strings.Join(chain[len(chain)-1].words, " ") + " goes to " + last + " unless a file is there")}, a.Steps...)
				a.Proven = false
				return a
			}
		}
		return Answer{}
	case strings.HasPrefix(last, "/") && !strings.Contains(last, "$"):
		target := strings.SplitN(last, "?", 2)[0]
		a := s.serve(s.server, target, s.depth+1)
		a.Proven = a.Proven && a.Verdict == Local
		return a
	}
	return Answer{Verdict: Local, Proven: true, Steps: []Step{d.step("nginx serves files")}}
}

// pass answers with the server that a request is passed to.
func (s *nginxServer) pass(chain []directive, d directive) Answer {
	if s.excused(chain) {
		return Answer{}
	}
	target := s.expand(chain, d.arg(0))
	_, address, ok := strings.Cut(target, "://")
	if !ok {
		address = target
	}
	if i := strings.IndexByte(address, '/'); i >= 0 && !strings.HasPrefix(address, "unix:") {
		address = address[:i]
	}
	scheme, _, _ := strings.Cut(target, "://")
	answer := Answer{Verdict: Depends, Proven: true, Steps: []Step{d.step(d.name() + " " + d.arg(0))}}
	servers, at := s.upstream(address)
	if at.words != nil {
		answer.Steps = append(answer.Steps, at.step("upstream "+address+" is "+strings.Join(servers, ", ")))
	} else {
		servers = []string{address}
	}
	for _, text := range servers {
		if strings.ContainsAny(text, "$…") || text == "" {
			return Answer{}
		}
		if local(text) {
			// The request goes on inside the pod: what answers it there is not known here.
			return Answer{}
		}
		host, port, err := net.SplitHostPort(text)
		if err != nil {
			host, port = strings.Trim(text, "[]"), defaultPort(scheme)
		}
		answer.Servers = append(answer.Servers, Server{Host: host, Port: port})
	}
	answer.Any = len(answer.Servers) > 1
	return answer
}

// defaultPort is what nginx dials without a port: FastCGI and its like must be given one.
func defaultPort(scheme string) string {
	if strings.HasPrefix(scheme, "https") || scheme == "grpcs" {
		return "443"
	}
	return "80"
}

// local reports addresses inside the pod.
func local(address string) bool {
	if strings.HasPrefix(address, "unix:") {
		return true
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	host = strings.Trim(host, "[]")
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// excused reports whether the error of an absent server is turned into another answer.
func (s *nginxServer) excused(chain []directive) bool {
	levels := [][]directive{s.http, s.server.block}
	for _, d := range chain {
		levels = append(levels, d.block)
	}
	for _, block := range slices.Backward(levels) {
		for _, d := range block {
			switch {
			case d.name() == "error_page" && (d.has("502") || d.has("503") || d.has("504")):
				return slices.ContainsFunc(d.words, func(w string) bool { return strings.HasPrefix(w, "=") }) || strings.HasPrefix(d.words[len(d.words)-1], "@")
			case d.name() == "proxy_cache_use_stale" && !d.has("off"):
				return true
			}
		}
	}
	return false
}

// expand fills in variables that set directives give a value.
func (s *nginxServer) expand(chain []directive, text string) string {
	if !strings.Contains(text, "$") {
		return text
	}
	var pairs []string
	for _, d := range slices.Backward(chain) {
		pairs = append(pairs, sets(d.block)...)
	}
	pairs = append(pairs, sets(s.server.block)...)
	pairs = append(pairs, "$request_uri", "", "$uri", "", "$is_args", "", "$args", "")
	for range 4 {
		text = strings.NewReplacer(pairs...).Replace(text)
	}
	return text
}

func sets(block []directive) []string {
	var pairs []string
	for _, d := range block {
		if d.name() == "set" && strings.HasPrefix(d.arg(0), "$") {
			pairs = append(pairs, d.arg(0), d.arg(1), "${"+d.arg(0)[1:]+"}", d.arg(1))
		}
	}
	return pairs
}

// upstream lists the servers of a group of that name.
func (s *nginxServer) upstream(name string) (servers []string, at directive) {
	for _, d := range s.http {
		if d.name() != "upstream" || d.arg(0) != name {
			continue
		}
		for _, member := range d.block {
			if member.name() == "server" && !member.has("down") {
				servers = append(servers, cmp.Or(member.arg(0), "$"))
			}
		}
		return servers, d
	}
	return nil, directive{}
}
