package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	invopop "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/rules"
)

var update = flag.Bool("update", false, "rewrite generated files")

const full = `# what we check
podTemplates:
  - apiVersion: example.com/v1
    kind: Shard
    path: spec.template
enable: [pdb-missing, restart-cap-missing]
disable:
  - single-replica
severity:
  pdb-missing: error
failOn: error
exclude: ["charts/", "*.tmpl.yaml"]
`

func TestParseReadsEveryField(t *testing.T) {
	t.Parallel()
	got, err := Parse(".hclint.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		PodTemplates: []PodTemplate{{"example.com/v1", "Shard", "spec.template"}},
		Enable:       []string{"pdb-missing", "restart-cap-missing"},
		Disable:      []string{"single-replica"},
		Severity:     map[string]string{"pdb-missing": "error"},
		FailOn:       "error",
		Exclude:      []string{"charts/", "*.tmpl.yaml"},
		File:         ".hclint.yaml",
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	wantFacts := facts.Options{PodTemplates: []facts.PodTemplate{{APIVersion: "example.com/v1", Kind: "Shard", Path: []string{"spec", "template"}}}}
	if diff := cmp.Diff(wantFacts, got.Facts()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if got, want := got.Line("single-replica"), 8; got != want {
		t.Errorf("line of single-replica: got %d, want %d", got, want)
	}
}

func TestParseReadsAnEmptyFile(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "# nothing\n", "---\n", "null\n", "{}\n"} {
		got, err := Parse("c.yaml", []byte(src))
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if diff := cmp.Diff(&Config{File: "c.yaml"}, got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", src, diff)
		}
	}
}

func TestParseRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"failOn: error\nexlude: [a]\n":                   `c.yaml:2: unknown key "exlude" in configuration; did you mean exclude?`,
		"rules: {}\n":                                    `c.yaml:1: unknown key "rules" in configuration`,
		"failOn: warn\n":                                 `c.yaml:1: failOn: unknown level "warn"; it is one of error, warning, info, never; did you mean warning?`,
		"\nfailOn: [error]\n":                            `c.yaml:2: failOn holds a list where a string belongs`,
		"enable: pdb-missing\n":                          `c.yaml:1: enable holds a string where a list belongs`,
		"enable:\n- a\n- {b: c}\n":                       `c.yaml:3: enable holds a mapping where a string belongs`,
		"severity: [a]\n":                                `c.yaml:1: severity holds a list where a mapping belongs`,
		"severity:\n  a: error\n  b: high\n":             `c.yaml:3: severity of b: severity "high": want error, warning or info`,
		"enable: []\nenable: []\n":                       `c.yaml:2: key "enable" is there twice`,
		"[a]\n":                                          `c.yaml:1: a configuration is a mapping, as in "failOn: error"`,
		"podTemplates: [x]\n":                            `c.yaml:1: an entry of podTemplates is a mapping of apiVersion, kind and path`,
		"podTemplates:\n- apiVersion: a/v1\n  kind: K\n": `c.yaml:2: an entry of podTemplates needs path`,
		"podTemplates:\n- apiVersion: a/v1\n  kind: K\n  path: a..b\n":   `c.yaml:2: path "a..b" is not a list of keys joined by dots, as in spec.template`,
		"podTemplates:\n- apiVersion: a/v1\n  kind: K\n  paths: spec\n":  `c.yaml:4: unknown key "paths" in podTemplates; did you mean path?`,
		"podTemplates:\n- apiVersion: a/v1\n  kind: [K]\n  path: spec\n": `c.yaml:3: podTemplates.kind holds a list where a string belongs`,
		"failOn: error\n---\nfailOn: info\n":                             `c.yaml:2: a second document; a configuration is one`,
		"severity:\n  a: error\n  a: info\n":                             `c.yaml:3: key "a" is there twice`,
		"disable:\n- a\n-\n":                                             `c.yaml:3: an entry of disable is empty`,
		"exclude: [' ']\n":                                               `c.yaml:1: an entry of exclude is empty`,
		"exclude:\n- a\n- '[b'\n":                                        `c.yaml:3: exclude: "[b" is no pattern: a bracket is not closed`,
		"x: &a [1]\nfailOn: *b\n":                                        `c.yaml:2: `,
		"a: b: c\n":                                                      `c.yaml:1: `,
		"a: |\n\tb\n  c\n- d\n":                                          `c.yaml:`,
	} {
		_, err := Parse("c.yaml", []byte(src))
		switch {
		case err == nil:
			t.Errorf("%q: no error", src)
		case strings.HasSuffix(want, ":") || strings.HasSuffix(want, ": "):
			if !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q: got %q, want it to begin with %q", src, err, want)
			}
		case err.Error() != want:
			t.Errorf("%q:\n got %q\nwant %q", src, err, want)
		}
	}
}

func TestSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	r := &invopop.Reflector{Anonymous: true, ExpandedStruct: true}
	schema := r.Reflect(&Config{})
	schema.Title = "the configuration of hclint, .hclint.yaml"
	severity, _ := schema.Properties.Get("severity")
	severity.AdditionalProperties = &invopop.Schema{Type: "string", Enum: []any{"error", "warning", "info"}}
	want, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile("config.schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(Schema())); diff != "" {
		t.Errorf("config.schema.json is stale, run go test ./internal/config -update (-want +got):\n%s", diff)
	}
}

func TestSchemaAndParserAgree(t *testing.T) {
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("config.json")
	for src, valid := range map[string]bool{
		full: true, "{}": true, "failOn: never": true, "enable: []": true,
		"failOn: warn": false, "exlude: []": false, "enable: x": false, "severity: {a: high}": false,
		"podTemplates: [{kind: K}]": false, "podTemplates: [{kind: K, apiVersion: v1, path: ''}]": false,
	} {
		text, err := yaml.YAMLToJSON([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != valid {
			t.Errorf("schema, %q: %v, want valid %v", src, err, valid)
		}
		if _, err := Parse("c", []byte(src)); (err == nil) != valid {
			t.Errorf("parser, %q: %v, want valid %v", src, err, valid)
		}
	}
}

func TestFindStopsAtTheRepository(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write := func(name string) string {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write(".hclint.yaml")
	write("repo/.git/HEAD")
	write("repo/deploy/prod/x")
	repo := filepath.Join(top, "repo")
	find := func(dir, want string) {
		t.Helper()
		got, err := Find(filepath.Join(repo, dir))
		if err != nil {
			t.Error(err)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
	find("deploy/prod", "")
	root := write("repo/.hclint.yml")
	find("deploy/prod", root)
	find(".", root)
	near := write("repo/deploy/.hclint.yaml")
	find("deploy/prod", near)
	find(".", root)
	write("repo/.hclint.yaml")
	if _, err := Find(repo); err == nil {
		t.Error("two files in one directory: no error")
	}
}

func TestFindOutsideARepositoryLooksNoHigher(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	if repository(top) != "" {
		t.Fatalf("%s is inside a repository", top)
	}
	file := filepath.Join(top, ".hclint.yaml")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(top, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{top: file, sub: ""} {
		if got, err := Find(dir); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", dir, got, err, want)
		}
	}
}

func TestExcluderReadsPatternsRelativeToTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, ".hclint.yaml")
	src := "exclude: ['charts/', '*.tmpl.yaml', '/only-top.yaml', 'a/**/z.yaml', '!keep.tmpl.yaml']"
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	excluded := c.Excluder()
	for name, want := range map[string]bool{
		"charts/x.yaml": true, "x/charts/deep/y.yaml": true, "charts": false, "charts.yaml": false,
		"x.tmpl.yaml": true, "d/x.tmpl.yaml": true, "keep.tmpl.yaml": false, "charts/keep.tmpl.yaml": true,
		"only-top.yaml": true, "d/only-top.yaml": false, "a/b/c/z.yaml": true, "b/z.yaml": false,
		"../x.tmpl.yaml": false, ".": false,
	} {
		if got := excluded(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if (&Config{}).Excluder() != nil {
		t.Error("nothing is excluded, yet there is a test for it")
	}
}

func TestParseFailOnHasADefault(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]rules.Severity{"": rules.Warning, "warning": rules.Warning, "error": rules.Error, "info": rules.Info, "never": Never} {
		if got, err := ParseFailOn(s); err != nil || got != want {
			t.Errorf("%q: got %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"Error", "none", "0"} {
		if _, err := ParseFailOn(s); err == nil {
			t.Errorf("%q: no error", s)
		}
	}
}

func TestNearestNamesOnlyWhatIsNear(t *testing.T) {
	t.Parallel()
	words := []string{"exclude", "enable", "failOn", "podTemplates"}
	for word, want := range map[string]string{
		"exlude": "exclude", "failon": "failOn", "fail_on": "failOn", "podtemplate": "podTemplates", "enabled": "enable",
		"rules": "", "x": "", "": "", "ignore": "", "severities": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("podTemplates: &a [*a]\nseverity: {<<: {a: b}}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := Parse("c.yaml", src)
		if (c == nil) != (err != nil) {
			t.Errorf("config %v with error %v", c, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "c.yaml:") {
			t.Errorf("error without a place: %v", err)
		}
	})
}

func TestTheExampleInTheReadmeIsAConfiguration(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Configuration\n")
	_, block, _ := strings.Cut(section, "```yaml\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatal("no example below Configuration")
	}
	if _, err := Parse("README.md", []byte(block)); err != nil {
		t.Error(err)
	}
}
