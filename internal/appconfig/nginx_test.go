package appconfig

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said is an answer in one line.
func said(a Answer, ok bool) string {
	if !ok {
		return "none"
	}
	words := []string{map[Verdict]string{Undecided: "undecided", Local: "local", Depends: "depends"}[a.Verdict]}
	if a.Verdict == Depends && a.Proven {
		words = append(words, "proven")
	}
	if a.Dependency != "" {
		words = append(words, a.Dependency)
	}
	for _, s := range a.Servers {
		words = append(words, strings.Trim(fmt.Sprintf("%s@%s:%s", s.Product, s.Host, s.Port), "@:"))
	}
	if a.Any {
		words = append(words, "any")
	}
	if a.Variable != "" {
		words = append(words, a.Variable+"="+a.Value)
	}
	return strings.Join(words, " ")
}

// file is a mounted file.
func file(name, text string) Setting {
	return Setting{Name: name, Value: text, Known: true, Exact: true}
}

func TestNginxAnswersARequestAsItsConfigurationSays(t *testing.T) {
	t.Parallel()
	const remote = "proxy_pass http://api:8000;"
	for name, tc := range map[string]struct{ server, path, want string }{
		"an exact location":                    {`location = /ok { return 200; } location / { ` + remote + ` }`, "/ok", "local"},
		"an exact location is not a prefix":    {`location = /ok { return 200; } location / { ` + remote + ` }`, "/ok/", "depends proven api:8000"},
		"the longest prefix":                   {`location / { return 200; } location /api/ { ` + remote + ` }`, "/api/x", "depends proven api:8000"},
		"a pattern beats a prefix":             {`location /api { return 200; } location ~ \.php$ { ` + remote + ` }`, "/api/x.php", "depends proven api:8000"},
		"a marked prefix beats a pattern":      {`location ^~ /api { return 200; } location ~ \.php$ { ` + remote + ` }`, "/api/x.php", "local"},
		"the first pattern of several":         {`location ~ ^/a { return 204; } location ~ ^/ab { ` + remote + ` }`, "/ab", "local"},
		"a pattern without case":               {`location ~* ^/HEALTH$ { ` + remote + ` }`, "/health", "depends proven api:8000"},
		"a pattern that RE2 cannot read":       {`location ~ ^/(?!x) { return 200; }`, "/y", "undecided"},
		"no location":                          {`root /srv;`, "/ok", "local"},
		"files":                                {`location / { root /srv; index index.html; }`, "/", "local"},
		"its own status":                       {`location /status { stub_status; } location / { ` + remote + ` }`, "/status", "local"},
		"a server that answers all":            {`return 301 https://$host$request_uri; location / { ` + remote + ` }`, "/", "local"},
		"a nested location":                    {`location /a/ { location /a/b/ { ` + remote + ` } return 200; }`, "/a/b/c", "depends proven api:8000"},
		"the query is no part of the path":     {`location = /ok { return 200; } location / { ` + remote + ` }`, "/ok?full=1", "local"},
		"loopback":                             {`location / { proxy_pass http://127.0.0.1:9000; }`, "/", "undecided"},
		"localhost":                            {`location / { proxy_pass http://localhost; }`, "/", "undecided"},
		"a socket":                             {`location / { fastcgi_pass unix:/run/php.sock; }`, "/", "undecided"},
		"FastCGI elsewhere":                    {`location / { fastcgi_pass php:9000; }`, "/", "depends proven php:9000"},
		"gRPC with TLS":                        {`location / { grpc_pass grpcs://api; }`, "/", "depends proven api:443"},
		"a variable that is set":               {`set $up http://api:81; location / { proxy_pass $up; }`, "/", "depends proven api:81"},
		"a variable that is not":               {`location / { proxy_pass http://$up; }`, "/", "undecided"},
		"an error page with another status":    {`error_page 502 =200 /ok.html; location / { ` + remote + ` }`, "/", "undecided"},
		"an error page with the same status":   {`error_page 502 /50x.html; location / { ` + remote + ` }`, "/", "depends proven api:8000"},
		"a cache that outlives the server":     {`location / { proxy_cache_use_stale error; ` + remote + ` }`, "/", "undecided"},
		"files first, then a server":           {`location / { try_files $uri @app; } location @app { ` + remote + ` }`, "/", "depends api:8000"},
		"files first, then a page":             {`location / { try_files $uri /index.html; } location = /index.html { root /srv; }`, "/x", "local"},
		"files or nothing":                     {`location / { try_files $uri =404; }`, "/x", "local"},
		"a subrequest before":                  {`location / { auth_request /auth; root /srv; } location = /auth { ` + remote + ` }`, "/", "depends proven api:8000"},
		"no subrequest":                        {`location / { auth_request off; root /srv; } location = /auth { ` + remote + ` }`, "/", "local"},
		"a rewrite":                            {`rewrite ^/old/(.*)$ /new/$1 last; location /new/ { ` + remote + ` } location / { return 200; }`, "/old/x", "depends proven api:8000"},
		"a rewrite of others":                  {`rewrite ^/old/ /new/ last; location / { return 200; }`, "/x", "local"},
		"a condition that may pass":            {`location / { if ($arg_x) { ` + remote + ` } return 200; }`, "/", "undecided"},
		"Lua":                                  {`location / { content_by_lua_block { local x = { a = 1 }; ngx.say("}") } }`, "/", "undecided"},
		"a comment with braces":                {"# location / {\nlocation / { return 200; }", "/", "local"},
		"quotes and escapes":                   {`location "/a b" { return 200 "; }"; } location / { ` + remote + ` }`, "/a b", "local"},
		"an internal redirect that never ends": {`location / { try_files $uri /x; }`, "/", "undecided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := Container{Files: []Setting{file("/etc/nginx/conf.d/default.conf", "server {\n  listen 8080;\n  "+tc.server+"\n}\n")}}
			if diff := cmp.Diff(tc.want, said(Nginx(c, Request{Port: 8080, Path: tc.path}))); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNginxPicksTheServerByPortNameAndDefault(t *testing.T) {
	t.Parallel()
	const text = `
upstream apis { server a:1; server b:2; }
server { listen 80; location / { return 200; } }
server { listen 8080; server_name one; location / { return 200; } }
server { listen [::]:8080 default_server; location / { proxy_pass http://apis/; } }
server { listen unix:/run/x.sock; location / { proxy_pass http://no; } }
`
	for name, tc := range map[string]struct {
		request Request
		want    string
	}{
		"by port":              {Request{Port: 80, Path: "/"}, "local"},
		"the default":          {Request{Port: 8080, Path: "/"}, "depends proven a:1 b:2 any"},
		"by name":              {Request{Port: 8080, Path: "/", Host: "one"}, "local"},
		"a name that none has": {Request{Port: 8080, Path: "/", Host: "two"}, "depends proven a:1 b:2 any"},
		"a port that none has": {Request{Port: 9090, Path: "/"}, "undecided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := Container{Files: []Setting{file("/etc/nginx/conf.d/a.conf", text)}}
			if diff := cmp.Diff(tc.want, said(Nginx(c, tc.request))); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNginxReadsItsFilesFromWhereTheyAre(t *testing.T) {
	t.Parallel()
	const site = "server { listen 80; location / { proxy_pass http://${BACKEND}; } }"
	for name, tc := range map[string]struct {
		container Container
		want      string
	}{
		"none":         {Container{Files: []Setting{file("/etc/app/nginx.txt", site)}}, "none"},
		"a broken one": {Container{Files: []Setting{file("/etc/nginx/nginx.conf", "http { server {")}}, "undecided"},
		"a main file":  {Container{Files: []Setting{file("/etc/nginx/nginx.conf", "events {} http { server { location / { return 200; } } }")}}, "local"},
		"with includes": {Container{Files: []Setting{
			file("/etc/nginx/nginx.conf", "http { include mime.types; include sites/*.conf; }"),
			file("/etc/nginx/sites/a.conf", "server { location / { proxy_pass http://api; } }"),
		}}, "depends proven api:80"},
		"with an include that is not here": {Container{Files: []Setting{
			file("/etc/nginx/nginx.conf", "http { include sites/*.conf; server { location / { proxy_pass http://api; } } }"),
		}}, "depends api:80"},
		"an include of itself": {Container{Files: []Setting{file("/etc/nginx/nginx.conf", "http { include nginx.conf; }")}}, "undecided"},
		"named on the command line": {Container{
			Arguments: []Setting{{Value: "nginx", Known: true}, {Value: "-c", Known: true}, {Value: "/conf/my.conf", Known: true}},
			Files:     []Setting{file("/conf/my.conf", "http { server { location / { proxy_pass http://api; } } }")},
		}, "depends proven api:80"},
		"a template": {Container{
			Variables: []Setting{{Name: "BACKEND", Value: "api:7", Known: true}},
			Files:     []Setting{file("/etc/nginx/templates/default.conf.template", site)},
		}, "depends proven api:7"},
		"a template with a value that is not here": {Container{Files: []Setting{file("/etc/nginx/templates/default.conf.template", site)}}, "undecided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, said(Nginx(tc.container, Request{Port: 80, Path: "/"}))); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzNginx(f *testing.F) {
	f.Add("server { listen 80; location ~ ^/a { proxy_pass http://b; } }", "/a")
	f.Add("http { include *.conf; } # {", "/")
	f.Fuzz(func(_ *testing.T, text, path string) {
		for _, name := range []string{"/etc/nginx/nginx.conf", "/etc/nginx/conf.d/a.conf"} {
			Nginx(Container{Files: []Setting{file(name, text)}}, Request{Port: 80, Path: path})
		}
	})
}
