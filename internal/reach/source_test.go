package reach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A script finds its library in many ways, and its arguments choose what it checks.
func TestScriptsFindTheirLibrariesAndTheirBranches(t *testing.T) {
	t.Parallel()
	const rest = `
case "$1" in
  -t|--type) kind="$2" ;;
  *) kind=liveness ;;
esac
if [ "$kind" = readiness ]; then check_db; else check_local; fi`
	library := "    check_db() {\n      pg_isready -h \"${DB_HOST:?}\" -q\n    }\n    check_local() {\n      curl -fs http://127.0.0.1:8080/livez\n    }\n"
	db := []string{"orders-db"}
	for _, tc := range []struct{ name, script string }{
		{"cd and pwd in a substitution", `here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"; . "$here/lib.sh"`},
		{"without an index", `. "$(dirname "$BASH_SOURCE")/lib.sh"`},
		{"cd with options", `DIR=$(CDPATH= cd -- "$(dirname -- "$0")" >/dev/null 2>&1 && pwd -P); source "${DIR}/lib.sh"`},
		{"readlink", `. "$(dirname "$(readlink -f "$0")")/lib.sh"`},
		{"readlink of itself in bash", `. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/lib.sh"`},
		{"realpath", `. "$(dirname "$(realpath "$0")")/lib.sh"`},
		{"parameter expansion", `. "${0%/*}/lib.sh"`},
		{"parameter expansion in bash", `source "${BASH_SOURCE%/*}/lib.sh"`},
		{"pushd", `pushd "$(dirname "$0")" >/dev/null; . ./lib.sh; popd >/dev/null`},
		{"cd", `cd "$(dirname "$0")" || exit 1; . ./lib.sh`},
		{"an absolute path", `. /s/lib.sh`},
		{"a variable with a default", `. "${LIB_DIR:-/s}/lib.sh"`},
		{"a loop over libraries", `for f in /s/lib*.sh; do . "$f"; done`},
		{"a guard", `[ -r /s/lib.sh ] && . /s/lib.sh || exit 2`},
		{"basename", `. "/s/lib.$(basename "$0" | cut -d. -f2)"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			file := "objects=---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: s, namespace: shop}\ndata:\n  live.sh: |\n    #!/bin/bash\n    " +
				indented(tc.script+rest) + "\n  lib.sh: |\n" + library
			for _, call := range []struct {
				argv []string
				want []string
			}{
				{[]string{"/s/live.sh", "-t", "readiness"}, db},
				{[]string{"bash", "/s/live.sh", "--type", "readiness"}, db},
				{[]string{"sh", "-c", "exec /s/live.sh -t readiness"}, db},
				{[]string{"/s/live.sh", "-t", "liveness"}, nil},
				{[]string{"/s/live.sh"}, nil},
			} {
				got := run(t, command(call.argv...), adversarialEnv, `mounts=[{name: s, mountPath: /s}]`, `volumes=[{name: s, configMap: {name: s}}]`, file)
				if diff := cmp.Diff(call.want, deciding(got)); diff != "" {
					t.Errorf("%v: %s (-want +got):\n%s\nopaque: %s", call.argv, tc.script, diff, got.Opaque)
				}
			}
		})
	}
}

func TestProgramsInTheSearchPathAreFollowed(t *testing.T) {
	t.Parallel()
	file := "objects=---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: s, namespace: shop}\ndata:\n  alive: |\n    #!/bin/sh\n    nc -z orders-db 5432\n"
	mounts := `mounts=[{name: s, mountPath: /usr/local/bin/alive, subPath: alive}]`
	for name, tc := range map[string]struct {
		probe string
		want  []string
	}{
		"directly":             {command("alive"), []string{"orders-db"}},
		"in a shell":           {shell("alive || exit 1"), []string{"orders-db"}},
		"another search path":  {shell("PATH=/bin alive"), nil},
		"a name that is close": {command("alive2"), nil},
	} {
		got := run(t, tc.probe, mounts, `volumes=[{name: s, configMap: {name: s}}]`, file)
		if diff := cmp.Diff(tc.want, deciding(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
