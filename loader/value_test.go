package loader

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// words are scalars whose meaning differs between YAML 1.1, YAML 1.2 and JSON.
var words = []string{
	"", "~", "null", "Null", "NULL", "nULL", "y", "Y", "n", "N", "yes", "Yes", "YES", "yEs", "no", "No", "NO", "on", "On", "ON", "off", "Off",
	"OFF", "true", "True", "TRUE", "tRUE", "false", "False", "FALSE", "none", "0", "1", "-1", "+1", "0755", "0o755", "0O17", "0x1F", "-0x1F",
	"0b11", "-0b11", "08", "0_7", "1_000", "1__0", "_1", "1_", "12e03", "1e3", "1E+3", "-2.50", ".5", "5.", "+.5", "-.5", "1.5e", "e3", "1.2.3",
	"1:30", "190:20:30", "2001-01-01", "2001-1-1", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10", "20010101",
	"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809",
	"0x", "0xG", ".", "..", "+", "-5s", "10%", "100m", "1Gi", "v1", "a b", "a#b", "a:b", "<<", "=", "0.1", "1e-7", "1e21", "123456789.125", "'yes'",
	`"1"`, `"a\nb"`, `'it''s'`, "!!str 1", "!!str yes", "!!int 7", "!!float 7", "!!float 1.5", "!!bool yes", "!!binary aGVsbG8=", "!custom x", "!custom 5",
	"'0755'", "[]", "{}", "[1, yes, '2']", "{yes: 1, 2: 3, 0x10: 4, 1.5: 5, ~x: 6}", "1e400", "-1e400", "0.0", "-0", "-0.0", "1_000.5", "0o8", "0b2", "1e3x",
}

func TestScalarsMeanWhatTheyMeanForKubectl(t *testing.T) {
	t.Parallel()
	for _, word := range words {
		src := fmt.Sprintf("apiVersion: v1\nkind: Pod\na: %s\nb:\n- %s\n", word, word)
		theirs, err := yaml.YAMLToJSON([]byte(src))
		if err != nil {
			continue // JSON has no such value, so kubectl takes it from nobody
		}
		var want any
		if err := json.Unmarshal(theirs, &want); err != nil {
			t.Fatal(err)
		}
		f, _ := Parse("x.yaml", []byte(src), Options{})
		if len(f.Objects) != 1 {
			t.Errorf("%s: %v", word, f.Problems)
			continue
		}
		ours, err := json.Marshal(f.Objects[0].Root().Plain())
		if err != nil {
			t.Errorf("%s: %v", word, err)
			continue
		}
		var got any
		if err := json.Unmarshal(ours, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-kubectl +ours):\n%s", word, diff)
		}
	}
}

func TestTextIsWhatAStringFieldGets(t *testing.T) {
	t.Parallel()
	type field struct {
		A string `json:"a"`
	}
	for _, word := range words {
		src := fmt.Sprintf("apiVersion: v1\nkind: Pod\na: %s\n", word)
		var want field
		if err := yaml.Unmarshal([]byte(src), &want); err != nil {
			continue
		}
		f, _ := Parse("x.yaml", []byte(src), Options{})
		if len(f.Objects) != 1 {
			t.Errorf("%s: %v", word, f.Problems)
			continue
		}
		if got := f.Objects[0].Root().Get("a").Text(); got != want.A {
			t.Errorf("%s: got %q, want %q", word, got, want.A)
		}
	}
}

func TestWholeManifestsMeanWhatTheyMeanForKubectl(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		pod,
		string(manifests(1)),
		"apiVersion: v1\nkind: X\na: 1\na: 2\nb: {c: 1, d: 2, c: 3}\n",
		"apiVersion: v1\nkind: X\nbase: &b {p: 1, q: 2}\nm: {<<: *b, q: 3}\nl:\n- <<: [*b, {r: 4, p: 9}]\n",
		"apiVersion: v1\nkind: X\n1: a\nyes: b\n1.5: c\n0x10: d\n",
		"apiVersion: v1\nkind: X\na: >\n  one\n  two\n\n  three\n   four\nb: |2-\n    x\n   y\n\nc: \"a\\\n   b\\u00e9 \\x41\"\nd: 'a\n\n  b'\ne: a\n  b\n",
		"{\"apiVersion\": \"v1\", \"kind\": \"X\", \"a\": \"\\ud83d\\ude00 \\/ \\u00e9\", \"b\": [1.0, 1e2, -0, true, null]}",
	} {
		theirs, err := yaml.YAMLToJSON([]byte(src))
		if src[0] == '{' {
			theirs, err = []byte(src), nil // kubectl reads JSON as JSON
		}
		if err != nil {
			t.Fatal(err)
		}
		var want, got any
		if err := json.Unmarshal(theirs, &want); err != nil {
			t.Fatal(err)
		}
		f, _ := Parse("x.yaml", []byte(src), Options{})
		if len(f.Objects) != 1 {
			t.Fatalf("%s: %v", src, f.Problems)
		}
		ours, err := json.Marshal(f.Objects[0].Root().Plain())
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(ours, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-kubectl +ours):\n%s", src, diff)
		}
	}
}

func TestAKeyBeatsAMergedOneWhereverItStands(t *testing.T) {
	t.Parallel()
	f, _ := Parse("x.yaml", []byte("apiVersion: v1\nkind: X\nbase: &b {p: 1, q: 2}\nm:\n  p: 5\n  <<: *b\n"), Options{})
	want := map[string]any{"p": int64(5), "q": int64(2)}
	if diff := cmp.Diff(want, f.Objects[0].Root().Get("m").Plain()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTypesAndTypedReads(t *testing.T) {
	t.Parallel()
	type read struct {
		Type     NodeType
		Str      string
		IsStr    bool
		Int      int
		IsInt    bool
		Bool     bool
		IsBool   bool
		Unknown  bool
		IsLoaded bool
	}
	for _, tc := range []struct {
		value string
		want  read
	}{
		{"", read{Type: Null}},
		{"~", read{Type: Null}},
		{"x", read{Type: String, Str: "x", IsStr: true, IsLoaded: true}},
		{"'1'", read{Type: String, Str: "1", IsStr: true, IsLoaded: true}},
		{"''", read{Type: String, IsStr: true, IsLoaded: true}},
		{"0x10", read{Type: Int, Int: 16, IsInt: true, IsLoaded: true}},
		{"1e3", read{Type: Float, Int: 1000, IsInt: true, IsLoaded: true}},
		{"1.5", read{Type: Float, IsLoaded: true}},
		{"1e300", read{Type: Float, IsLoaded: true}},
		{".nan", read{Type: Float, IsLoaded: true}},
		{"18446744073709551615", read{Type: Int, IsLoaded: true}},
		{"on", read{Type: Bool, Bool: true, IsBool: true, IsLoaded: true}},
		{"!!str on", read{Type: String, Str: "on", IsStr: true, IsLoaded: true}},
		{"[1]", read{Type: Seq, IsLoaded: true}},
		{"{a: 1}", read{Type: Map, IsLoaded: true}},
		{"{{ .x }}", read{Type: Opaque, Unknown: true, IsLoaded: true}},
		{"{{ .x | default 3 }}", read{Type: Opaque, Unknown: true, IsLoaded: true}},
		{"!Ref x", read{Type: Opaque, Unknown: true, IsLoaded: true}},
		{"!reset []", read{Type: Opaque, Unknown: true, IsLoaded: true}},
		{"{[a]: b}", read{Type: Opaque, Unknown: true, IsLoaded: true}},
		{"${X}", read{Type: String, Str: "${X}", IsStr: true, Unknown: true, IsLoaded: true}},
		{"${{X}}", read{Type: String, Str: "${{X}}", IsStr: true, Unknown: true, IsLoaded: true}},
		{"a-${X:=5}", read{Type: String, Str: "a-${X:=5}", IsStr: true, Unknown: true, IsLoaded: true}},
		{"'{{ .x }}'", read{Type: String, Str: "{{ .x }}", IsStr: true, Unknown: true, IsLoaded: true}},
		{"$PORT", read{Type: String, Str: "$PORT", IsStr: true, Unknown: true, IsLoaded: true}},
		{"$(PORT)", read{Type: String, Str: "$(PORT)", IsStr: true, IsLoaded: true}},
		{"$5", read{Type: String, Str: "$5", IsStr: true, IsLoaded: true}},
		{"a$b", read{Type: String, Str: "a$b", IsStr: true, IsLoaded: true}},
	} {
		f, _ := Parse("x.yaml", []byte(head1+"a: "+tc.value+"\n"), Options{})
		if len(f.Objects) != 1 {
			t.Errorf("%s: %v", tc.value, f.Problems)
			continue
		}
		n := f.Objects[0].Root().Get("a")
		got := read{Type: n.Type(), Unknown: n.Unknown(), IsLoaded: n.Present()}
		got.Str, got.IsStr = n.Str()
		got.Int, got.IsInt = n.Int()
		got.Bool, got.IsBool = n.Bool()
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.value, diff)
		}
	}
}
