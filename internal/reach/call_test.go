package reach_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/internal/reach"
	"github.com/hclint/hclint/loader"
)

// calls explores the probe of a container with this command, and says of each call what it asks of the pod, whether its
// failure decides, and whether its answer is judged.
func calls(t *testing.T, command string) []string {
	t.Helper()
	src := "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n    env: [{name: PORT, value: '8080'}]\n" +
		"    livenessProbe:\n      exec:\n        command: [sh, -c, " + fmt.Sprintf("%q", command) + "]\n"
	file, _ := loader.Parse("p.yaml", []byte(src), loader.Options{})
	o := file.Objects[0]
	c := o.Find(loader.Path{"spec", "containers", 0})
	e := reach.Explore(nothing{}, reach.Subject{
		Workload: o, Pod: o.Root().Get("spec"), Container: c, Probe: c.Get("livenessProbe"),
	})
	var out []string
	for _, call := range e.Calls {
		decides, _, _ := e.Decides(call)
		judges, _, _ := e.Judges(call)
		out = append(out, fmt.Sprintf("%s %v decides %v judges %v", call.Text(), call.Asks, decides, judges))
	}
	return out
}

// nothing is an empty bundle.
type nothing struct{}

func (nothing) Object(string, string, string) *loader.Object { return nil }

func (nothing) Service(string, string) (reach.Service, bool) { return reach.Service{}, false }

func (nothing) IngressHost(string) (reach.Service, bool) { return reach.Service{}, false }

func TestACallDecidesWhereItsFailureFailsTheProbe(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		command string
		want    []string
	}{
		"curl that fails on errors": {`curl -f localhost:$PORT/health`, []string{"curl -f localhost:8080/health [{8080 /health}] decides true judges false"}},
		"curl that does not":        {`curl http://localhost/health`, []string{"curl http://localhost/health [{80 /health}] decides false judges false"}},
		"a tolerated one":           {`curl -f http://[::1]:8080/ || true`, []string{"curl -f http://[::1]:8080/ [{8080 /}] decides false judges false"}},
		"one whose answer counts": {`curl -s localhost:8080/s | grep -q green`, []string{
			"curl -s localhost:8080/s [{8080 /s}] decides true judges true", "grep -q green [] decides true judges false",
		}},
		"one of two ways": {`wget -qO- http://127.0.0.1:1/a || wget -qO- http://127.0.0.1:1/b`, []string{"wget -qO- http://127.0.0.1:1/a [{1 /a}] decides false judges false"}},
		"another server":  {`curl -f http://db.example.com/health`, []string{"curl -f http://db.example.com/health [] decides true judges false"}},
		"an unknown path": {`curl -f "http://localhost/$(date)"`, []string{"curl -f http://localhost/… [] decides true judges false", "date [] decides false judges false"}},
		"code with a URL": {`python3 -c 'import urllib.request as u; u.urlopen("http://localhost:8080/live")'`, []string{
			`python3 -c import urllib.request as u; u.urlopen("http://localhost:8080/live") [{8080 /live}] decides true judges false`,
		}},
		"a query and a mark":  {`curl -f 'http://localhost:8080/a?b=c#d'`, []string{"curl -f http://localhost:8080/a?b=c#d [{8080 /a?b=c}] decides true judges false"}},
		"a program of no kin": {`shopctl ready`, []string{"shopctl ready [] decides true judges false"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := calls(t, tc.command)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}
