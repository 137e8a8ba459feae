package reach

import (
	"slices"
	"strings"
)

// snippet reads code in a language that is not followed: only string literals that reach a connect-like call, and calls
// that are remote by nature. It answers the exit status.
func (w *world) snippet(p *process, language, code string, site int) int {
	ends, sure := snippetTargets(code, p.getenv)
	up := true
	for _, e := range ends {
		if !w.connect(language, e, site) {
			up = false
		}
	}
	w.run.mu.Lock()
	w.run.vague = w.run.vague || len(ends) > 0
	w.run.mu.Unlock()
	if len(ends) == 0 || !sure {
		w.hide("the " + language + " code is not followed")
	}
	if !up && !tolerant(code) {
		return 1
	}
	status := w.status(site)
	if status == 0 {
		p.print(answer + "\n")
	}
	return status
}

// tolerant reports code that catches what goes wrong: its outcome cannot be read off the text.
func tolerant(code string) bool {
	for _, word := range [...]string{"except", "rescue", "catch", "|| exit 0", "sys.exit(0)", "exit(0)"} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return false
}

// natural calls of application frameworks that ask a server outside the process.
var naturalCalls = [...]struct{ call, dependency string }{ //nolint:gochecknoglobals // an immutable table
	{".control.ping(", "the message broker"},
	{".control.inspect(", "the message broker"},
	{"control.Inspect(", "the message broker"},
	{"Inspect(app=", "the message broker"},
	{".ensure_connection(", "the message broker"},
	{"SchedulerJob", "the metadata database"},
	{"create_session(", "the metadata database"},
	{"Sidekiq::ProcessSet", "Redis"},
	{"Sidekiq.redis", "Redis"},
	{"ActiveRecord::Base.connection", "the database"},
	{"connection.ensure_connection(", "the database"},
	{"Resque.info", "Redis"},
}

// connectCalls are calls whose literal arguments name a server.
var connectCalls = [...]string{ //nolint:gochecknoglobals // an immutable table
	"connect(", "create_connection(", "createConnection(", "urlopen(", "requests.get(", "requests.head(", "httpx.get(", "http.get(", "https.get(",
	"http.request(", "https.request(", "fetch(", "fsockopen(", "file_get_contents(", "curl_init(", "pg_connect(", "mysqli(", "mysqli_connect(", "new PDO(",
	"Redis(", "from_url(", "StrictRedis(", "MongoClient(", "KafkaConsumer(", "KafkaAdminClient(", "TCPSocket.new(", "TCPSocket.open(",
	"Net::HTTP.get", "URI(", "HTTPConnection(", "HTTPSConnection(", "open(", "Net::HTTP.new(", "IO::Socket::INET->new(", "createClient(", "Client(", "Request(",
	"connect_ex(", ").get(", ").request(",
}

// snippetTargets finds the servers that code names. sure is false when a connect-like call has an argument that is not
// a literal: then code may ask more than what is found.
func snippetTargets(code string, env func(string) (string, bool)) (ends []endpoint, sure bool) {
	sure = true
	for _, n := range naturalCalls {
		if strings.Contains(code, n.call) && !slices.ContainsFunc(ends, func(e endpoint) bool { return e.dependency == n.dependency }) {
			ends = append(ends, endpoint{dependency: n.dependency, nature: true})
		}
	}
	found := false
	for _, name := range connectCalls {
		for rest := code; ; {
			at := strings.Index(rest, name)
			if at < 0 {
				break
			}
			boundary := at == 0 || !wordByte(rest[at-1]) || strings.HasPrefix(name, "connect") && at > 0 && rest[at-1] == '.'
			args := callArguments(rest[at+len(name):])
			rest = rest[at+len(name):]
			if !boundary {
				continue
			}
			found = true
			e, ok := literalTarget(args, name, env)
			switch {
			case !ok:
				sure = false
			case !slices.Contains(ends, e):
				ends = append(ends, e)
			}
		}
	}
	return ends, sure && (found || len(ends) > 0)
}

func wordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// callArguments cuts s after the parenthesis that closes the call.
func callArguments(s string) string {
	depth := 1
	var quote byte
	for i := range len(s) {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
			if depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// literalTarget reads the first string literal of a call's arguments as a URL or a host.
func literalTarget(args, call string, env func(string) (string, bool)) (endpoint, bool) {
	text, rest, ok := literal(args, env)
	if !ok || strings.Contains(text, "${") || strings.Contains(text, "#{") || strings.Contains(text, "{}") || strings.Contains(text, "%s") {
		return endpoint{}, false
	}
	// A literal that is glued to something else ("http://" + host) is only a part.
	if t := strings.TrimSpace(rest); strings.HasPrefix(t, "+") || strings.HasPrefix(t, ".") && !strings.HasPrefix(t, ".get") || strings.HasPrefix(t, "%") {
		return endpoint{}, false
	}
	if strings.Contains(text, "://") {
		ends := parseAddresses(text, "", "")
		if len(ends) != 1 {
			return endpoint{}, false
		}
		return ends[0], true
	}
	if call == "open(" || call == "fetch(" || call == "URI(" || call == "Request(" || call == "Client(" || text == "" || strings.ContainsAny(text, " ={}<>\\,;/") {
		return endpoint{}, false
	}
	port := ""
	t := strings.TrimLeft(rest, ", (")
	if _, named, ok := strings.Cut(t, "port"); ok {
		t = strings.TrimLeft(named, "'\":=> ")
	}
	end := 0
	for end < len(t) && t[end] >= '0' && t[end] <= '9' {
		end++
	}
	port = t[:end]
	ends := hostList(text, "tcp", port)
	if len(ends) != 1 || !plausibleName(strings.ToLower(ends[0].host)) && !strings.Contains(ends[0].host, ":") {
		return endpoint{}, false
	}
	return ends[0], true
}

// literal finds a string at the very start of args, after opening brackets, a port (node's connect(port, host)) or a
// host= keyword: a literal, or a variable of the environment.
func literal(args string, env func(string) (string, bool)) (text, rest string, ok bool) {
	s := strings.TrimLeft(args, "([{ \n\t")
	if first, tail, cut := strings.Cut(s, ","); cut && digits(strings.TrimSpace(first)) {
		text, _, ok = literal(tail, env)
		return text, ", " + strings.TrimSpace(first), ok
	}
	for _, key := range [...]string{"host=", "url=", "host:", "hostname:", "host =>", "bootstrap_servers=", "url:", "PeerAddr =>", "PeerAddr=>"} {
		if t, cut := strings.CutPrefix(s, key); cut {
			s = strings.TrimLeft(t, " [")
			break
		}
	}
	if name, tail, found := environmentCall(s); found {
		v, set := env(name)
		if !set || tainted(v) {
			return "", "", false
		}
		return v, tail, true
	}
	if s == "" || s[0] != '"' && s[0] != '\'' && s[0] != '`' {
		return "", "", false
	}
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 {
		return "", "", false
	}
	return s[1 : end+1], s[end+2:], true
}

// environmentCall reads os.environ["X"], process.env.X and their kin at the start of s.
func environmentCall(s string) (name, rest string, ok bool) {
	for _, form := range [...]struct{ open, end string }{
		{"os.environ[", "]"}, {"os.environ.get(", ")"}, {"os.getenv(", ")"}, {"getenv(", ")"}, {"ENV[", "]"}, {"ENV.fetch(", ")"}, {"$ENV{", "}"}, {"$_ENV[", "]"},
	} {
		inner, found := strings.CutPrefix(s, form.open)
		if !found {
			continue
		}
		inside, tail, closed := strings.Cut(inner, form.end)
		if !closed || strings.Contains(inside, ",") {
			return "", "", false
		}
		return strings.Trim(inside, "'\" "), tail, true
	}
	if inner, found := strings.CutPrefix(s, "process.env."); found {
		end := 0
		for end < len(inner) && wordByte(inner[end]) {
			end++
		}
		return inner[:end], inner[end:], end > 0
	}
	return "", "", false
}
