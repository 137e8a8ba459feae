package loader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hclint/hclint/loader"
)

const embeddedManifest = `apiVersion: v1
kind: ConfigMap
metadata: {name: supervisor}
data:
  level: info
  literal.yaml: |
    # read at start
    restart_policy:
      window_seconds: 300
      list: [{a: 1}, {b: 2}]
  indented.yaml: |2
      restart_policy:
        window_seconds: 300
  folded.yaml: >
    restart_policy: {max: 3,
    window_seconds: 300}
  json: '{"restart_policy": {"window_seconds": 300}}'
  escaped: "restart_policy:\n  window_seconds: 300\n"
  several.yaml: |
    owner: us
    ---
    restart_policy:
      window_seconds: 300
  utf8.yaml: |
    restart_policy: {note: "größer", window_seconds: 300}
`

func configMap(t *testing.T, src string) *loader.File {
	t.Helper()
	f, _ := loader.Parse("a.yaml", []byte(src), loader.Options{Keys: []string{"restart_policy"}})
	if len(f.Objects) == 0 {
		t.Fatal("no object")
	}
	return f
}

func TestAPathGoesOnInsideTheTextOfAConfigMap(t *testing.T) {
	t.Parallel()
	f := configMap(t, embeddedManifest)
	for _, path := range []loader.Path{
		{"data", "literal.yaml", "restart_policy", "window_seconds"},
		{"data", "indented.yaml", "restart_policy", "window_seconds"},
		{"data", "folded.yaml", "restart_policy", "window_seconds"},
		{"data", "json", "restart_policy", "window_seconds"},
		{"data", "escaped", "restart_policy", "window_seconds"},
		{"data", "several.yaml", 1, "restart_policy", "window_seconds"},
		{"data", "utf8.yaml", "restart_policy", "window_seconds"},
	} {
		t.Run(path[1].(string), func(t *testing.T) {
			t.Parallel()
			n := f.Objects[0].Find(path)
			if diff := cmp.Diff(path, n.Path()); diff != "" {
				t.Errorf("path (-want +got):\n%s", diff)
			}
			if got := n.Text(); got != "300" {
				t.Errorf("value %q, want 300", got)
			}
			span := f.Objects[0].Span(path)
			text := strings.Trim(string(f.Source[span.Start.Offset:span.End.Offset]), `"`)
			if text != "window_seconds" {
				t.Errorf("the span holds %q, want window_seconds", text)
			}
			value := n.ValueSpan()
			if text := string(f.Source[value.Start.Offset:value.End.Offset]); text != "300" {
				t.Errorf("the value's span holds %q, want 300", text)
			}
		})
	}
}

func TestDocumentsInATextStandWhereTheyStand(t *testing.T) {
	t.Parallel()
	f := configMap(t, embeddedManifest)
	var got []string
	for key, n := range f.Objects[0].Root().Get("data").Entries() {
		for _, root := range n.Documents() {
			span := root.KeySpan()
			got = append(got, fmt.Sprintf("%s %v %d:%d", key, root.Path(), span.Start.Line, span.Start.Column))
		}
	}
	want := []string{
		"level /data/level 5:10", "literal.yaml /data/literal.yaml 8:5", "indented.yaml /data/indented.yaml 12:7",
		"folded.yaml /data/folded.yaml 15:5", "json /data/json 17:11", "escaped /data/escaped 18:13",
		"several.yaml /data/several.yaml/0 20:5", "several.yaml /data/several.yaml/1 22:5", "utf8.yaml /data/utf8.yaml 25:5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

func TestAPathThatEndsInsideATextEndsAtItsDeepestStep(t *testing.T) {
	t.Parallel()
	o := configMap(t, embeddedManifest).Objects[0]
	for path, want := range map[string]struct {
		path loader.Path
		line int
	}{
		"a missing key":               {loader.Path{"data", "literal.yaml", "restart_policy", "missing"}, 8},
		"a missing document":          {loader.Path{"data", "several.yaml", 7, "restart_policy"}, 19},
		"a key where an index stands": {loader.Path{"data", "several.yaml", "restart_policy"}, 19},
		"text that is no mapping":     {loader.Path{"data", "level", "restart_policy"}, 5},
		"an item":                     {loader.Path{"data", "literal.yaml", "restart_policy", "list", 1, "b"}, 10},
	} {
		if got := o.Span(want.path).Start.Line; got != want.line {
			t.Errorf("%s: line %d, want %d", path, got, want.line)
		}
	}
}

func TestWhatIsWrongInATextIsReportedWhenItIsOurs(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"a quote that is not closed": {"a: |\n    restart_policy:\n      x: \"y\n", []string{"7:10 true this quote is never closed"}},
		"a key that stands twice": {"a: |\n    # ours\n    restart_policy:\n      x: 1\n      x: 2\n", []string{
			`9:7 false key "x" is given twice, first on line 8; the last one counts`,
		}},
		"an alias before its anchor": {"a: |\n    restart_policy: {x: *y}\n", []string{"6:25 true alias *y has no anchor &y before it in this document"}},
		"in the second document":     {"a: |\n    b: \"c\n    ---\n    restart_policy: [\n", []string{"8:22 true expected a value here"}},
		"JSON":                       {"a: |\n    {\"restart_policy\": {\"x\": 1}\n", []string{"6:32 true expected ',' or '}' here, to go on with or close the bracket of line 6"}},
		"a text without our key":     {"a: |\n    x: \"y\n", nil},
		"our key further down":       {"a: |\n    settings:\n      restart_policy: \"y\n", nil},
		"prose":                      {"a: |\n    the restart_policy: see \"there\n", nil},
		"a template":                 {"a: |\n    restart_policy: {{ .Values.policy }}\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := configMap(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  "+tc.text)
			var got []string
			for _, p := range f.Problems {
				got = append(got, fmt.Sprintf("%d:%d %v %s", p.Span.Start.Line, p.Span.Start.Column, p.Lost, p.Message))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
