package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// check analyses the test of a healthcheck in the form that Compose files have it; argv is what the engine runs for it.
func check(t *testing.T, test string, argv []string, env ...reach.Setting) reach.Result {
	t.Helper()
	f, _ := loader.Parse("compose.yaml", []byte("services:\n  a:\n    image: b\n    healthcheck:\n      test: "+test+"\n"), loader.Options{})
	return reach.AnalyseCommand(reach.Command{
		Argv: argv, At: f.Objects[0].Root().Get("services", "a", "healthcheck", "test"), Env: env, Timeout: 5, Hostname: "a",
		Locate: func(host string) (reach.Located, bool) {
			if host == "db" {
				return reach.Located{Place: reach.InBundle, Subject: "service db", Text: "service db of this file", Sure: true}, true
			}
			return reach.Located{}, false
		},
	})
}

// touched sums up what a check touches.
func touched(r reach.Result) []string {
	out := []string{}
	for _, t := range r.Targets {
		decides := "tolerates"
		if t.Decides {
			decides = "needs"
		}
		out = append(out, decides+" "+t.Host+" "+string(t.Place)+" "+string(t.Confidence))
	}
	return out
}

func TestACommandOfAContainerIsFollowed(t *testing.T) {
	t.Parallel()
	shell := func(text string) []string { return []string{"/bin/sh", "-c", text} }
	for _, tc := range []struct {
		name string
		argv []string
		want []string
	}{
		{"a name of the file", []string{"pg_isready", "-h", "db"}, []string{"needs db service certain"}},
		{"in a shell", shell("pg_isready -h db && true"), []string{"needs db service certain"}},
		{"tolerated", shell("pg_isready -h db || true"), []string{"tolerates db service certain"}},
		{"itself", shell("curl -f http://localhost:80/ && curl -f http://a/ && curl -f http://$HOSTNAME/"), []string{"needs localhost self certain"}},
		{"a name of another file", []string{"nc", "-z", "queue", "5672"}, []string{"needs queue cluster likely"}},
		{"a domain", []string{"nc", "-z", "queue.example.com", "5672"}, []string{"needs queue.example.com external certain"}},
		{"an address", []string{"ping", "-c", "1", "203.0.113.9"}, []string{"needs 203.0.113.9 external certain"}},
		{"the host", []string{"nc", "-z", "host.docker.internal", "80"}, []string{"needs host.docker.internal node certain"}},
		{"a hole", []string{"nc", "-z", reach.Hole, "80"}, []string{"needs … unknown likely"}},
		{"nothing", []string{"/app/check"}, []string{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, touched(check(t, "x", tc.argv))); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKubernetesIsNoPartOfACommandsWorld(t *testing.T) {
	t.Parallel()
	r := check(t, "x", []string{"/bin/sh", "-c", "nc -z ${KUBERNETES_SERVICE_HOST:-db} 1"})
	if diff := cmp.Diff([]string{"needs db service certain"}, touched(r)); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestTheTraceOfACommandStandsInItsFile(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, test string
		argv       []string
		line       int
		column     int
		text       string
	}{
		{"text", "true && nc -z db 1", []string{"/bin/sh", "-c", "true && nc -z db 1"}, 5, 21, "nc -z db 1"},
		{"a list for the shell", "[CMD-SHELL, 'true && nc -z db 1']", []string{"/bin/sh", "-c", "true && nc -z db 1"}, 5, 34, "nc -z db 1"},
		{"a list", "[CMD, nc, '-z', db, '1']", []string{"nc", "-z", "db", "1"}, 5, 7, "nc -z db 1"},
		{"text that differs", "nc -z $$X 1", []string{"/bin/sh", "-c", "nc -z $X 1"}, 5, 7, "nc -z $X 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := check(t, tc.test, tc.argv, reach.Setting{Name: "X", Value: "db", Known: true})
			if len(r.Targets) != 1 {
				t.Fatalf("targets %v", r.Targets)
			}
			first := r.Targets[0].Trace[0]
			got := []any{first.Span.Start.Line, first.Span.Start.Column, first.Text}
			if diff := cmp.Diff([]any{tc.line, tc.column, tc.text}, got); diff != "" {
				t.Errorf("trace (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnOpenEnvironmentHidesWhatIsUnset(t *testing.T) {
	t.Parallel()
	f, _ := loader.Parse("compose.yaml", []byte("services: {a: {image: b, healthcheck: {test: x}}}"), loader.Options{})
	command := reach.Command{
		Argv: []string{"/bin/sh", "-c", "nc -z $WHERE 1"}, At: f.Objects[0].Root().Get("services", "a", "healthcheck", "test"), Open: true,
		Locate: func(string) (reach.Located, bool) { return reach.Located{}, false },
	}
	if diff := cmp.Diff([]string{"needs … unknown likely"}, touched(reach.AnalyseCommand(command))); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	command.Open = false
	command.Env = []reach.Setting{{Name: "WHERE", Value: "secret"}}
	if diff := cmp.Diff([]string{"needs … unknown likely"}, touched(reach.AnalyseCommand(command))); diff != "" {
		t.Errorf("targets with a value that is not known (-want +got):\n%s", diff)
	}
}
