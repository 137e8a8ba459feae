package endpoints

import (
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const dataDir = "../../policies/data/endpoints"

func shipped(tb testing.TB) *Table {
	tb.Helper()
	t, err := Load(os.DirFS(dataDir), ".")
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestTheShippedRowsAreWellFormedAndNamedOnce(t *testing.T) {
	t.Parallel()
	rows, err := shipped(t).Rows()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) < 240 {
		t.Errorf("%d rows are read, want all", len(rows))
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r.ID] {
			t.Errorf("id %s is there twice", r.ID)
		}
		seen[r.ID] = true
		if r.Product == "" || r.Evidence == "" {
			t.Errorf("row %s has no product or no evidence", r.ID)
		}
		if r.Verdict == Config && r.Decides == "" {
			t.Errorf("row %s says config and not which", r.ID)
		}
	}
}

// The rows are matched by what is read off their lines; YAML must read the same.
func TestTheLinesOfARowSayWhatItsYAMLSays(t *testing.T) {
	t.Parallel()
	table := shipped(t)
	for _, e := range table.entries {
		if err := e.decode(); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s|%s|%s|%s|%s", e.probe(), e.field("path"), e.field("command"), e.field("service"), e.field("exclude"))
		want := fmt.Sprintf("%s|%s|%s|%s|%s", e.row.Probe, e.row.Path, e.row.Command, e.row.Service, e.row.Exclude)
		if got != want {
			t.Errorf("row %s is read as %s, YAML says %s", e.row.ID, got, want)
		}
		if diff := cmp.Diff(e.row.Images, e.images(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("images of %s (-YAML +lines):\n%s", e.row.ID, diff)
		}
	}
}

// A look-up of a table that is in use: the index and the patterns are there.
func BenchmarkFindAmongShippedRows(b *testing.B) {
	table := shipped(b)
	for b.Loop() {
		if _, err := table.Find(Query{Image: "docker.io/grafana/grafana:11.1.0", Probe: "httpGet", Text: "/api/health"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFindNothing(b *testing.B) {
	table := shipped(b)
	for b.Loop() {
		if _, err := table.Find(Query{Image: "registry.example/shop/cart:2", Probe: "httpGet", Text: "/alive"}); err != nil {
			b.Fatal(err)
		}
	}
}

// Reading the files, the index and one row: what a run pays once.
func BenchmarkLoadAndFirstFind(b *testing.B) {
	for b.Loop() {
		table := shipped(b)
		if _, err := table.Find(Query{Image: "grafana/grafana", Probe: "httpGet", Text: "/api/health"}); err != nil {
			b.Fatal(err)
		}
	}
}
