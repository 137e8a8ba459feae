package loader

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListsAreFlattened(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"a List", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    namespace: ns\n- kind: Service\n  apiVersion: v1\n", []string{
			"v1 Pod ns/a 4-8", "v1 Service / 9-10",
		}},
		{"a List in a List", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - {apiVersion: v1, kind: Pod}\n", []string{"v1 Pod / 7-7"}},
		{"a List in JSON", `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod"}]}`, []string{"v1 Pod / 1-1"}},
		{"a typed list", "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleList\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n", []string{
			"rbac.authorization.k8s.io/v1 Role /a 4-4", "rbac.authorization.k8s.io/v1 Role /b 5-5",
		}},
		{"a Template", "apiVersion: template.openshift.io/v1\nkind: Template\nobjects:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: ${NAME}\nparameters: []\n", []string{
			"v1 Pod /${NAME} 4-7",
		}},
		{"an old Template", "apiVersion: v1\nkind: Template\nobjects:\n- apiVersion: v1\n  kind: Pod\n", []string{"v1 Pod / 4-5"}},
		{"an item without kind", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n- a: 1\n- text\n- {{ .x }}\n", []string{
			"v1 Pod / 4-5", "skip 6: item of a List without apiVersion and kind", "skip 7: item of a List without apiVersion and kind",
			"skip 8: " + reasonTemplate,
		}},
		{"an empty List", "apiVersion: v1\nkind: List\nitems: []\n", []string{"skip 0: a List without items"}},
		{"a List without items", "apiVersion: v1\nkind: List\nmetadata: {name: a}\n", []string{"v1 List /a 1-3"}},
		{"a kind that only ends in List", "apiVersion: x/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [10.0.0.0/8]\n", []string{"x/v1 AllowList /a 1-4"}},
		{"a kind that only ends in List, without items", "apiVersion: x/v1\nkind: AllowList\nmetadata: {generateName: a-}\n", []string{"x/v1 AllowList /a- 1-3"}},
		{"another Template", "apiVersion: argoproj.io/v1\nkind: Template\nobjects:\n- apiVersion: v1\n  kind: Pod\n", []string{"argoproj.io/v1 Template / 1-5"}},
		{"a key twice in an item", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  a: 1\n  a: 2\n", []string{
			"v1 Pod / 4-7", `7:3: key "a" is given twice, first on line 6; the last one counts`,
		}},
		{"a key twice in what is not ours", "a: 1\na: 2\n", []string{"skip 0: " + reasonOther}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcomeOf("x.yaml", tc.src, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestItemsKeepTheirPositions(t *testing.T) {
	t.Parallel()
	f, _ := Parse("x.yaml", []byte("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec: {a: 1}\n"), Options{})
	o := f.Objects[0]
	got := []any{show(f, o.Span(nil)), show(f, o.Span(Path{"spec", "a"})), show(f, o.Span(Path{"nope"})), o.Find(Path{"spec", "a"}).Path(), o.Find(Path{"spec"}).Object() == o}
	want := []any{"5:3 kind", "6:10 a", "5:3 kind", Path{"spec", "a"}, true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeepDecidesWhatIsDecoded(t *testing.T) {
	t.Parallel()
	opt := Options{
		Keep: func(_, kind string) bool { return kind == "Pod" },
		Keys: []string{"restart_policy", "health_check"},
	}
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"kept", head1, []string{"v1 Pod / 1-2"}},
		{"refused", "# c\napiVersion: x/v1\nmetadata: {name: a}\nkind: Crd\n\n# c\n", []string{"x/v1 Crd / 2-6 undecoded"}},
		{"refused, so nobody looks for errors", "apiVersion: x/v1\nkind: Crd\na: b: c\n", []string{"x/v1 Crd / 1-3 undecoded"}},
		{"refused in JSON", `{"apiVersion": "x/v1", "kind": "Crd", "metadata": {"name": "a"}}`, []string{"x/v1 Crd /a 1-1 undecoded"}},
		{"quoted and commented", "\"apiVersion\": 'x/v1' # c\nkind : \"Crd\"\n", []string{"x/v1 Crd / 1-2 undecoded"}},
		{"anchored", "apiVersion: &v x/v1\nkind: Crd\n", []string{"x/v1 Crd / 1-2 undecoded"}},
		{"in a List", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n- {apiVersion: v1, kind: Crd}\n", []string{
			"v1 Pod / 4-4", "v1 Crd / 5-5 undecoded",
		}},
		{"beside others", head1 + "---\napiVersion: x/v1\nkind: Crd\n---\n" + head1, []string{"v1 Pod / 1-2", "x/v1 Crd / 4-5 undecoded", "v1 Pod / 7-8"}},
		{"a wanted key", "restart_policy: {a: 1}\n", []string{"  / 1-1"}},
		{"a wanted key among others", "a: 1\nb:\n- 2\nhealth_check:\n  a: 1\n", []string{"  / 1-5"}},
		{"a wanted key in JSON", `{"restart_policy": {"a": 1}}`, []string{"  / 1-1"}},
		{"a wanted key in a broken document", "restart_policy:\n  a: b: c\n", []string{`2:7: a ":" where no key can stand: quote the value, or check the indentation`}},
		{"a wanted key in broken JSON", `{"restart_policy": {"a" 1}}`, []string{"1:25: expected ',' or '}' here, to go on with or close the bracket of line 1"}},
		{"a wanted key that is nested", "a:\n  restart_policy: 1\n", []string{"skip 0: " + reasonOther}},
		{"a wanted key that is a value", "a: restart_policy\n", []string{"skip 0: " + reasonOther}},
		{"others beside what is not ours", "restart_policy: {a: 1}\n---\na: 1\n", []string{"  / 1-1", "skip 3: " + reasonOther}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcomeOf("x.yaml", tc.src, opt)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
