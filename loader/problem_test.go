package loader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const head1 = "apiVersion: v1\nkind: Pod\n"

// outcomeOf lists what became of src: objects, problems with their place, skips.
func outcomeOf(name, src string, opt Options) []string {
	f, skips := Parse(name, []byte(src), opt)
	var out []string
	for _, o := range f.Objects {
		first, last := o.Lines()
		line := fmt.Sprintf("%s %s %s/%s %d-%d", o.APIVersion, o.Kind, o.Namespace, o.Name, first, last)
		if o.Root().Type() == Absent {
			line += " undecoded"
		}
		out = append(out, line)
	}
	for _, p := range f.Problems {
		out = append(out, fmt.Sprintf("%d:%d: %s", p.Span.Start.Line, p.Span.Start.Column, p.Message))
	}
	for _, s := range skips {
		out = append(out, fmt.Sprintf("skip %d: %s", s.Line, s.Reason))
	}
	return out
}

func TestWhatIsWrongHasAPlaceAndPlainWords(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	var bomb strings.Builder
	bomb.WriteString("a: &a [x, x, x, x, x, x, x, x, x, x]\n")
	for c := 'b'; c < 'j'; c++ {
		fmt.Fprintf(&bomb, "%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 10), ", "))
	}
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"a colon in a value", head1 + "a: b: c\n", []string{`3:5: a ":" where no key can stand: quote the value, or check the indentation`}},
		{"a key too far right", head1 + "a: 1\n  b: 2\n", []string{`4:4: a ":" where no key can stand: quote the value, or check the indentation`}},
		{"an open quote", head1 + "a: \"x\nb: 1\n", []string{"3:4: this quote is never closed"}},
		{"an open quote before another document", head1 + "a: \"x\n---\n" + head1, []string{"v1 Pod / 5-6", "3:4: this quote is never closed"}},
		{"an open bracket", head1 + "a: [1,\n  2\nb: 3\n", []string{"5:2: expected ',' or ']' here, to go on with or close the bracket of line 3"}},
		{"a stray word", head1 + "word\nb: 3\n", []string{`3:1: this line is neither "key: value" nor part of the text above it`}},
		{"a tab for indentation", head1 + "spec:\n\ta: 1\n", []string{"4:1: a tab for indentation: YAML allows only spaces there"}},
		{"a character that must be quoted", head1 + "a: @x\n", []string{`3:4: text cannot start with "@": quote it`}},
		{"text after a quoted value", head1 + "a: 'x' y\n", []string{"3:8: expected a key here: check the indentation, and quotes around the text before"}},
		{"an item between keys", head1 + "a:\n  b: 1\n  - c\n", []string{`5:3: expected a key here: check the indentation, and quotes around the text before`}},
		{"an unknown escape", head1 + `a: "\d"` + "\n", []string{`3:5: unknown escape in a double-quoted string: write \\ for a backslash, or use single quotes`}},
		{"an unknown anchor", head1 + "a: *nope\n", []string{"3:4: alias *nope has no anchor &nope before it in this document"}},
		{"an anchor of another document", head1 + "a: &x 1\n---\n" + head1 + "a: *x\n", []string{"v1 Pod / 1-3", "7:4: alias *x has no anchor &x before it in this document"}},
		{"an anchor in itself", head1 + "a: &x [*x]\n", []string{"3:8: anchor &x contains itself"}},
		{"an anchor in itself, in flow style", "{apiVersion: v1, kind: Pod, a: &x [*x]}\n", []string{"1:36: anchor &x contains itself"}},
		{"an anchor in itself, as a merge", head1 + "a: &x\n  <<: *x\n", []string{"4:7: anchor &x contains itself"}},
		{"an alias bomb", head1 + bomb.String(), []string{"8:12: aliases expand to more than 250000 nodes"}},
		{"nesting", head1 + "a: " + deep + "\n", []string{"3:204: nested more than 200 levels deep"}},
		{"a control character", head1 + "a: x\x01\n", []string{"3:5: control character U+0001 is not allowed in YAML"}},
		{"a byte that is not UTF-8", head1 + "a: ä\xff\n", []string{"3:5: byte 0xFF is not UTF-8"}},
		{"a key twice", head1 + "a: 1\nb:\n  c: 1\n  \"c\": 2\nkind: Pod\n", []string{
			"v1 Pod / 1-7", `6:3: key "c" is given twice, first on line 5; the last one counts`,
			`7:1: key "kind" is given twice, first on line 2; the last one counts`,
		}},
		{"a key on both sides of an else", head1 + "# {{ if .x }}\na: 1\n#{{- else }}\na: 2\n# {{ end }}\n", []string{"v1 Pod / 1-6"}},
		{"a key twice beside an if", head1 + "# {{ if .x }}\na: 1\n# {{ end }}\na: 2\n", []string{
			"v1 Pod / 1-6", `6:1: key "a" is given twice, first on line 4; the last one counts`,
		}},
		{"a key twice around another", head1 + "a: {c: 1}\na: {b: 1, b: 2}\n", []string{
			"v1 Pod / 1-4", `4:1: key "a" is given twice, first on line 3; the last one counts`,
			`4:11: key "b" is given twice, first on line 4; the last one counts`,
		}},
		{"a key twice in different words", head1 + "data: {yes: 1, true: 2}\n", []string{
			"v1 Pod / 1-3", `3:16: key "true" is given twice, first on line 3; the last one counts`,
		}},
		{"a key twice in the second document", head1 + "---\n" + head1 + "a: 1\na: 2\n", []string{
			"v1 Pod / 1-2", "v1 Pod / 4-7", `7:1: key "a" is given twice, first on line 6; the last one counts`,
		}},
		{"a missing colon beside kind", "apiVersion v1\nkind: Pod\n", []string{`2:5: a ":" where no key can stand: quote the value, or check the indentation`}},
		{"the first of three documents", "kind: Pod\napiVersion: [\n---\n" + head1 + "---\n" + head1, []string{
			"v1 Pod / 4-5", "v1 Pod / 7-8", "2:14: expected a value here",
		}},
		{"broken JSON", `{"apiVersion": "v1", "kind": "Pod", "a": 1,, }`, []string{"1:44: expected a value here"}},
		{"JSON cut short", `{"apiVersion": "v1", "kind": "Pod", "a": {"b": 1`, []string{"1:48: expected ',' or '}' here, to go on with or close the bracket of line 1"}},
		{"text after JSON", `{"apiVersion": "v1", "kind": "Pod"} x`, []string{"1:37: text after the end of the document"}},
		{"a tab in a value's second line", head1 + "spec:\n  a: 1\n\tb: 1\n", []string{"5:1: a tab for indentation: YAML allows only spaces there"}},
		{"a no-break space for indentation", head1 + "spec:\n  a: 1\n\u00a0\u00a0b: 1\n", []string{"5:1: U+00A0 for indentation: YAML allows only spaces there"}},
		{"a merge conflict", "<<<<<<< HEAD\n" + head1 + "=======\n" + head1 + ">>>>>>> main\n", []string{"1:1: a merge conflict is not resolved here"}},
		{"the other side of a merge conflict", head1 + "a:\n- b\n=======\n- c\n", []string{"5:1: a merge conflict is not resolved here"}},
		{"a no-break space that makes an error elsewhere", head1 + "spec:\n  a: 1\n\u00a0\u00a0b: c: d\n", []string{"5:1: U+00A0 for indentation: YAML allows only spaces there"}},
		{"a marker with text", "---apiVersion: v1\nkind: Pod\n", []string{`1:1: "---" starts a document only where nothing or a blank follows it`}},
		{"a marker with a stroke too many", "----\n" + head1, []string{`1:1: "---" starts a document only where nothing or a blank follows it`}},
		{"a version of YAML that is not there yet", "%YAML 2.0\n---\n" + head1, []string{"1:1: this version of YAML is not known: remove the %YAML line"}},
		{"a comment as in JavaScript", "{\n  // the pod\n  \"apiVersion\": \"v1\", \"kind\": \"Pod\"}", []string{`2:3: "//" starts no comment in JSON or YAML, but a key: use "#"`}},
		{"a placeholder elsewhere", head1 + "a:\n  ${b}\nc: 1\n  d: 2\n", []string{`6:4: a ":" where no key can stand: quote the value, or check the indentation`}},
		{"a flow mapping before other text", head1 + "a: {b: 1}c\n", []string{"3:10: expected a key here: check the indentation, and quotes around the text before"}},
		{"a comment as in C", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n \"spec\": {/* x */ \"a\": 1}}", []string{`2:11: "/*" starts no comment in JSON or YAML, but a key: use "#"`}},
		{"a key that is a sequence", head1 + "a: {[b]: c}\n", []string{"v1 Pod / 1-3", "3:5: a mapping or a sequence as a key: Kubernetes reads only text there"}},
		{"a key of the root that is a mapping", head1 + "{b: c}: d\n", []string{"3:1: a mapping or a sequence as a key: Kubernetes reads only text there"}},
		{"UTF-16", "\xff\xfea\x00p\x00i\x00V\x00e\x00r\x00s\x00i\x00o\x00n\x00:\x00 \x00v\x001\x00\n\x00k\x00i\x00n\x00d\x00:\x00 \x00P\x00o\x00d\x00\n\x00", []string{
			"1:1: the file is UTF-16: save it as UTF-8",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcomeOf("x.yaml", tc.src, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNotOursIsSkippedWithAReason(t *testing.T) {
	t.Parallel()
	other := []string{"skip 0: " + reasonOther}
	tmpl := []string{"skip 0: " + reasonTemplate}
	unfilled := []string{"skip 0: " + reasonUnfilled}
	for _, tc := range []struct {
		name, file, src string
		want            []string
	}{
		{"an empty file", "x.yaml", "", nil},
		{"comments only", "x.yaml", "# a\n---\n# b\n...\n", nil},
		{"blank lines", "x.yaml", "\n \n\t\n", nil},
		{"some configuration", "x.yaml", "a: 1\n", other},
		{"broken configuration", "x.yaml", "a: b: c\n", other},
		{"broken flow style", "x.yaml", "{a: b: c\n", other},
		{"JSON of something else", "x.json", "{\"a\": {\"kind\": 1}}\n", other},
		{"a sequence", "x.yaml", "- apiVersion: v1\n  kind: Pod\n", other},
		{"a JSON array", "x.json", "[]", other},
		{"text", "x.yaml", "Hello there\n", other},
		{"a quoted text", "x.yaml", "\"Hello: there\"\n", other},
		{"a block scalar", "x.yaml", "--- |\napiVersion: v1\nkind: Pod\n", other},
		{"an anchor that is text", "x.yaml", "&a apiVersion kind\n", other},
		{"a set", "x.yaml", "? kind\n? b\n", other},
		{"only kind", "x.yaml", "kind: Config\na: 1\n", []string{"skip 0: has kind but no apiVersion: not a Kubernetes manifest"}},
		{"only apiVersion", "x.yaml", "apiVersion: 1\na: 1\n", []string{"skip 0: has apiVersion but no kind: not a Kubernetes manifest"}},
		{"a kind that is no text", "x.yaml", "apiVersion: v1\nkind: 5\n", []string{"skip 0: apiVersion and kind are not text: not a Kubernetes manifest"}},
		{"nested keys are not top-level keys", "x.yaml", "a:\n  apiVersion: v1\n  kind: Pod\n", other},
		{"keys in a block scalar", "x.yaml", "a: |\n  apiVersion: v1\n  kind: Pod\n", other},
		{"keys in comments", "x.yaml", "# apiVersion: v1\n# kind: Pod\na: 1\n", other},
		{"UTF-16 of something else", "x.yaml", "\xff\xfea\x00:\x001\x00", other},
		{"a Kustomization by name", "a/kustomization.yaml", "resources: [x.yaml]\n", []string{"skip 0: " + reasonKustomize}},
		{"a Kustomization by kind", "x.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", []string{"skip 0: " + reasonKustomize}},
		{"a Kustomization in JSON", "x.json", `{"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}`, []string{"skip 0: " + reasonKustomize}},
		{"a chart's own file", "c/Chart.yaml", "apiVersion: v2\nname: x\n", []string{"skip 0: " + reasonChart}},
		{"services of something else", "x.yaml", "services:\n  a: 1\n", other},
		{"a template", "x.yaml", "{{ if .x }}\n" + head1 + "{{ end }}\n", tmpl},
		{"a placeholder of Terraform", "x.yaml", head1 + "a:\n  - b\n  ${c == \"\" ? \"\" : \"- d=${c}\"}\n  - e\n", unfilled},
		{"a placeholder on the line before", "x.yaml", head1 + "a:\n- b: 1\n${c}\n    - d: 2\n", unfilled},
		{"a placeholder of Python", "x.yaml", head1 + "a:\n  b: 1\n  {extra}\n  c: 2\n", unfilled},
		{"a placeholder with a key", "x.yaml", head1 + "a: {images[server]}\n", unfilled},
		{"a placeholder before other text", "x.yaml", head1 + "a: {self.name}-b\n", unfilled},
		{"a template of Jinja", "x.yaml", "{% if x %}\n" + head1 + "{% endif %}\n", tmpl},
		{"a template in the middle", "x.yaml", head1 + "{{- if .x }}\na: 1\n{{- end }}\n", tmpl},
		{"a template over lines", "x.yaml", head1 + "a: {{- toJson\n  .x }}\n  b\n", tmpl},
		{"a template that is all there is", "x.yaml", head1 + "spec:\n  {{ toYaml .x }}\n", tmpl},
		{"a template that is a key", "x.yaml", head1 + "data:\n  {{ .x }}: y\n", tmpl},
		{"two templates in a value", "x.yaml", head1 + "a: {{ .x }}-{{ .y }}\n", tmpl},
		{"a template for the kind", "x.yaml", "apiVersion: v1\nkind: {{ .kind }}\n", tmpl},
		{"placeholders for the kind", "x.yaml", "apiVersion: v1\nkind: ${KIND}\n", tmpl},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcomeOf(tc.file, tc.src, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTemplatesThatAreYAMLAreRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"a whole plain value", head1 + "a: {{ .x }}\n", []string{"v1 Pod / 1-3"}},
		{"an item", head1 + "a:\n- {{ .x }}\n", []string{"v1 Pod / 1-4"}},
		{"a quoted value", head1 + "a: '{{ .x }}'\nb: \"{{ if }}\"\n", []string{"v1 Pod / 1-4"}},
		{"a comment", head1 + "# {{ if }}\n", []string{"v1 Pod / 1-2"}},
		{"a block scalar", head1 + "a: |\n  {{ if }}\n  {{ end }}\n", []string{"v1 Pod / 1-5"}},
		{"the end of a plain value", head1 + "a: x-{{ .x }}\n", []string{"v1 Pod / 1-3"}},
		{"an error beside a quoted one", head1 + "a: '{{ .x }}'\nb: c: d\n", []string{`4:5: a ":" where no key can stand: quote the value, or check the indentation`}},
		{"an error beside one in a block scalar", head1 + "a: |\n  {{ .x }}\nb: c: d\n", []string{`5:5: a ":" where no key can stand: quote the value, or check the indentation`}},
		{"an error beside one in a comment", head1 + "a: 1 # {{ .x }}\nb: c: d\n", []string{`4:5: a ":" where no key can stand: quote the value, or check the indentation`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcomeOf("x.yaml", tc.src, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What takes a fraction of a second here would take minutes if any step were quadratic.
func TestHostileInputIsReadInLinearTime(t *testing.T) {
	t.Parallel()
	const size = 1 << 19
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, src := range map[string]string{
		"documents":             fill("a\n---\n"),
		"documents that count":  fill("kind: a\napiVersion: b\n---\n"),
		"open brackets":         head1 + "a: " + fill("["),
		"dashes":                head1 + "a:\n  " + fill("- "),
		"open braces":           head1 + "a: " + fill("{"),
		"templates cut short":   head1 + "a: b: " + fill("{{ "),
		"quotes":                head1 + "a: b: " + fill("'a\n "),
		"one line of JSON":      `{"apiVersion": "v1", "kind": "ä", "a": [` + fill(`{"b": 1}, `) + "1]}",
		"line separators":       head1 + "a: \"" + fill("\u2028") + "\"\n",
		"a key many times":      head1 + "a: {ä: 1, " + fill("b: 1, ") + "}\n",
		"comments":              head1 + fill("# x\n"),
		"carriage returns":      "apiVersion: v1\rkind: Pod\r" + fill("# x\r"),
		"JSON values":           fill(`{"apiVersion": "v1", "kind": "x"}`),
		"markers":               fill("---\n"),
		"byte order marks":      fill("\ufeff\n---\n"),
		"block scalars":         head1 + "a:\n" + fill("- |\n  x\n"),
		"escapes":               head1 + "a: \"" + fill(`\u00e9`) + "\"\n",
		"blank lines in a text": head1 + "a: |\n  x\n" + fill("\n") + "  y\n",
		"anchors":               head1 + "a:\n" + fill("- &a 1\n- *a\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, _ := Parse("x.yaml", []byte(src), Options{})
			for _, o := range f.Objects[:min(len(f.Objects), 10)] {
				o.Span(Path{"a", 1})
				o.Find(Path{"a"}).At(1, 2)
				o.Root().Plain()
			}
			f.Comments("x")
		})
	}
}

func TestWhatLooksWrongButIsNotIsRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"a version of YAML", "%YAML 1.2\n---\n" + head1, []string{"v1 Pod / 3-4"}},
		{"a version of YAML below a comment", "# a\r\n%YAML 1.1\r\n---\r\n" + head1, []string{"v1 Pod / 4-5"}},
		{"a quoted key that starts like a comment", `{"apiVersion": "v1", "kind": "Pod", "//": "the pod"}`, []string{"v1 Pod / 1-1"}},
		{"a path as a key", head1 + "//a: 1\n", []string{"v1 Pod / 1-3"}},
		{"rules in a block scalar", head1 + "a: |\n  <<<<<<< a\n  =======\n", []string{"v1 Pod / 1-5"}},
		{"a no-break space in a block scalar", head1 + "a: |\n  x\n  \u00a0y\n", []string{"v1 Pod / 1-5"}},
		{"a template as a value", head1 + "a: {{ .x }}\nb: {{ .y }}\n", []string{"v1 Pod / 1-4"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcomeOf("x.yaml", tc.src, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
