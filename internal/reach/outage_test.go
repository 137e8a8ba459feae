package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyAnOutageThatFailsTheProbeDecides(t *testing.T) {
	t.Parallel()
	const (
		nc      = "service orders-db:5432 [StatefulSet orders-db] via nc "
		pg      = "service orders-db:5432 (PostgreSQL) [StatefulSet orders-db] via pg_isready "
		curl    = "service orders-db:80 [StatefulSet orders-db] via curl "
		cache   = "service cache:6379 (Redis) [cache.abc.cache.amazonaws.com] via redis-cli "
		waits   = "decides: the probe waits until it times out"
		one     = "decides: the probe exits 1"
		two     = "decides: the probe exits 2"
		forgive = "tolerated"
	)
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"|| exit 1", "pg_isready -h orders-db || exit 1", []string{pg + one}},
		{"if then exit", "if ! pg_isready -h orders-db; then exit 1; fi", []string{pg + one}},
		{"set -e", "set -e\npg_isready -h orders-db\ntrue", []string{pg + two}},
		{"last command of several", "true; pg_isready -h orders-db", []string{pg + two}},
		{"a pipe into grep", "pg_isready -h orders-db | grep accepting", []string{pg + one}},
		{"pipefail", "set -o pipefail; pg_isready -h orders-db | cat", []string{pg + two}},
		{"&& chain", "test 1 -eq 1 && pg_isready -h orders-db && true", []string{pg + two}},
		{"a function", "check() { pg_isready -h \"$1\"; }\ncheck orders-db", []string{pg + two}},
		{"a loop that gives up", "for i in 1 2 3; do nc -z orders-db 5432 && exit 0; sleep 1; done; exit 1", []string{nc + one}},
		{"a loop that never gives up", "until nc -z orders-db 5432; do sleep 1; done", []string{nc + waits}},
		{"a loop without a sleep", "while ! nc -z orders-db 5432; do :; done", []string{nc + waits}},
		{"a retry under timeout", "timeout 5 sh -c 'until nc -z orders-db 5432; do sleep 1; done'", []string{nc + "decides: the probe exits 124"}},
		{"case on the answer", "case \"$(redis-cli -h cache ping)\" in PONG) exit 0;; *) exit 1;; esac", []string{cache + one}},
		{"[[ ]] on the answer", "r=$(redis-cli -h cache ping)\n[[ \"$r\" == PONG ]]", []string{cache + one}},
		{"[ ] with !=", "if [ \"$(redis-cli -h cache ping)\" != PONG ]; then exit 1; fi", []string{cache + one}},
		{"an HTTP status", "s=$(curl -s -o /dev/null -w '%{http_code}' http://orders-db/); [ \"$s\" -eq 200 ]", []string{curl + one}},
		{"a body that is searched", "curl -s http://orders-db/ | grep -q '\"ok\"'", []string{curl + one}},
		{"a body that jq reads", "curl -s http://orders-db/ | jq -e .ok", []string{curl + "decides: the probe exits 4"}},
		{"arithmetic", "n=0; nc -z orders-db 5432 || n=$((n+1)); [ $n -eq 0 ]", []string{nc + one}},
		{"(( ))", "n=0; nc -z orders-db 5432 || n=1; (( n == 0 ))", []string{nc + one}},
		{"$?", "nc -z orders-db 5432\nif [ $? -ne 0 ]; then exit 1; fi", []string{nc + one}},
		{"a here-document", "sh <<EOF\nnc -z orders-db 5432\nEOF", []string{nc + one}},
		{"a here-string", "grep -q PONG <<< \"$(redis-cli -h cache ping)\"", []string{cache + one}},
		{"process substitution", "grep -q PONG <(redis-cli -h cache ping)", []string{cache + one}},
		{"a background job and wait", "nc -z orders-db 5432 & wait $!", []string{nc + one}},
		{"eval", "eval \"nc -z orders-db 5432\"", []string{nc + one}},
		{"a program held in a variable", "C='nc -z'; $C orders-db 5432", []string{nc + one}},
		{"a file descriptor", "exec 3<>/dev/tcp/orders-db/5432 || exit 3; echo x >&3", []string{"service orders-db:5432 [StatefulSet orders-db] via /dev/tcp decides: the probe exits 3"}},
		{"a temporary file", "redis-cli -h cache ping > /tmp/out; grep -q PONG /tmp/out", []string{cache + one}},
		{"xargs", "echo orders-db | xargs -n1 pg_isready -h", []string{pg + "decides: the probe exits 123"}},
		{"one of two is enough", "nc -z orders-db 5432 || nc -z localhost 1", []string{nc + forgive}},
		{"brace groups and subshells", "{ ( nc -z orders-db 5432 ) }", []string{nc + one}},
		{"trap keeps the status", "trap 'rm -f /tmp/x' EXIT; nc -z orders-db 5432", []string{nc + one}},
		{"a list of servers fails together", "mongosh mongodb://m-0.m.d.svc,m-1.m.d.svc/x --eval 1", []string{
			"cluster m-0.m.d.svc:27017 (MongoDB) via mongosh decides: the probe fails", "cluster m-1.m.d.svc:27017 (MongoDB) via mongosh decides: the probe fails",
		}},

		{"an answer cut up", "redis-cli -h cache info | awk '{print $2}' | grep -q ok", []string{cache + one}},
		{"an address looked up first", "nc -z $(getent hosts orders-db | awk '{print $1}') 5432", []string{"cluster (DNS) via getent tolerated", nc + one}},
		{"a host cut out of a URL", "U=redis://:p@cache:6379/0; redis-cli -h $(echo $U | sed -e 's|.*@||' -e 's|:.*||') ping", []string{cache + one}},

		{"an outage that is wanted", "! nc -z orders-db 5432", []string{nc + "tolerated likely"}},
		{"|| true", "nc -z orders-db 5432 || true", []string{nc + forgive}},
		{"|| :", "nc -z orders-db 5432 || :", []string{nc + forgive}},
		{"|| echo", "nc -z orders-db 5432 || echo down", []string{nc + forgive}},
		{"; true", "nc -z orders-db 5432; true", []string{nc + forgive}},
		{"; exit 0", "nc -z orders-db 5432; exit 0", []string{nc + forgive}},
		{"a failure branch that exits 0", "if ! nc -z orders-db 5432; then exit 0; fi\ncurl -f http://localhost/", []string{nc + forgive, "self localhost:80 via curl decides: the probe exits 7"}},
		{"a condition that only warns", "if ! nc -z orders-db 5432; then echo warn; fi", []string{nc + forgive}},
		{"without pipefail", "pg_isready -h orders-db | cat", []string{pg + forgive}},
		{"in a background job", "nc -z orders-db 5432 & sleep 1", []string{nc + forgive}},
		{"in a substitution that nobody reads", "x=$(nc -z orders-db 5432); true", []string{nc + forgive}},
		{"curl's status is not looked at", "curl -s -o /dev/null -w '%{http_code}' http://orders-db/ | cat", []string{curl + forgive}},
		{"trap turns it into success", "trap 'exit 0' EXIT; nc -z orders-db 5432", []string{nc + forgive}},
		{"a function nobody calls", "check() { nc -z orders-db 5432; }\ntrue", nil},
		{"behind exit", "exit 0\nnc -z orders-db 5432", nil},
		{"behind a known condition", "if [ 1 = 2 ]; then nc -z orders-db 5432; fi", nil},
		{"in a comment", "# nc -z orders-db 5432\ntrue", nil},
		{"in a string", "echo 'nc -z orders-db 5432'", nil},
		{"in a here-document of cat", "cat <<EOF\nnc -z orders-db 5432\nEOF", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for range 3 { // both ends of a pipe run at once: the answer may not depend on which is first
				if diff := cmp.Diff(tc.want, summaries(run(t, command("bash", "-c", tc.text)))); diff != "" {
					t.Fatalf("targets (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestWhatTheBundleDoesNotShowMakesAFindingLikelyOrNone(t *testing.T) {
	t.Parallel()
	const pg = "service orders-db:5432 (PostgreSQL) [StatefulSet orders-db] via pg_isready "
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"an unknown program before", "setup && pg_isready -h orders-db", []string{pg + "decides: the probe exits 2"}},
		{"an unknown program after", "pg_isready -h orders-db && teardown", []string{pg + "decides: the probe exits 2"}},
		{"an unknown program instead", "mycheck || pg_isready -h orders-db", nil},
		{"an unknown mode", "if [ \"$MODE\" = worker ]; then pg_isready -h orders-db; fi", []string{pg + "decides likely: the probe exits 2"}},
		{"an unknown file", "[ -f /tmp/maintenance ] && exit 0\npg_isready -h orders-db", []string{pg + "decides likely: the probe exits 2"}},
		{"the outcome hangs on an unknown program", "pg_isready -h orders-db; mycheck", []string{pg + "tolerated"}},
		{"an image's library that is sourced first", ". /opt/lib.sh\npg_isready -h orders-db", []string{pg + "decides: the probe exits 2"}},
		{"no healthy run", "pg_isready -h orders-db; exit 1", []string{pg + "assumed likely"}},
		{"text that does not parse", "if pg_isready -h orders-db", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, summaries(run(t, shell(tc.text)))); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProbesThatCannotFailAreTold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"true":                               true,
		"exit 0":                             true,
		"curl -f http://localhost/ || true":  true,
		"nc -z orders-db 5432; exit 0":       true,
		"echo ok":                            true,
		"mycheck; exit 0":                    false, // what it does is not known
		"false":                              false,
		"cat /tmp/healthy":                   false,
		"test -f /tmp/healthy":               false,
		"[ -f /tmp/healthy ] || exit 1":      false,
		"pgrep nginx":                        false,
		"curl http://localhost/":             false,
		"mycheck":                            false,
		"if [ \"$X\" = y ]; then exit 1; fi": false,
		"kill -0 1":                          false,
		"[[ $(pgrep -c worker) -gt 0 ]]":     false,
	} {
		if got := run(t, shell(text)).NeverFails; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A refusal is tolerated; a server that does not answer at all keeps the check waiting until the kubelet gives up.
func TestATolerantCheckMayStillHang(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"nc -z orders-db 5432 || true":                                                     true,
		"nc -z orders-db 5432; exit 0":                                                     true,
		"curl -fs http://orders-db/ || echo down":                                          true,
		"(echo > /dev/tcp/orders-db/5432) 2>/dev/null || true":                             true,
		"psql -h orders-db -c 'select 1' || true":                                          true,
		"redis-cli -h cache ping || true":                                                  true,
		"nc -w 3 -z orders-db 5432 || true":                                                true, // waits longer than timeoutSeconds, which is 1
		"nc -w 1 -z orders-db 5432 || true":                                                false,
		"timeout 1 nc -z orders-db 5432 || true":                                           false,
		"timeout 0.5 bash -c '</dev/tcp/orders-db/5432' || true":                           false,
		"curl -fs -m 1 http://orders-db/ || true":                                          false,
		"curl -fs --max-time $T http://orders-db/ || true":                                 false, // not known
		"pg_isready -h orders-db || true":                                                  true,  // its own timeout is 3 s
		"pg_isready -t 1 -h orders-db || true":                                             false,
		"PGCONNECT_TIMEOUT=1 psql -h orders-db || true":                                    false,
		"psql 'host=orders-db connect_timeout=1' || true":                                  false,
		"grpc_health_probe -addr=orders-db:1 || true":                                      false,
		"mycheck orders-db || true":                                                        false,
		"nc -z localhost 5432 || true":                                                     false, // the pod itself
		"nc -z orders-db 5432 & exit 0":                                                    false, // nobody waits
		"[ -f /tmp/deep ] && nc -z orders-db 5432 || true":                                 false, // not on every way
		"celery -A app inspect ping || true":                                               false, // how long it waits is not known
		"python3 -c 'import socket; socket.create_connection((\"orders-db\", 1))' || true": false,
	} {
		hangs := false
		for _, target := range run(t, command("bash", "-c", text)).Targets {
			hangs = hangs || target.Hangs
			if target.Hangs && target.Decides {
				t.Errorf("%s: decides and hangs", text)
			}
		}
		if hangs != want {
			t.Errorf("%s: %v", text, hangs)
		}
	}
}
