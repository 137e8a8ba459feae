package reach_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARemoteCallBehindALocalFailureIsLikely(t *testing.T) {
	t.Parallel()
	db := []string{"orders-db?"}
	challenge(t, []adversary{
		{"a process in an elif", "sh", `if pgrep -f register; then exit 0; elif pgrep runner; then gitlab-runner verify --url=https://gitlab.example.com; else exit 1; fi`, []string{"gitlab.example.com?"}},
		{"pgrep && exit", "sh", `pgrep -f migrate && exit 0; nc -z orders-db 5432`, db},
		{"pidof in an if", "sh", `if pidof migrate; then exit 0; fi; nc -z orders-db 5432`, db},
		{"ps and grep", "sh", `ps aux | grep -v grep | grep -q migrate && exit 0; nc -z orders-db 5432`, db},
		{"a count of processes", "sh", `[ "$(pgrep -c migrate)" -gt 0 ] && exit 0; nc -z orders-db 5432`, db},
		{"ls of a marker", "sh", `if ls /tmp/starting; then exit 0; fi; nc -z orders-db 5432`, db},
		{"ls of a marker before or", "sh", `ls /tmp/starting >/dev/null 2>&1 || nc -z orders-db 5432`, db},
		{"find and grep", "sh", `find /tmp/starting -mmin -5 | grep -q . && exit 0; nc -z orders-db 5432`, db},
		{"find and grep before or", "sh", `find /tmp/starting -mmin -5 | grep -q . || nc -z orders-db 5432`, db},
		{"find in a test before or", "sh", `test -n "$(find /tmp/starting -mmin -5)" || nc -z orders-db 5432`, db},
		{"a port of the pod", "sh", `curl -fs localhost:8080/starting && exit 0; nc -z orders-db 5432`, db},
		{"a port of the pod in an if", "bash", `if (echo > /dev/tcp/127.0.0.1/8080); then exit 0; fi; nc -z orders-db 5432`, db},
		{"an unknown program", "sh", `if /app/in-maintenance; then true; else nc -z orders-db 5432; fi`, db},
		{"an unknown program in a function", "sh", `busy() { /app/in-maintenance; }; if busy; then exit 0; fi; nc -z orders-db 5432`, db},
		{"two modes", "sh", `pgrep migrate && exit 0; pgrep restore && exit 0; nc -z orders-db 5432`, db},
		{"a mode, then a file", "sh", `pgrep migrate && exit 0; [ -f /tmp/maintenance ] && exit 0; nc -z orders-db 5432`, db},
		{"the answer picks the way", "sh", `role=$(redis-cli -h localhost role | head -1); if [ "$role" = slave ]; then exit 0; fi; nc -z orders-db 5432`, db},
		{"and-or with exit", "sh", `pgrep migrate && exit 0 || nc -z orders-db 5432`, db},
		{"negated", "sh", `if ! pgrep migrate; then nc -z orders-db 5432; fi`, db},
		{"[[ ]]", "bash", `[[ -n $(pgrep migrate) ]] && exit 0; nc -z orders-db 5432`, db},
		{"case", "sh", `case "$(pgrep -c migrate)" in 0|"") nc -z orders-db 5432 || exit 1;; esac`, db},

		{"default world decides", "sh", `pgrep app && nc -z orders-db 5432`, []string{"orders-db"}},
		{"saved by a process", "sh", `nc -z orders-db 5432 || pgrep app`, nil},
		{"saved by a port of the pod", "sh", `nc -z orders-db 5432 || curl -fs localhost:8080/`, nil},
		{"saved in an if", "sh", `if nc -z orders-db 5432; then exit 0; fi; pgrep app`, nil},
		{"saved by an unknown program", "sh", `nc -z orders-db 5432 || /app/alive`, nil},
		{"asked when the process is gone", "sh", `pgrep app || nc -z orders-db 5432`, nil},
		{"asked when the port is closed", "sh", `curl -fs localhost:8080/ || nc -z orders-db 5432`, nil},
		{"asked when the port is closed, piped", "sh", `curl -s localhost:8080/ | grep -q ok || nc -z orders-db 5432`, nil},
		{"asked when an answer is wrong", "sh", `[ "$(curl -s localhost:8080/)" = ok ] || nc -z orders-db 5432`, nil},
		{"asked when an answer is wrong, [[ ]]", "bash", `[[ $(curl -s localhost:8080/) == ok ]] || nc -z orders-db 5432`, nil},
		{"the pod first in a loop", "sh", `for h in localhost orders-db; do nc -z $h 5432 && exit 0; done; exit 1`, nil},
		{"an alarm before the failure", "sh", `pgrep app || { curl -fs http://alerts.example.com/; exit 1; }`, nil},
		{"an alarm in an if", "sh", `if ! pgrep app; then curl -fs http://alerts.example.com/; exit 1; fi`, nil},
		{"tolerated there as well", "sh", `pgrep migrate && exit 0; nc -z orders-db 5432 || true`, nil},
		{"a local way on both sides", "sh", `if pgrep migrate; then exit 0; fi; nc -z localhost 5432`, nil},
		{"a way that fails anyway", "sh", `if pgrep app; then exit 0; fi; nc -z orders-db 5432; exit 1`, nil},
	})
}

func TestAnUnknownOutcomeIsNoProofOfSuccess(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"pg_isready -h localhost || [ -f /tmp/maintenance ]":           false,
		"curl -fs localhost:8080/live || test -e /tmp/draining":        false,
		"curl -fs localhost:8080/live || test -s /tmp/draining":        false,
		"pg_isready -h localhost || { [ -e m ] && exit 0; exit 1; }":   false,
		"if pg_isready -h localhost; then exit 0; fi; test -f m":       false,
		"if ! pg_isready -h localhost; then [ -f m ]; fi":              false,
		"redis-cli -h cache ping | grep -q PONG || test -f /tmp/alive": false,
		"curl -fs localhost || [[ -f /tmp/m ]]":                        false,
		"curl -fs localhost || grep -q up /tmp/state":                  false,
		"curl -fs localhost || [ \"$(cat /tmp/state)\" = up ]":         false,
		"curl -fs localhost || pgrep app":                              false,
		"pgrep a || pgrep b || pgrep c":                                false,
		"curl -fs localhost:1 || curl -fs localhost:2":                 false,
		"curl -fs localhost || { mycheck; exit 0; }":                   false,
		"command -v curl":                false,
		"cd /app":                        false,
		"true < /tmp/alive":              false,
		"[ -f /tmp/a ] || [ -f /tmp/b ]": false,
		"[ -f /tmp/a ] && exit 0; [ -f /tmp/b ] && exit 0; exit 1":        false,
		"pg_isready -h localhost || [ -f /tmp/maintenance ] || true":      true,
		"curl -fs localhost || { [ -e m ] && exit 0; exit 0; }":           true,
		"if ! pg_isready -h localhost; then [ -f m ] && echo m; fi; true": true,
		"pgrep a || pgrep b || echo none":                                 true,
		"curl -s localhost > /tmp/out; exit 0":                            true,
	} {
		if got := run(t, command("bash", "-c", text)).NeverFails; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestAnotherReplicaMayTakeAnotherWay(t *testing.T) {
	t.Parallel()
	const (
		stop  = `if [ "$(hostname)" != REPLICA ]; then exit 0; fi; nc -z orders-db 5432`
		stars = `case $(hostname) in *-0) nc -z orders-db 5432 || exit 1;; esac`
		env   = `[ "$HOSTNAME" = REPLICA ] && { nc -z orders-db 5432 || exit 1; }; exit 0`
		file  = `if [ "$(cat /etc/hostname)" != REPLICA ]; then exit 0; fi; nc -z orders-db 5432`
		skip  = `[ "$HOSTNAME" = REPLICA ] && exit 0; nc -z orders-db 5432`
	)
	likely, certain := []string{"orders-db?"}, []string{"orders-db"}
	for _, tc := range []struct {
		name, kind, replicas, text string
		want                       []string
		never                      bool
	}{
		{"the first of three", "StatefulSet", "3", strings.ReplaceAll(stop, "REPLICA", "api-0"), likely, false},
		{"the second of three", "StatefulSet", "3", strings.ReplaceAll(stop, "REPLICA", "api-1"), likely, false},
		{"case", "StatefulSet", "3", stars, likely, false},
		{"HOSTNAME", "StatefulSet", "2", strings.ReplaceAll(env, "REPLICA", "api-0"), likely, false},
		{"/etc/hostname", "StatefulSet", "2", strings.ReplaceAll(file, "REPLICA", "api-0"), likely, false},
		{"all but the first, number open", "StatefulSet", "", strings.ReplaceAll(skip, "REPLICA", "api-0"), likely, false},
		{"the one that is tried", "StatefulSet", "1", strings.ReplaceAll(stop, "REPLICA", "api-0"), certain, false},
		{"all but the only one", "StatefulSet", "1", strings.ReplaceAll(skip, "REPLICA", "api-0"), nil, false},
		{"peers are not named in advance", "StatefulSet", "2", `[ "$HOSTNAME" = api-1 ] && exit 0; nc -z api-1.api 80`, nil, false},
		{"tolerated everywhere", "StatefulSet", "3", `if [ "$(hostname)" = api-0 ]; then nc -z orders-db 5432 || true; fi; exit 0`, nil, true},
		{"the name does not matter", "StatefulSet", "3", `echo $(hostname); true`, nil, true},
		{"no name of a Deployment's pod", "Deployment", "3", strings.ReplaceAll(stop, "REPLICA", "api-0"), nil, true},
		{"no name of a Deployment's pod, case", "Deployment", "3", stars, nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := replaceOnce(manifest(shell(tc.text)), "kind: Deployment", "kind: "+tc.kind)
			if tc.replicas != "" {
				text = replaceOnce(text, "spec:\n  template:", "spec:\n  replicas: "+tc.replicas+"\n  template:")
			}
			got := analyse(t, text)
			if diff := cmp.Diff(tc.want, deciding(got)); diff != "" {
				t.Errorf("remote targets that decide (-want +got):\n%s", diff)
			}
			if got.NeverFails != tc.never {
				t.Errorf("never fails: %v", got.NeverFails)
			}
		})
	}
}

func TestXargsBuildsItsCommandLines(t *testing.T) {
	t.Parallel()
	db := []string{"orders-db"}
	challenge(t, []adversary{
		{"value attached to -I", "sh", `echo orders-db | xargs -I{} nc -z {} 5432`, db},
		{"value apart", "sh", `echo orders-db | xargs -I % nc -z % 5432`, db},
		{"-i", "sh", `echo orders-db | xargs -i nc -z {} 5432`, db},
		{"--replace", "sh", `echo orders-db | xargs --replace=H nc -z H 5432`, db},
		{"inside a word", "sh", `echo orders-db | xargs -I{} curl -fs http://{}:80/health`, db},
		{"inside shell text", "sh", `echo orders-db | xargs -I{} sh -c 'nc -z {} 5432 || exit 1'`, db},
		{"one line each", "sh", `printf 'orders-db\ncache\n' | xargs -I{} nc -z {} 5432`, []string{"cache", "orders-db"}},
		{"one word each", "sh", `echo orders-db cache | xargs -n1 -- pg_isready -h`, []string{"cache", "orders-db"}},
		{"batches", "sh", `echo orders-db 5432 cache 6379 | xargs -n 2 nc -z`, []string{"cache", "orders-db"}},
		{"-rn", "sh", `echo orders-db 5432 | xargs -rn2 nc -z`, db},
		{"zero bytes", "sh", `printf 'orders-db' | xargs -0 -I{} nc -z {} 5432`, db},
		{"a delimiter", "sh", `printf 'orders-db,cache' | xargs -d, -I{} nc -z {} 5432`, []string{"cache", "orders-db"}},
		{"local", "sh", `echo localhost | xargs -I{} nc -z {} 5432`, nil},
		{"tolerated", "sh", `echo orders-db | xargs -I{} nc -z {} 5432 || true`, nil},
		{"nothing to do", "sh", `true | xargs -r nc -z orders-db 5432`, nil},
		{"no lines", "sh", `true | xargs -I{} nc -z orders-db 5432`, nil},
	})
}

func TestProgramsOfAnotherWayAreListed(t *testing.T) {
	t.Parallel()
	got := run(t, shell(`if pgrep -f register; then exit 0; fi; pg_isready -h orders-db`)).Programs
	if !slices.Contains(got, "pg_isready") {
		t.Errorf("programs: %v", got)
	}
}
