package loader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show renders a span as "line:column text".
func show(f *File, s Span) string {
	if s.IsZero() {
		return ""
	}
	return fmt.Sprintf("%d:%d %s", s.Start.Line, s.Start.Column, f.Source[s.Start.Offset:s.End.Offset])
}

const pod = `# a comment first
apiVersion: v1
kind: Pod   # which kind
metadata:
  "name": 'web'
  labels: {app: web, "tier": [front, edge]}
spec:
  containers:
  - name: web
    image: nginx
    args: [a, "b"]
    command:
    - sh
    - |
      sleep 1
      exit 0
    env: []
  - image: &img busybox
    name: side
  hostAliases:
  -
    ip: 127.0.0.1
  empty:
  nothing: ~
`

func TestSpanIsTheKeyOfAMappingAndTheItemOfASequence(t *testing.T) {
	t.Parallel()
	f, skips := Parse("pod.yaml", []byte(pod), Options{})
	if len(f.Objects) != 1 || len(f.Problems)+len(skips) > 0 {
		t.Fatalf("objects %d, problems %v, skips %v", len(f.Objects), f.Problems, skips)
	}
	o := f.Objects[0]
	for _, tc := range []struct {
		path  Path
		span  string
		value string
	}{
		{nil, "3:1 kind", pod[len("# a comment first\n") : len(pod)-1]},
		{Path{"apiVersion"}, "2:1 apiVersion", "v1"},
		{Path{"metadata", "name"}, `5:3 "name"`, "'web'"},
		{Path{"metadata", "labels"}, "6:3 labels", `{app: web, "tier": [front, edge]}`},
		{Path{"metadata", "labels", "app"}, "6:12 app", "web"},
		{Path{"metadata", "labels", "tier"}, `6:22 "tier"`, "[front, edge]"},
		{Path{"metadata", "labels", "tier", 1}, "6:38 edge", "edge"},
		{Path{"spec", "containers", 0}, "9:5 name", "name: web\n    image: nginx\n    args: [a, \"b\"]\n    command:\n    - sh\n    - |\n      sleep 1\n      exit 0\n    env: []"},
		{Path{"spec", "containers", 0, "image"}, "10:5 image", "nginx"},
		{Path{"spec", "containers", 0, "args", 1}, `11:15 "b"`, `"b"`},
		{Path{"spec", "containers", 0, "command"}, "12:5 command", "- sh\n    - |\n      sleep 1\n      exit 0"},
		{Path{"spec", "containers", 0, "command", 0}, "13:7 sh", "sh"},
		{Path{"spec", "containers", 0, "command", 1}, "14:7 |\n      sleep 1\n      exit 0", "|\n      sleep 1\n      exit 0"},
		{Path{"spec", "containers", 0, "env"}, "17:5 env", "[]"},
		{Path{"spec", "containers", 1}, "18:5 image", "image: &img busybox\n    name: side"},
		{Path{"spec", "containers", 1, "image"}, "18:5 image", "busybox"},
		{Path{"spec", "hostAliases", 0}, "22:5 ip", "ip: 127.0.0.1"},
		{Path{"spec", "empty"}, "23:3 empty", ""},
		{Path{"spec", "nothing"}, "24:3 nothing", "~"},
		// absent: the deepest step that exists
		{Path{"spec", "containers", 0, "livenessProbe", "periodSeconds"}, "9:5 name", ""},
		{Path{"spec", "containers", 0, "image", "x"}, "10:5 image", ""},
		{Path{"spec", "containers", 7, "image"}, "8:3 containers", ""},
		{Path{"spec", "containers", -1}, "8:3 containers", ""},
		{Path{"spec", 0}, "7:1 spec", ""},
		{Path{"spec", "containers", "0"}, "8:3 containers", ""},
		{Path{"status"}, "3:1 kind", ""},
		{Path{1.5}, "3:1 kind", ""},
	} {
		n := o.Find(tc.path)
		got := []string{show(f, o.Span(tc.path)), show(f, n.ValueSpan())}
		want := []string{tc.span, ""}
		if n.Type() != Absent {
			start := n.ValueSpan().Start
			want[1] = fmt.Sprintf("%d:%d %s", start.Line, start.Column, tc.value)
			if diff := cmp.Diff(tc.path, n.Path()); diff != "" {
				t.Errorf("%v: path (-want +got):\n%s", tc.path, diff)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tc.path, diff)
		}
	}
	if first, last := o.Lines(); first != 2 || last != 24 {
		t.Errorf("lines %d-%d, want 2-24", first, last)
	}
}

func TestPositionsAreThoseOfTheFileWhateverStandsBefore(t *testing.T) {
	t.Parallel()
	const body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  k: v\n"
	for _, tc := range []struct {
		name, src string
		object    int
		path      Path
		want      string
	}{
		{"a marker first", "---\n" + body, 0, Path{"data", "k"}, "6:3 k"},
		{"two markers", "---\n---\n" + body, 0, Path{"data", "k"}, "7:3 k"},
		{"a directive", "%YAML 1.1\n---\n" + body, 0, Path{"data", "k"}, "7:3 k"},
		{"comments and blank lines", "# a\n\n---\n# b\n\n" + body, 0, Path{"data", "k"}, "10:3 k"},
		{"the second document", body + "--- # two\n" + body, 1, Path{"data", "k"}, "11:3 k"},
		{"an end marker", body + "...\n" + body, 1, Path{"data", "k"}, "11:3 k"},
		{"an end marker and a directive", body + "...\n%YAML 1.1\n---\n" + body, 1, Path{"data", "k"}, "13:3 k"},
		{"a byte order mark", "\ufeff" + body, 0, Path{"apiVersion"}, "1:1 apiVersion"},
		{"a byte order mark after the marker", "---\n\ufeff" + body, 0, Path{"apiVersion"}, "2:1 apiVersion"},
		{"a byte order mark after the marker, further down", "---\n\ufeff" + body, 0, Path{"data", "k"}, "6:3 k"},
		{"a byte order mark before the second marker", body + "\ufeff---\n" + body, 1, Path{"data", "k"}, "11:3 k"},
		{"a document before it that is broken", "a: b: c\nkind: X\n---\n" + body, 0, Path{"data", "k"}, "8:3 k"},
		{"wide characters before it", "apiVersion: v1\nkind: ConfigMap\ndata: {\"日本\": ä, k: v}\n", 0, Path{"data", "k"}, "3:17 k"},
		{"a line separator that only YAML counts", "apiVersion: v1\nkind: ConfigMap\nx: \"a\u2028  b\"\ndata:\n  k: v\n", 0, Path{"data", "k"}, "5:3 k"},
		{"indented as a whole", "  apiVersion: v1\n  kind: ConfigMap\n  data:\n    k: v\n", 0, Path{"data", "k"}, "4:5 k"},
		{"flow style with bare keys", "---\n{\n  apiVersion: v1, # c\n  kind: ConfigMap,\n  data: {k: v,},\n}\n", 0, Path{"data", "k"}, "5:10 k"},
		{"JSON with tabs", "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"ConfigMap\",\n\t\"data\": {\n\t\t\"k\": \"v\"\n\t}\n}\n", 0, Path{"data", "k"}, `5:3 "k"`},
		{"JSON after JSON", `{"apiVersion": "v1", "kind": "A"}` + "\n" + `{"apiVersion": "v1", "kind": "B", "data": {"k": 1}}`, 1, Path{"data", "k"}, `2:44 "k"`},
		{"JSON after JSON on a line", `{"apiVersion": "v1", "kind": "A"} {"apiVersion": "v1", "kind": "B", "k": 1}`, 1, Path{"k"}, `1:69 "k"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, _ := Parse("x.yaml", []byte(tc.src), Options{})
			if len(f.Objects) <= tc.object {
				t.Fatalf("%d objects, problems %v", len(f.Objects), f.Problems)
			}
			if got := show(f, f.Objects[tc.object].Span(tc.path)); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestLineEndingsDoNotMovePositions(t *testing.T) {
	t.Parallel()
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		src := strings.Join([]string{"apiVersion: v1", "kind: ConfigMap", "data:", "  a: |", "    one", "    two", "  b: x # c", "---", "apiVersion: v1", "kind: Secret", ""}, eol)
		f, _ := Parse("x.yaml", []byte(src), Options{})
		if len(f.Objects) != 2 {
			t.Fatalf("%q: %d objects, problems %v", eol, len(f.Objects), f.Problems)
		}
		o := f.Objects[0]
		got := []string{
			show(f, o.Span(Path{"data", "b"})), show(f, o.Find(Path{"data", "b"}).ValueSpan()), show(f, o.Find(Path{"data", "a"}).At(4, 7)),
			show(f, f.Objects[1].Span(nil)),
		}
		if diff := cmp.Diff([]string{"7:3 b", "7:6 x", "6:5 two", "10:1 kind"}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", eol, diff)
		}
	}
}

func TestAliasesAndMergedKeysStandAtTheAnchorsContent(t *testing.T) {
	t.Parallel()
	const src = `apiVersion: v1
kind: Pod
x-probe: &probe
  periodSeconds: 5
  exec: &exec {command: [a]}
base: &base {a: 1, b: 2}
over: &over {b: 3, c: 4}
spec:
  alias: *probe
  merged:
    <<: *probe
    periodSeconds: 9
  both:
    b: 7
    <<: [*base, *over]
  tagged: !!map
    k: !!str 5
  list:
  - *probe
  - &here item
  again: &base new
  after: *base
`
	f, _ := Parse("x.yaml", []byte(src), Options{})
	if len(f.Problems) > 0 {
		t.Fatal(f.Problems)
	}
	o := f.Objects[0]
	for _, tc := range []struct {
		path        Path
		span, value string
		shared      bool
	}{
		{Path{"spec", "alias"}, "9:3 alias", "4:3 periodSeconds: 5\n  exec: &exec {command: [a]}", true},
		{Path{"spec", "alias", "periodSeconds"}, "4:3 periodSeconds", "4:18 5", true},
		{Path{"spec", "merged", "periodSeconds"}, "12:5 periodSeconds", "12:20 9", false},
		{Path{"spec", "merged", "exec"}, "5:3 exec", "5:15 {command: [a]}", true},
		{Path{"spec", "merged", "exec", "command", 0}, "5:26 a", "5:26 a", true},
		{Path{"spec", "both", "a"}, "6:14 a", "6:17 1", true},
		{Path{"spec", "both", "b"}, "14:5 b", "14:8 7", false},
		{Path{"spec", "both", "c"}, "7:20 c", "7:23 4", true},
		{Path{"spec", "tagged"}, "16:3 tagged", "17:5 k: !!str 5", false},
		{Path{"spec", "tagged", "k"}, "17:5 k", "17:14 5", false},
		{Path{"spec", "list", 0}, "19:5 *probe", "4:3 periodSeconds: 5\n  exec: &exec {command: [a]}", true},
		{Path{"spec", "list", 1}, "20:5 &here item", "20:11 item", true},
		{Path{"spec", "after"}, "22:3 after", "21:16 new", true},
	} {
		n := o.Find(tc.path)
		got := []any{show(f, o.Span(tc.path)), show(f, n.ValueSpan()), n.Shared()}
		want := []any{tc.span, tc.value, tc.shared}
		if tc.path.String() == "/spec/list/1" {
			want[0] = "20:11 item"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tc.path, diff)
		}
	}
	want := map[string]any{
		"alias":  map[string]any{"periodSeconds": int64(5), "exec": map[string]any{"command": []any{"a"}}},
		"merged": map[string]any{"periodSeconds": int64(9), "exec": map[string]any{"command": []any{"a"}}},
		"both":   map[string]any{"a": int64(1), "b": int64(7), "c": int64(4)},
		"tagged": map[string]any{"k": "5"},
		"list":   []any{map[string]any{"periodSeconds": int64(5), "exec": map[string]any{"command": []any{"a"}}}, "item"},
		"again":  "new",
		"after":  "new",
	}
	if diff := cmp.Diff(want, o.Root().Get("spec").Plain()); diff != "" {
		t.Errorf("plain (-want +got):\n%s", diff)
	}
	var keys []string
	for k := range o.Root().Get("spec", "both").Entries() {
		keys = append(keys, k)
	}
	if diff := cmp.Diff([]string{"b", "a", "c"}, keys); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestAnAbsentNodeAnswersEverything(t *testing.T) {
	t.Parallel()
	var n Node
	for range n.Items() {
		t.Error("an item")
	}
	for range n.Entries() {
		t.Error("an entry")
	}
	s, isStr := n.Str()
	i, isInt := n.Int()
	b, isBool := n.Bool()
	got := []any{
		n.Type(), n.Present(), n.Get("a", "b").Type(), n.Index(0).Type(), n.Len(), n.Text(), s, isStr, i, isInt, b, isBool,
		n.Plain(), n.Object() == nil, n.Path(), n.KeySpan(), n.ValueSpan(), n.At(0, 3), n.Shared(), n.Unknown(),
	}
	want := []any{
		Absent, false, Absent, Absent, 0, "", "", false, 0, false, false, false,
		nil, true, Path(nil),
		Span{},
		Span{},
		Span{},
		false, false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
