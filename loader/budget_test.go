package loader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestADocumentOfTooManyValuesIsRefusedBeforeItIsParsed(t *testing.T) {
	t.Parallel()
	const refused = ": more than 1500000 values in one document: split it"
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"numbers in brackets", head1 + "a: [" + strings.Repeat("0,", 1_600_000) + "]\n", []string{"3:2999993" + refused}},
		{"nothing at dashes", head1 + "a:\n" + strings.Repeat("- \n", 1_600_000), []string{"1499999:1" + refused}},
		{"empty mappings in JSON", `{"apiVersion":"v1","kind":"Pod","a":[` + strings.Repeat("{},", 1_600_000) + "0]}", []string{"1:4500017" + refused}},
		{"and the next document is checked", head1 + "a: [" + strings.Repeat("0,", 1_600_000) + "]\n---\n" + head1, []string{"v1 Pod / 5-6", "3:2999993" + refused}},
		{"a document of something else", "a: [" + strings.Repeat("0,", 1_600_000) + "]\n", []string{"skip 0: " + reasonOther}},
		{"much text in a block", head1 + "a: |\n" + strings.Repeat(" [0, 0, 0,\n", 300_000), []string{"v1 Pod / 1-300003"}},
		{"much text in quotes", head1 + "a: '" + strings.Repeat("0, ", 1_000_000) + "'\n", []string{"v1 Pod / 1-3"}},
		{"much plain text", head1 + "a: b\n" + strings.Repeat(" 0,\n", 1_000_000), []string{"v1 Pod / 1-1000003"}},
		{"many comments", head1 + strings.Repeat("#\n", 1_600_000) + "a: b\n", []string{"v1 Pod / 1-1600003"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, outcomeOf("x.yaml", tc.src, Options{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPositionsInJSONOnOneLineAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	src := `{"apiVersion":"v1","kind":"Pod","a":{"b":"é","c":1,"c":2}}{"apiVersion":"v1","kind":"Pod","a":tru,,e}`
	want := []string{
		"v1 Pod / 1-1", `1:52: key "c" is given twice, first on line 1; the last one counts`,
		"1:99: expected a value here",
	}
	if diff := cmp.Diff(want, outcomeOf("x.json", src, Options{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
