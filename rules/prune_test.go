package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPruneKeepsWhatIsUsedAndEveryLineNumber(t *testing.T) {
	t.Parallel()
	const lib = `package policies.lib

import data.other

used(x) := _inner(x) if {
	x > 1 # not unused
	x != "idle \" idle"
} else := 0

default idle := false

idle if input.x

_inner(x) := x

_inner(x) := 2 * _constant if x > 9

_constant := 3

unused := _only

_only := 4
`
	const pruned = `package policies.lib

import data.other

used(x) := _inner(x) if {
	x > 1 # not unused
	x != "idle \" idle"
} else := 0





_inner(x) := x

_inner(x) := 2 * _constant if x > 9

_constant := 3




`
	for user, want := range map[string]string{
		"import data.policies.lib\n\na := lib.used(1)\n":      pruned,
		"import data.policies.lib as l\n\na := l.used(1)\n":   lib,
		"a := data.policies.lib.used(1)\n":                    lib,
		"import data.policies.lib\n\na := lib[\"used\"](1)\n": lib,
		"import data.policies.lib.used\n\na := used(1)\n":     lib,
	} {
		got := string(prune([]byte(lib), [][]byte{[]byte(user)}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("for %q: lib (-want +got):\n%s", user, diff)
		}
	}
}

// TestEachShippedRuleFindsItsLib compiles every rule alone, with all checks, after pruning the lib for it.
func TestEachShippedRuleFindsItsLib(t *testing.T) {
	t.Parallel()
	set := shipped(t)
	src := set.sources[0]
	for _, r := range set.rules {
		text := src.text[src.files[r.Name]]
		mods := modules{}
		if err := mods.parse("lib/lib.rego", prune(src.text["lib/lib.rego"], [][]byte{text}), false); err != nil {
			t.Fatal(err)
		}
		if err := mods.parse(src.files[r.Name], text, false); err != nil {
			t.Fatal(err)
		}
		full, err := fullCompiler(r.Subjects)
		if err != nil {
			t.Fatal(err)
		}
		if full.Compile(mods); full.Failed() {
			t.Errorf("%s: %v", r.Name, full.Errors)
		}
	}
}
