package rules

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/format"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"

	"github.com/hclint/hclint/internal/facts"
)

// policyDir is read from disk, since the embedded tree leaves the tests out.
const policyDir = "../policies"

// regoFolders lists the folders below policyDir that hold Rego: "lib" and "topic/rule_name".
func regoFolders(t *testing.T) []string {
	t.Helper()
	files, err := fs.Glob(os.DirFS(policyDir), "*/*/*.rego")
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{"lib"}
	for _, f := range files {
		folders = append(folders, path.Dir(f))
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// parseFolders parses the Rego files of folders, tests included.
func parseFolders(t *testing.T, folders ...string) map[string]*ast.Module {
	t.Helper()
	mods := map[string]*ast.Module{}
	for _, folder := range folders {
		files, err := fs.Glob(os.DirFS(policyDir), folder+"/*.rego")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(policyDir + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			mods[name], err = ast.ParseModuleWithOpts(name, string(text), ast.ParserOptions{RegoVersion: ast.RegoV1, ProcessAnnotation: true})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return mods
}

// TestRego runs every Rego test and asks that the tests of a rule reach all of it; lib may be reached by the tests of the
// rules. Run those of one rule with -run 'TestRego/reach/probe_host_is_node'.
func TestRego(t *testing.T) {
	t.Parallel()
	for _, folder := range regoFolders(t) {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			with := []string{"lib", folder}
			if folder == "lib" {
				with = regoFolders(t)
			}
			seen := runRego(t, folder, parseFolders(t, with...))
			for name, report := range seen.Files {
				if path.Dir(name) != folder || strings.HasSuffix(name, "_test.rego") {
					continue
				}
				var lines []int
				for _, r := range report.NotCovered {
					lines = append(lines, r.Start.Row)
				}
				if lines = slices.Compact(lines); len(lines) > 0 {
					t.Errorf("%s: no test reaches the lines %v", name, lines)
				}
			}
		})
	}
}

// runRego runs the tests among mods that stand in folder, one subtest each.
func runRego(t *testing.T, folder string, mods map[string]*ast.Module) cover.Report {
	t.Helper()
	compiler := ast.NewCompiler().WithCapabilities(capabilities()).WithStrict(true).WithEnablePrintStatements(true)
	store, seen := inmem.New(), cover.New()
	txn := storage.NewTransactionOrDie(t.Context(), store)
	results, err := tester.NewRunner().
		SetCompiler(compiler).
		SetStore(store).
		SetModules(mods).
		SetCoverageQueryTracer(seen).
		CapturePrintOutput(true).
		RaiseBuiltinErrors(true).
		RunTests(t.Context(), txn)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for r := range results {
		if path.Dir(r.Location.File) != folder {
			continue
		}
		n++
		t.Run(strings.TrimPrefix(r.Name, "test_"), func(t *testing.T) {
			switch {
			case r.Error != nil:
				t.Errorf("%v: %v\n%s", r.Location, r.Error, r.Output)
			case r.Skip:
				t.Errorf("%v: no test is skipped", r.Location)
			case !r.Pass():
				t.Errorf("%v: fails at %v\n%s", r.Location, r.FailedAt, r.Output)
			}
		})
	}
	if n == 0 && folder != "lib" {
		t.Errorf("%s has no Rego test", folder)
	}
	return seen.Report(mods)
}

func TestRegoIsFormatted(t *testing.T) {
	t.Parallel()
	for _, folder := range regoFolders(t) {
		for name := range parseFolders(t, folder) {
			text, err := os.ReadFile(policyDir + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := format.SourceWithOpts(name, text, format.Opts{RegoVersion: ast.RegoV1})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, text) {
				t.Errorf("%s: opa fmt changes it (-want +got):\n%s", name, cmp.Diff(string(want), string(text)))
			}
		}
	}
}

// TestRegoCompilesInFull compiles each shipped rule as a person's own rule is compiled: every stage, strictly, with the
// schema of its subjects and without the network, the clock and randomness.
func TestRegoCompilesInFull(t *testing.T) {
	t.Parallel()
	set, err := Load(os.DirFS(policyDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range set.Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			var shapes []shape
			for _, kind := range rule.Subjects {
				shapes = append(shapes, shape{kind, ^facts.Features(0)})
			}
			if _, err := set.compile([]Rule{rule}, shapes); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSkippedStagesChangeNothing compiles the shipped rules with and without the stages that fastCompiler skips. A
// difference means that a rule has something these stages would have rewritten; opa fmt does not show it.
func TestSkippedStagesChangeNothing(t *testing.T) {
	t.Parallel()
	compiled := func(c *ast.Compiler) map[string]string {
		mods := modules{}
		for name, text := range shipped(t).sources[0].text {
			if err := mods.parse(name, text, false); err != nil {
				t.Fatal(err)
			}
		}
		if c.Compile(mods); c.Failed() {
			t.Fatal(c.Errors)
		}
		out := map[string]string{}
		for name, m := range c.Modules {
			out[name] = m.String()
		}
		return out
	}
	want := compiled(ast.NewCompiler().WithCapabilities(capabilities()))
	if diff := cmp.Diff(want, compiled(fastCompiler())); diff != "" {
		t.Errorf("compiled rules (-all stages +fast):\n%s", diff)
	}
}

// cancelled returns a context that is already over.
func cancelled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
