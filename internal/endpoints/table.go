// Package endpoints knows which endpoint of which image checks what. The knowledge is data (policies/data/endpoints/*.yaml),
// each row with its evidence; this package finds the row for a probe.
package endpoints

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The verdicts of a row.
const (
	Yes         = "yes"          // a dependency that is down makes the endpoint fail
	No          = "no"           // the endpoint answers for its own process alone
	Config      = "config"       // it depends on configuration (Row.Decides)
	ReportsOnly = "reports-only" // it reports dependencies in its body, and answers success whatever they say
)

// General marks a row that nobody has checked: it may clear a suspicion and raises none.
const General = "general"

// Row is what is known of one endpoint.
type Row struct {
	ID        string   `json:"id"`
	Product   string   `json:"product"`
	Framework string   `json:"framework,omitempty"`
	Images    []string `json:"images"`
	Probe     string   `json:"probe"` // httpGet, exec or grpc
	// Path, Command and Service are RE2 patterns; the one that belongs to Probe is set. Exclude takes back what they match.
	Path    string `json:"path,omitempty"`
	Command string `json:"command,omitempty"`
	Service string `json:"service,omitempty"`
	Exclude string `json:"exclude,omitempty"`
	// Versions limits the row to image tags, for instance "<18" or ">=3.5.11 <4"; empty means every tag.
	Versions   string `json:"versions,omitempty"`
	Verdict    string `json:"verdict"`
	Dependency string `json:"dependency,omitempty"` // as in "fails when the SQL database is down"
	Decides    string `json:"decides,omitempty"`    // which configuration decides, in words
	Cluster    bool   `json:"cluster,omitempty"`    // the question is about a cluster or a role, not a separate dependency
	Readiness  bool   `json:"readiness,omitempty"`  // it is the product's readiness endpoint
	// Alternative is a safe endpoint of the same product.
	Alternative *Alternative `json:"alternative,omitempty"`
	Evidence    string       `json:"evidence"`
	Verified    string       `json:"verified"` // source, docs, chart, issue or general
}

// Alternative is what to probe instead: one of its fields is set.
type Alternative struct {
	Path      string   `json:"path,omitempty"`
	Command   []string `json:"command,omitempty"`
	TCPSocket bool     `json:"tcpSocket,omitempty"`
}

// Query is what a probe asks of an image.
type Query struct {
	Image string // as in the manifest, with registry, tag and digest
	Probe string // httpGet, exec or grpc
	Text  string // the path with its query, the argv joined by blanks, or the gRPC service
}

// Table finds rows. It is safe for concurrent use. The nil Table knows nothing.
type Table struct {
	entries []*entry
	index   func() index
}

// index finds the rows that may be about an image.
type index struct {
	byName map[string][]candidate // by the last segment of an image pattern
	wild   []candidate            // patterns with a wildcard there
	anyone []*entry               // rows that name no image
}

type candidate struct {
	entry   *entry
	pattern string
	// literal is what stands before the wildcard of the last segment.
	literal string
}

// Load reads the *.yaml files of a directory of fsys. It only splits them into rows, and indexes them when the first probe is
// looked up; a row is decoded when it matches.
func Load(fsys fs.FS, dir string) (*Table, error) {
	files, err := fs.Glob(fsys, path.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	t := &Table{}
	for _, name := range files {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		for _, text := range split(src) {
			t.entries = append(t.entries, &entry{file: name, text: text})
		}
	}
	t.index = sync.OnceValue(func() index { return newIndex(t.entries) })
	return t, nil
}

// With returns a table in which rows come first: where one of them matches, its word is final, however vague its image pattern.
func (t *Table) With(rows []Row) (*Table, error) {
	if len(rows) == 0 {
		return t, nil
	}
	both := &Table{}
	for i := range rows {
		e := &entry{file: rows[i].ID, row: &rows[i], first: true}
		if err := e.check(); err != nil {
			return nil, err
		}
		both.entries = append(both.entries, e)
	}
	if t != nil {
		both.entries = append(both.entries, t.entries...)
	}
	both.index = sync.OnceValue(func() index { return newIndex(both.entries) })
	return both, nil
}

// split cuts a file into its rows: each begins with "- id:" at the start of a line.
func split(src []byte) [][]byte {
	mark := []byte("\n- id:")
	var rows [][]byte
	for start := bytes.Index(src, mark); start >= 0; {
		next := bytes.Index(src[start+1:], mark)
		if next < 0 {
			return append(rows, src[start+1:])
		}
		rows = append(rows, src[start+1:start+1+next])
		start += 1 + next
	}
	return rows
}

func newIndex(entries []*entry) index {
	x := index{byName: make(map[string][]candidate, 2*len(entries))}
	for _, e := range entries {
		images := e.images()
		if len(images) == 0 {
			x.anyone = append(x.anyone, e)
		}
		for _, pattern := range images {
			name := pattern[strings.LastIndexByte(pattern, '/')+1:]
			if literal, _, ok := strings.Cut(name, "*"); ok {
				x.wild = append(x.wild, candidate{e, pattern, literal})
				continue
			}
			x.byName[name] = append(x.byName[name], candidate{e, pattern, name})
		}
	}
	return x
}

// Find returns the row for q: a person's own first, then the one with the most specific image pattern, and of equals the first.
// Rows without images come last. The error is a broken table.
func (t *Table) Find(q Query) (*Row, error) {
	if t == nil || t.index == nil {
		return nil, nil //nolint:nilnil // no row is known, which is no error
	}
	repo, tag := splitImage(q.Image)
	for _, e := range t.index().about(repo) {
		if row, err := e.find(q, tag); row != nil || err != nil {
			return row, err
		}
	}
	return nil, nil //nolint:nilnil // no row is known, which is no error
}

// about lists the rows that may be about a repository, in the order in which they count.
func (x index) about(repo string) []*entry {
	name := repo[strings.LastIndexByte(repo, '/')+1:]
	var found []candidate
	for _, list := range [...][]candidate{x.byName[name], x.wild} {
		for _, c := range list {
			if strings.HasPrefix(name, c.literal) && matchImage(c.pattern, repo) {
				found = append(found, c)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.entry.rank(), b.entry.rank()), cmp.Compare(weight(b.pattern), weight(a.pattern)))
	})
	out := make([]*entry, 0, len(found)+len(x.anyone))
	for _, c := range found {
		out = append(out, c.entry)
	}
	out = append(out, x.anyone...)
	slices.SortStableFunc(out, func(a, b *entry) int { return cmp.Compare(a.rank(), b.rank()) })
	return out
}

// Rows decodes every row, by id.
func (t *Table) Rows() ([]*Row, error) {
	rows := make([]*Row, 0, len(t.entries))
	for _, e := range t.entries {
		if err := e.check(); err != nil {
			return nil, err
		}
		rows = append(rows, e.row)
	}
	slices.SortFunc(rows, func(a, b *Row) int { return cmp.Compare(a.ID, b.ID) })
	return rows, nil
}

// Check reports what is wrong with a row.
func (r *Row) Check() error {
	verdicts := []string{Yes, No, Config, ReportsOnly}
	pattern, ok := map[string]string{"httpGet": r.Path, "exec": r.Command, "grpc": r.Service}[r.Probe]
	switch {
	case r.ID == "":
		return errors.New("a row has no id")
	case !ok:
		return fmt.Errorf("row %s: probe %q is none of httpGet, exec, grpc", r.ID, r.Probe)
	case pattern == "" && r.Probe != "grpc":
		return fmt.Errorf("row %s: no path, command or service that belongs to %s", r.ID, r.Probe)
	case !slices.Contains(verdicts, r.Verdict):
		return fmt.Errorf("row %s: verdict %q is none of %s", r.ID, r.Verdict, strings.Join(verdicts, ", "))
	case r.Dependency == "" && r.Verdict == Yes:
		return fmt.Errorf("row %s: verdict yes and no dependency", r.ID)
	}
	if err := r.checkPatterns(pattern); err != nil {
		return fmt.Errorf("row %s: %w", r.ID, err)
	}
	return nil
}

func (r *Row) checkPatterns(pattern string) error {
	for _, p := range []string{pattern, r.Exclude} {
		if _, err := regexp.Compile(p); err != nil {
			return err
		}
	}
	for _, image := range r.Images {
		if _, err := path.Match(image, ""); err != nil || image == "" {
			return fmt.Errorf("image pattern %q cannot be read", image)
		}
	}
	_, err := inVersions(r.Versions, "1.0.0")
	return err
}
