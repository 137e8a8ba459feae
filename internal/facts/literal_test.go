package facts_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/facts"
)

const env = `env:
- {name: DB_HOST, value: orders-db}
- {name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: db, key: password}}}
- {name: REGION, value: "${REGION}"}
`

func literalLines(p facts.Probe) []string {
	out := []string{}
	for _, l := range p.Literals {
		out = append(out, fmt.Sprintf("%v %s %s name=%s certain=%v", l.Path[len(l.Path)-1], l.Kind, l.Text, l.Name, l.Certain))
	}
	return out
}

func TestLiteralsOfACommand(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		command string
		envFrom bool
		want    []string
		shell   []string
	}{
		"a variable without a shell": {
			command: `[pg_isready, -h, $DB_HOST]`,
			want:    []string{"2 variable $DB_HOST name=DB_HOST certain=true"},
			shell:   []string{"sh", "-c", `pg_isready -h "$DB_HOST"`},
		},
		"a variable inside a word": {
			command: `[curl, -f, "http://${DB_HOST}:80/a b"]`,
			want:    []string{"2 variable ${DB_HOST} name=DB_HOST certain=true"},
			shell:   []string{"sh", "-c", `curl -f "http://${DB_HOST}:80/a b"`},
		},
		"a variable of nobody": {
			command: `[redis-cli, -a, $REDIS_PASSWORD]`,
			want:    []string{"2 variable $REDIS_PASSWORD name=REDIS_PASSWORD certain=false"},
			shell:   []string{"sh", "-c", `redis-cli -a "$REDIS_PASSWORD"`},
		},
		"a variable of nobody inside a word": {
			command: `[grpc_health_probe, "-addr=:$PORT"]`,
			want:    []string{"1 variable $PORT name=PORT certain=false"},
			shell:   []string{"sh", "-c", `grpc_health_probe "-addr=:$PORT"`},
		},
		"a password of nobody": {
			command: `[mysqladmin, ping, "-p$MYSQL_ROOT_PASSWORD"]`,
			want:    []string{"2 variable $MYSQL_ROOT_PASSWORD name=MYSQL_ROOT_PASSWORD certain=false"},
			shell:   []string{"sh", "-c", `mysqladmin ping "-p$MYSQL_ROOT_PASSWORD"`},
		},
		"two tests in one": {
			command: `[test, -f, /a, "&&", test, -f, /b]`,
			want:    []string{"3 operator && name= certain=true"},
			shell:   []string{"sh", "-c", `test -f /a && test -f /b`},
		},
		"a variable of envFrom": {
			command: `[redis-cli, -a, $REDIS_PASSWORD]`, envFrom: true,
			want:  []string{"2 variable $REDIS_PASSWORD name=REDIS_PASSWORD certain=true"},
			shell: []string{"sh", "-c", `redis-cli -a "$REDIS_PASSWORD"`},
		},
		"a pipe without a shell": {
			command: `[redis-cli, ping, "|", grep, PONG]`,
			want:    []string{"2 operator | name= certain=true"},
			shell:   []string{"sh", "-c", `redis-cli ping | grep PONG`},
		},
		"a redirect without a shell": {
			command: `[nc, -z, localhost, "80", ">/dev/null"]`,
			want:    []string{"4 operator >/dev/null name= certain=true"},
			shell:   []string{"sh", "-c", `nc -z localhost 80 >/dev/null`},
		},
		"a command line as one word": {
			command: `["curl -f http://localhost:8080/livez"]`,
			want:    []string{"0 program curl -f http://localhost:8080/livez name= certain=true"},
			shell:   []string{"sh", "-c", "curl -f http://localhost:8080/livez"},
		},
		"a substitution without a shell": {
			command: `[curl, -f, "http://$(hostname -i):80"]`,
			want:    []string{"2 substitution $(hostname -i) name=hostname -i certain=true"},
			shell:   []string{"sh", "-c", `curl -f "http://$(hostname -i):80"`},
		},
		"a Secret in parentheses": {
			command: `[sh, -c, "redis-cli -a $(DB_PASSWORD) ping"]`,
			want:    []string{"2 empty $(DB_PASSWORD) name=DB_PASSWORD certain=true"},
			shell:   []string{"sh", "-c", "redis-cli -a $DB_PASSWORD ping"},
		},
		"envFrom in parentheses": {
			command: `[sh, -c, "redis-cli -a $(CACHE_PASSWORD)x ping"]`, envFrom: true,
			want:  []string{"2 unexpanded $(CACHE_PASSWORD) name=CACHE_PASSWORD certain=true"},
			shell: []string{"sh", "-c", "redis-cli -a ${CACHE_PASSWORD}x ping"},
		},
		"nobody's variable in parentheses": {
			command: `[redis-cli, -a, $(CACHE_PASSWORD)]`,
			want:    []string{"2 unexpanded $(CACHE_PASSWORD) name=CACHE_PASSWORD certain=false"},
			shell:   []string{"sh", "-c", `redis-cli -a "$CACHE_PASSWORD"`},
		},
		"each text once": {
			command: `[nc, $DB_HOST, $DB_HOST]`,
			want:    []string{"1 variable $DB_HOST name=DB_HOST certain=true"},
			shell:   []string{"sh", "-c", `nc "$DB_HOST" "$DB_HOST"`},
		},
		"the hostname is everywhere": {
			command: `[celery, inspect, ping, -d, "celery@$HOSTNAME"]`,
			want:    []string{"4 variable $HOSTNAME name=HOSTNAME certain=true"},
			shell:   []string{"sh", "-c", `celery inspect ping -d "celery@$HOSTNAME"`},
		},

		"a plain value in parentheses":     {command: `[pg_isready, -h, $(DB_HOST)]`},
		"escaped":                          {command: `[echo, $$(DB_HOST), "\\$DB_HOST", $$DB_HOST]`},
		"a shell":                          {command: `[sh, -c, "pg_isready -h $DB_HOST | grep ok && true > /dev/null"]`},
		"a shell behind a wrapper":         {command: `[timeout, "5", /bin/bash, -ec, "pg_isready -h $DB_HOST"]`},
		"a substitution in a shell":        {command: `[sh, -c, "curl $(hostname -i)"]`},
		"a dollar by itself":               {command: `[grep, -q, "^ok$", /tmp/state]`},
		"a pattern":                        {command: `[grep, -q, "$", /tmp/state]`},
		"awk's fields":                     {command: `[awk, "$NF > 1 {print $DB_HOST}", /tmp/state]`},
		"a price in a password":            {command: `[mysqladmin, "-ppa$WORD", ping]`},
		"a placeholder of envsubst":        {command: `[check, "${BUILD_ID}"]`},
		"a variable that is a placeholder": {command: `[check, "${REGION}", $REGION]`},
		"an operand of test":               {command: `[test, a, ">", b]`},
		"find's semicolon":                 {command: `[find, /tmp, -exec, ls, "{}", ;]`},
		"a query":                          {command: `[mongosh, --eval, "db.x.find({$DB_HOST: 1})"]`},
		"a Python program":                 {command: `[python3, -c, "print('$DB_HOST' > 1)"]`},
		"a path with a blank":              {command: `["/opt/my app/check", --fast]`},
		"no words":                         {command: `[]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			container := env
			if tc.envFrom {
				container += "envFrom: [{secretRef: {name: cache}}]\n"
			}
			container += "livenessProbe:\n  exec:\n    command: " + tc.command
			p := workloads(one(t, deployment("api", "", container)))["Deployment api"].Containers[0].Probes[0]
			if diff := cmp.Diff(append([]string{}, tc.want...), literalLines(p)); diff != "" {
				t.Errorf("literals (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.shell, p.Shell); diff != "" {
				t.Errorf("command for a shell (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLiteralsOfARequest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		probe string
		want  []string
	}{
		"a path":            {"httpGet: {path: /a?host=$(DB_HOST), port: 80}", []string{"path request $(DB_HOST) name=DB_HOST certain=true"}},
		"a header":          {"httpGet:\n  port: 80\n  httpHeaders: [{name: Host, value: $DB_HOST}]", []string{"value request $DB_HOST name=DB_HOST certain=true"}},
		"nobody's variable": {`httpGet: {path: "/$(X)/${DB_HOST}", port: 80}`, nil},
		"a query with $":    {"httpGet: {path: /odata?$filter=a, port: 80}", nil},
		"a service":         {"grpc: {port: 80, service: a.B}", nil},
		"nothing":           {"tcpSocket: {port: 80}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := workloads(one(t, deployment("api", "", env+"livenessProbe:\n"+indent(tc.probe, 2))))["Deployment api"]
			if diff := cmp.Diff(append([]string{}, tc.want...), literalLines(w.Containers[0].Probes[0])); diff != "" {
				t.Errorf("literals (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCurlThatLeavesTheStatusOut(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		`[curl, "http://localhost:8080/health"]`:                "http://localhost:8080/health",
		`[curl, -s, -o, /dev/null, localhost:8080/health]`:      "localhost:8080/health",
		`[sh, -c, "curl -sS --max-time 2 'http://localhost/'"]`: "http://localhost/",
		`[curl, -k, -H, "Host: a", --url, "https://localhost"]`: "https://localhost",
		`[curl, -f, "http://localhost"]`:                        "",
		`[curl, -sSfk, "http://localhost"]`:                     "",
		`[curl, --fail-with-body, "http://localhost"]`:          "",
		`[curl, -w, "%{http_code}", "http://localhost"]`:        "",
		`[curl, "http://a", "http://b"]`:                        "",
		`[curl, "telnet://localhost:80"]`:                       "",
		`[curl]`:                                                "",
		`[wget, -q, "http://localhost"]`:                        "",
		`[sh, -c, "curl -s http://localhost | grep ok"]`:        "",
		`[sh, -c, "[ $(curl -s http://localhost) = ok ]"]`:      "",
		`[sh, -c, "curl -s http://localhost && test -f /a"]`:    "",
		`[sh, -c, "! curl -s http://localhost"]`:                "",
		`[sh, /check.sh]`:                                       "",
		`[sh, -c, "if"]`:                                        "",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := workloads(one(t, deployment("api", "", "livenessProbe:\n  exec:\n    command: "+command)))["Deployment api"]
			if diff := cmp.Diff(want, w.Containers[0].Probes[0].BlindCurl); diff != "" {
				t.Errorf("URL (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzCommand gives probes arbitrary words: whatever they are, the facts come out, and the command for a shell keeps the words of
// a command that a shell runs already.
func FuzzCommand(f *testing.F) {
	for _, seed := range []string{"$DB_HOST", "$(DB_HOST)", "${X", "$$", "\\", "sh", "curl", "a b", "|", "$(", "`id`", "'", "\x00"} {
		f.Add(seed, "-c", seed)
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		command, err := json.Marshal([]string{a, b, c})
		if err != nil {
			t.Fatal(err)
		}
		w := workloads(one(t, deployment("api", "", env+"livenessProbe:\n  exec:\n    command: "+string(command))))["Deployment api"]
		if w == nil || len(w.Containers[0].Probes) == 0 {
			return // the text made no manifest
		}
		p := w.Containers[0].Probes[0]
		if len(p.Literals) > 0 && len(p.Shell) != 3 {
			t.Errorf("command for a shell: %q", p.Shell)
		}
	})
}
