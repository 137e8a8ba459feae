package reach_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/reach"
)

// adversarialEnv is what the containers of these tests see.
const adversarialEnv = `env=[{name: DB_HOST, value: orders-db}, {name: DB_PORT, value: "5432"}, {name: REDIS_HOST, value: cache}, ` +
	`{name: API_URL, value: "http://orders-db:8008/ready"}, {name: NAME_OF_HOST, value: DB_HOST}, {name: LOCAL, value: 127.0.0.1}, ` +
	`{name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}, {name: HIDDEN, valueFrom: {secretKeyRef: {name: elsewhere, key: h}}}]`

// adversary is a probe and what decides it from outside the pod: hosts, or what is asked where no host is known; a "?" behind it says that this
// is only likely.
type adversary struct {
	name, shell, script string
	want                []string
}

// deciding lists the remote targets that decide.
func deciding(r reach.Result) []string {
	var out []string
	for _, t := range r.Targets {
		if !t.Decides || !t.Place.Remote() {
			continue
		}
		name := t.Host
		if name == "" {
			name = t.Dependency
		}
		if t.Confidence == reach.Likely {
			name += "?"
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func challenge(t *testing.T, cases []adversary) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			probe := command(tc.shell, "-c", tc.script)
			for range 2 {
				if diff := cmp.Diff(tc.want, deciding(run(t, probe, adversarialEnv))); diff != "" {
					t.Fatalf("%s\nremote targets that decide (-want +got):\n%s", tc.script, diff)
				}
			}
		})
	}
}

func TestDependenciesAreFoundBehindEveryShellConstruct(t *testing.T) {
	t.Parallel()
	db, cache := []string{"orders-db"}, []string{"cache"}
	challenge(t, []adversary{
		{"empty output is a failure", "sh", `[ -z "$(redis-cli -h $REDIS_HOST ping)" ] && exit 1; exit 0`, cache},
		{"a non-empty answer is wanted", "sh", `test -n "$(redis-cli -h $REDIS_HOST ping)"`, cache},
		{"test with -a", "sh", `r=$(redis-cli -h $REDIS_HOST ping); [ -n "$r" -a "$r" = PONG ]`, cache},
		{"test with -o", "sh", `r=$(redis-cli -h $REDIS_HOST ping); if [ "$r" = LOADING -o "$r" = PONG ]; then exit 0; fi; exit 1`, cache},
		{"grep -c compared", "sh", `n=$(redis-cli -h $REDIS_HOST ping | grep -c PONG); [ "$n" -gt 0 ]`, cache},
		{"wc -l compared", "sh", `[ $(curl -s "$API_URL" | wc -l) -ge 1 ]`, db},
		{"wc -c of a body", "sh", `test "$(curl -s $API_URL | wc -c)" -ne 0`, db},
		{"awk exits by the answer", "sh", `curl -s $API_URL | awk '/ok/ {found=1} END {exit !found}'`, db},
		{"awk compares a field", "sh", `redis-cli -h $REDIS_HOST info | awk -F: '$1 == "role" && $2 ~ /master/ {ok=1} END {exit ok ? 0 : 1}'`, cache},
		{"sed -n picks the line that is tested", "sh", `v=$(curl -s $API_URL | sed -n '1p'); [ "$v" = ok ]`, db},
		{"sed -n substitutes", "sh", `s=$(curl -s $API_URL | sed -n 's/.*"status":"\([a-z]*\)".*/\1/p'); [ "$s" = up ]`, db},
		{"cut out of a list", "sh", `servers="orders-db:5432,localhost:1"; h=$(echo $servers | cut -d, -f1 | cut -d: -f1); nc -z $h 5432`, db},
		{"printf builds the address", "sh", `u=$(printf 'http://%s:%d/' "$DB_HOST" 8008); curl -fs "$u"`, db},
		{"printf -v", "bash", `printf -v u 'http://%s/' "$DB_HOST"; curl -fs "$u"`, db},
		{"tr makes words of a list", "sh", `for h in $(echo "orders-db,cache" | tr ',' ' '); do nc -z $h 5432 || exit 1; done`, []string{"cache", "orders-db"}},
		{"tr lower-cases the name", "sh", `h=$(echo ORDERS-DB | tr A-Z a-z); nc -z $h 5432`, db},
		{"a here-string read into words", "bash", `read -r h p <<< "$DB_HOST $DB_PORT"; nc -z $h $p`, db},
		{"getopts", "sh", `check() { while getopts "h:p:" o; do case $o in h) host=$OPTARG;; p) port=$OPTARG;; esac; done; nc -z "$host" "$port"; }; check -h orders-db -p 5432`, db},
		{"shift through arguments", "sh", `set -- --host orders-db --port 5432; while [ $# -gt 0 ]; do case "$1" in --host) h=$2; shift 2;; --port) p=$2; shift 2;; esac; done; nc -z $h $p`, db},
		{"local variables and return", "bash", `alive() { local host=$1; local rc; nc -z "$host" 5432; rc=$?; return $rc; }; alive "$DB_HOST"`, db},
		{"return of a status that is tested", "sh", `f() { pg_isready -h $DB_HOST -q || return 3; }; f; [ $? -eq 0 ] || exit 4`, db},
		{"a function calls a function", "sh", `inner() { pg_isready -h "$1"; }; outer() { inner "$1" && return 0; return 1; }; outer $DB_HOST`, db},
		{"a function defined in a function", "sh", `outer() { inner() { nc -z $DB_HOST 5432; }; inner; }; outer`, db},
		{"set -u with everything set", "sh", `set -u; pg_isready -h "$DB_HOST" -p "$DB_PORT"`, db},
		{"set -eu -o pipefail", "bash", "set -eu -o pipefail\npg_isready -h \"$DB_HOST\" | tee /tmp/out\necho done", db},
		{"trap on ERR", "bash", `trap 'exit 9' ERR; pg_isready -h $DB_HOST; true`, db},
		{"trap on EXIT that keeps the status", "bash", `trap 'rm -f /tmp/lock' EXIT; pg_isready -h $DB_HOST`, db},
		{"everything is sent to /dev/null first", "sh", `exec >/dev/null 2>&1; pg_isready -h $DB_HOST`, db},
		{"output goes to process 1", "sh", `pg_isready -h $DB_HOST > /proc/1/fd/1 2>&1`, db},
		{"a log line to process 1 on failure", "sh", `nc -z $DB_HOST 5432 || { echo "db down" > /proc/1/fd/2; exit 1; }`, db},
		{"an endless loop with a way out", "sh", `i=0; while :; do nc -z $DB_HOST 5432 && exit 0; i=$((i+1)); [ $i -ge 3 ] && exit 1; sleep 1; done`, db},
		{"seq", "sh", `for i in $(seq 1 3); do nc -z $DB_HOST 5432 && exit 0; done; exit 1`, db},
		{"expr counts", "sh", `n=0; nc -z $DB_HOST 5432 || n=$(expr $n + 1); test $n -eq 0`, db},
		{"let counts", "bash", `n=0; nc -z $DB_HOST 5432 || let n+=1; [ $n -eq 0 ]`, db},
		{"(( )) counts", "bash", `n=0; nc -z $DB_HOST 5432 || (( n++ )); (( n == 0 ))`, db},
		{"a C-style loop", "bash", `for ((i=0; i<3; i++)); do nc -z $DB_HOST 5432 && exit 0; done; exit 1`, db},
		{"${x:+}", "sh", `set -- ${DB_HOST:+-h "$DB_HOST"}; pg_isready "$@"`, db},
		{"${!x}", "bash", `pg_isready -h "${!NAME_OF_HOST}"`, db},
		{"an associative array", "bash", `declare -A t=([db]=orders-db); nc -z "${t[db]}" 5432`, db},
		{"an array as a command line", "bash", `cmd=(pg_isready -h "$DB_HOST" -q); "${cmd[@]}"`, db},
		{"mapfile", "bash", `mapfile -t hosts < <(printf '%s\n' orders-db); nc -z "${hosts[0]}" 5432`, db},
		{"read with a timeout", "bash", `exec 3<>/dev/tcp/$DB_HOST/5432 || exit 1; read -t 2 -u 3 line; exit 0`, db},
		{"a pid check and a remote one", "sh", `kill -0 $(cat /run/app.pid) && pg_isready -h $DB_HOST`, db},
		{"ps and a remote check", "sh", `ps aux | grep -v grep | grep -q app && nc -z $DB_HOST 5432`, db},
		{"a heartbeat and a remote check", "sh", `now=$(date +%s); then=$(stat -c %Y /tmp/beat); [ $((now - then)) -lt 60 ] || exit 1; nc -z $DB_HOST 5432`, db},
		{"curl to another address of the name", "sh", `curl -fs --resolve localhost:8080:10.9.8.7 http://localhost:8080/`, []string{"10.9.8.7"}},
		{"curl --connect-to", "sh", `curl -fs --connect-to ::orders-db:8008 http://localhost/`, db},
		{"curl with a Host header for itself", "sh", `curl -fs -H "Host: localhost" $API_URL`, db},
		{"wget with its own timeout", "sh", `wget -T 2 -t 1 -qO /dev/null "$API_URL"`, db},
		{"openssl with no input", "sh", `openssl s_client -connect $DB_HOST:5432 -servername x </dev/null 2>/dev/null | grep -q CONNECTED`, db},
		{"quotes in quotes", "bash", `bash -c "sh -c 'nc -z \"\$DB_HOST\" 5432'"`, db},
		{"sh -x", "sh", `sh -xc 'nc -z $DB_HOST 5432'`, db},
		{"a BusyBox applet", "sh", `busybox nc -z $DB_HOST 5432`, db},
		{"a BusyBox shell", "sh", `/bin/busybox sh -c 'busybox wget -q -O - http://orders-db/'`, db},
		{"the program comes as an argument", "sh", `sh -c 'exec "$0" "$@"' pg_isready -h orders-db`, db},
		{"a status kept through a pipe", "bash", `nc -z $DB_HOST 5432 | cat; exit ${PIPESTATUS[0]}`, db},
		{"the first status of three", "bash", `pg_isready -h $DB_HOST | tee /tmp/a | cat; [ "${PIPESTATUS[0]}" -eq 0 ]`, db},
		{"until with a limit", "sh", `tries=3; until pg_isready -h $DB_HOST; do tries=$((tries-1)); [ $tries -eq 0 ] && exit 1; sleep 1; done`, db},
		{"a case of several codes", "sh", `code=$(curl -s -o /dev/null -w '%{http_code}' $API_URL); case $code in 200|204|30?) exit 0;; esac; exit 1`, db},
		{"a negated condition in an elif", "sh", `if ! test -d /tmp; then exit 2; elif ! nc -z $DB_HOST 5432; then exit 1; fi`, db},
		{"a here-document with expansion", "sh", "sh -s <<EOF\nnc -z $DB_HOST 5432 || exit 1\nEOF", db},
		{"a lock before the check", "sh", `flock -n /tmp/lock pg_isready -h $DB_HOST`, db},
		{"a host cut out of a URL by groups", "sh", `h=$(echo "$API_URL" | sed -E 's|.*//([^:/]+).*|\1|'); nc -z "$h" 5432`, db},
		{"a host cut out of a URL by fields", "sh", `h=$(echo "$API_URL" | awk -F'[/:]+' '{print $2}'); nc -z "$h" 5432`, db},
		{"a host matched in a URL", "bash", `[[ $API_URL =~ //([^:/]+) ]] && nc -z "${BASH_REMATCH[1]}" 5432`, db},
		{"an encoded host", "sh", `nc -z "$(echo b3JkZXJzLWRi | base64 -d)" 5432`, db},
		{"JSON that Python reads", "sh", `curl -s $API_URL | python3 -c "import sys,json; sys.exit(0 if json.load(sys.stdin)['ok'] else 1)"`, db},
		{"a bare return", "sh", `main() { nc -z $DB_HOST 5432; return; }; main`, db},
		{"an answer on a descriptor", "bash", `exec 3<>/dev/tcp/$DB_HOST/5432; echo PING >&3; read -r r <&3; [[ $r == *PONG* ]]`, db},
		{"the answer is tested for being there", "bash", `r=$(redis-cli -h $REDIS_HOST ping); [[ -n $r ]]`, cache},
		{"a status file", "sh", `nc -z $DB_HOST 5432; echo $? > /tmp/rc; exit $(cat /tmp/rc)`, db},
		{"a function that judges its arguments", "sh", `check() { "$@" >/dev/null 2>&1 || bad=1; }; bad=0; check pg_isready -h $DB_HOST; check true; [ $bad = 0 ]`, db},
		{"the sum of statuses", "sh", `pg_isready -h $DB_HOST; a=$?; curl -fs localhost; b=$?; exit $((a + b))`, db},
		{"select is given a choice", "bash", `select h in orders-db; do nc -z $h 5432; exit $?; done <<< 1`, nil},
	})
}

func TestTolerantLocalAndUnknownChecksStaySilent(t *testing.T) {
	t.Parallel()
	challenge(t, []adversary{
		{"empty output is fine", "sh", `[ -z "$(redis-cli -h $REDIS_HOST ping)" ] && echo "cache away"; exit 0`, nil},
		{"a count that may be zero", "sh", `n=$(redis-cli -h $REDIS_HOST ping | grep -c PONG); [ "$n" -ge 0 ]`, nil},
		{"wc counts nothing as zero", "sh", `[ $(curl -s $API_URL | wc -l) -ge 0 ]`, nil},
		{"awk without exit", "sh", `curl -s $API_URL | awk '{print $1}'`, nil},
		{"sed ends the pipe", "sh", `curl -s $API_URL | sed -n '/x/p'`, nil},
		{"head ends the pipe", "sh", `nc -z $DB_HOST 5432 | head -1`, nil},
		{"the local part of a list", "sh", `servers="localhost:8080,orders-db:1"; h=$(echo $servers | cut -d, -f1 | cut -d: -f1); nc -z $h 8080`, nil},
		{"printf builds a local address", "sh", `curl -fs "$(printf 'http://%s:%s/' "$LOCAL" 8080)"`, nil},
		{"tr of a local list", "sh", `for h in $(echo "127.0.0.1,localhost" | tr ',' ' '); do nc -z $h 80 || exit 1; done`, nil},
		{"a here-string of a local pair", "bash", `IFS=: read -r h p <<< "localhost:80"; nc -z $h $p`, nil},
		{"getopts chooses the local branch", "sh", `set -- -l; while getopts "ld" o; do case $o in l) m=local;; d) m=deep;; esac; done; [ $m = local ] && exit 0; nc -z orders-db 5432`, nil},
		{"shift leaves nothing", "sh", `set -- a; shift; [ $# -eq 0 ] && exit 0; nc -z $DB_HOST 5432`, nil},
		{"local shadows the name", "bash", `h=orders-db; f() { local h=localhost; nc -z $h 80; }; f`, nil},
		{"return 0 whatever happened", "sh", `f() { pg_isready -h $DB_HOST; return 0; }; f`, nil},
		{"a function that is not called", "sh", `check_db() { pg_isready -h $DB_HOST; }; check_app() { curl -fs localhost; }; check_app`, nil},
		{"redefined before the call", "sh", `check() { nc -z $DB_HOST 5432; }; check() { true; }; check`, nil},
		{"set +e", "sh", "set -e\nset +e\npg_isready -h $DB_HOST\ntrue", nil},
		{"set -e does not see a condition", "sh", "set -e\nif pg_isready -h $DB_HOST; then echo up; fi\ntest -d /tmp", nil},
		{"set -e does not see an or", "sh", "set -e\npg_isready -h $DB_HOST || echo down\necho ok", nil},
		{"set -e is off in a substitution of an argument", "sh", "set -e\necho \"$(pg_isready -h $DB_HOST)\"", nil},
		{"trap on EXIT turns it round", "bash", `trap 'exit 0' EXIT; pg_isready -h $DB_HOST; exit 1`, nil},
		{"all output away, then success", "sh", `exec >/dev/null 2>&1; pg_isready -h $DB_HOST; exit 0`, nil},
		{"a log line to process 1 only", "sh", `nc -z $DB_HOST 5432 || echo "db down" > /proc/1/fd/1`, nil},
		{"retries that give up quietly", "sh", `for i in $(seq 3); do nc -z $DB_HOST 5432 && break; sleep 1; done; curl -fs http://localhost/`, nil},
		{"expr counts but nobody fails", "sh", `n=0; nc -z $DB_HOST 5432 || n=$(expr $n + 1); echo $n`, nil},
		{"one of two may fail", "bash", `n=0; nc -z $DB_HOST 5432 || let n+=1; nc -z localhost 1 || let n+=1; (( n < 2 ))`, nil},
		{"${x:+} of nothing", "sh", `set -- ${UNSET_OPTS:+-h orders-db}; pg_isready "$@"`, nil},
		{"an indirect name that is hidden", "bash", `V=HIDDEN; pg_isready -h "${!V}"`, nil},
		{"a value that is not in the bundle", "sh", `pg_isready -h "$HIDDEN"`, nil},
		{"a hidden value in a URL", "sh", `curl -fs "http://$HIDDEN/health"`, nil},
		{"an array of local names", "bash", `h=(localhost 127.0.0.1); for x in "${h[@]}"; do nc -z $x 80 || exit 1; done`, nil},
		{"mapfile of an unknown file", "bash", `mapfile -t h < /etc/app/hosts; nc -z "${h[0]}" 80`, nil},
		{"read from an unknown file", "bash", `while read -r h; do nc -z $h 80 || exit 1; done < /etc/app/hosts`, nil},
		{"a pid file", "sh", `kill -0 $(cat /run/app.pid)`, nil},
		{"ps without itself", "sh", `ps aux | grep -v grep | grep -q "psql -h orders-db"`, nil},
		{"a heartbeat by stat", "sh", `[ $(( $(date +%s) - $(stat -c %Y /tmp/beat) )) -lt 60 ]`, nil},
		{"a heartbeat by find", "sh", `test -n "$(find /tmp/beat -mmin -1)"`, nil},
		{"a heartbeat file with a host in it", "sh", `test "$(cat /tmp/orders-db:5432)" = ok`, nil},
		{"curl over a unix socket", "sh", `curl -fs --unix-socket /run/docker.sock http://orders-db/_ping`, nil},
		{"curl resolves to loopback", "sh", `curl -fs --resolve orders-db:8008:127.0.0.1 $API_URL`, nil},
		{"curl --connect-to loopback", "sh", `curl -fs --connect-to orders-db:8008:localhost:8080 $API_URL`, nil},
		{"a Host header names no target", "sh", `curl -fs -H "Host: orders-db" http://$POD_IP:8080/`, nil},
		{"a curl configuration that is not seen", "sh", `curl -fsK /etc/app/curlrc`, nil},
		{"wget of itself", "sh", `wget -q -T 2 --spider "http://${POD_IP}:8080/healthz"`, nil},
		{"openssl reads a certificate", "sh", `openssl x509 -checkend 0 -in /tls/orders-db.crt`, nil},
		{"a command in nested quotes that is only printed", "bash", `bash -c "echo 'nc -z orders-db 5432'"`, nil},
		{"a BusyBox applet on loopback", "sh", `busybox nc -z 127.0.0.1 80`, nil},
		{"a subshell's exit stays inside", "sh", `(nc -z $DB_HOST 5432 || exit 1); true`, nil},
		{"the last of a list is local", "sh", `nc -z $DB_HOST 5432; nc -z localhost 80`, nil},
		{"a bare return, then success", "sh", `main() { nc -z $DB_HOST 5432; return; }; main; true`, nil},
		{"a local declaration masks the status", "bash", `f() { local out=$(curl -sf $API_URL); }; f`, nil},
		{"only a server error is bad", "sh", `c=$(curl -so /dev/null -w '%{http_code}' $API_URL); case $c in 5*) exit 1;; esac`, nil},
		{"the pod's address from the routing table", "sh", `curl -fs "http://$(ip route get 1 | awk '{print $7; exit}'):8080/"`, nil},
		{"a remote word in posted data", "sh", `curl -fs -X POST -d "u=$API_URL" -e http://orders-db/ http://localhost/`, nil},
		{"a descriptor in a tolerated subshell", "bash", `(exec 3<>/dev/tcp/$DB_HOST/5432) 2>/dev/null || true`, nil},
		{"a program that a variable names", "sh", `$CHECK_COMMAND orders-db 5432`, nil},
		{"the wrong status of a pipe", "bash", `nc -z $DB_HOST 5432 | cat; exit ${PIPESTATUS[1]}`, nil},
		{"&& true || true", "sh", `nc -z $DB_HOST 5432 && true || true`, nil},
		{"a maintenance switch with a default", "sh", `[ "${DEEP_CHECK:-no}" = yes ] && nc -z $DB_HOST 5432; exit 0`, nil},
		{"a case that never matches", "sh", `case liveness in readiness) nc -z $DB_HOST 5432 || exit 1;; esac`, nil},
		{"a word that looks like an address", "sh", `grep -q orders-db:5432 /etc/app/config`, nil},
		{"getent of its own name", "sh", `getent hosts "$(hostname)"`, nil},
		{"the pod's name as a host", "sh", `redis-cli -h "$HOSTNAME" ping`, nil},
		{"the pod's name in a domain", "sh", `curl -fs "http://$HOSTNAME.shop:8080/"`, nil},
		{"the node's name for the pod", "sh", `nc -z "$(uname -n)" 8080`, nil},
		{"IPv6 loopback", "sh", `curl -gfs 'http://[::1]:8080/'`, nil},
		{"a zero address", "sh", `nc -z 0.0.0.0 8080`, nil},
		{"a background check", "sh", `(nc -z $DB_HOST 5432 || logger down) & exit 0`, nil},
		{"an unknown function of a library", "bash", `. /opt/bitnami/scripts/libapp.sh; is_app_running`, nil},
		{"listening, not dialling", "sh", `ss -ltn | grep -q ':5432'`, nil},
	})
}

func TestWhatFollowsAnOperatorWithoutAShellIsNoHost(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{
		{"curl", "-f", "http://localhost:8080/", "&&", "true"},
		{"wget", "-q", "--spider", "http://127.0.0.1/", "||", "exit", "1"},
		{"curl", "-s", "localhost:8080", "|", "grep", "ok"},
	} {
		if got := deciding(run(t, command(argv...), adversarialEnv)); len(got) > 0 {
			t.Errorf("%q: %v", argv, got)
		}
	}
}

func TestAPatternThatNothingMatchesStandsForItself(t *testing.T) {
	t.Parallel()
	for script, want := range map[string][]string{
		`if pgrep -f .*register >/dev/null; then exit 0; elif pgrep gitlab.*runner; then nc -z orders-db 5432; else exit 1; fi`: {"orders-db?"},
		`pgrep [a]pp* && nc -z orders-db 5432`: {"orders-db"},
		`pgrep app* || exit 1`:                 nil,
	} {
		got := run(t, command("bash", "-c", script), adversarialEnv)
		if diff := cmp.Diff(want, deciding(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", script, diff)
		}
		if got.NeverFails {
			t.Errorf("%s: never fails", script)
		}
	}
}
