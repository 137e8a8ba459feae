// Package endpoints knows which endpoint of which image checks what. The knowledge is data (policies/data/endpoints/*.yaml),
// each row with its evidence; this package finds the row for a probe.
package endpoints

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"
)

// The verdicts of a row.
const (
	Yes         = "yes"          // a dependency that is down makes the endpoint fail
	No          = "no"           // the endpoint answers for its own process alone
	Config      = "config"       // it depends on configuration (Row.Decides)
	ReportsOnly = "reports-only" // it reports dependencies in its body, and answers success whatever they say
)

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

// Table finds rows. It is safe for concurrent use.
type Table struct {
	// byName holds the rows by the last segment of their image patterns; a pattern with a wildcard there is under "*".
	byName map[string][]candidate
	anyone []*entry // rows that name no image
}

type candidate struct {
	entry   *entry
	pattern string
}

// entry is a row that is decoded when it is first needed, since most runs need few of them.
type entry struct {
	file   string
	text   []byte
	once   sync.Once
	row    *Row
	match  *regexp.Regexp
	except *regexp.Regexp
	err    error
}

// Load reads the *.yaml files of a directory of fsys. It only splits them into rows; a row is decoded when it is looked up.
func Load(fsys fs.FS, dir string) (*Table, error) {
	t := &Table{byName: map[string][]candidate{}}
	files, err := fs.Glob(fsys, path.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		for _, text := range split(src) {
			if err := t.add(&entry{file: name, text: text}); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
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

// add files the row under the names of its images, which are read without decoding the rest.
func (t *Table) add(e *entry) error {
	images, err := imagesOf(e.text)
	if err != nil {
		return fmt.Errorf("%s: %w", e.file, err)
	}
	if len(images) == 0 {
		t.anyone = append(t.anyone, e)
	}
	for _, pattern := range images {
		name := path.Base(pattern)
		if strings.Contains(name, "*") {
			name = "*"
		}
		t.byName[name] = append(t.byName[name], candidate{e, pattern})
	}
	return nil
}

// imagesOf reads the row's images, a flow sequence on a line of its own.
func imagesOf(text []byte) ([]string, error) {
	_, line, ok := bytes.Cut(text, []byte("\n  images:"))
	if !ok {
		return nil, nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	var images []string
	err := yaml.Unmarshal(line, &images)
	return images, err
}

// Find returns the row for q: the one with the most specific image pattern, and of equals the first. Rows without images come
// last. The error is a broken table.
func (t *Table) Find(q Query) (*Row, error) {
	repo, tag := splitImage(q.Image)
	candidates := slices.Concat(t.byName[path.Base(repo)], t.byName["*"])
	candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return !matchImage(c.pattern, repo) })
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(weight(b.pattern), weight(a.pattern)) })
	for _, c := range candidates {
		if row, err := c.entry.find(q, tag); row != nil || err != nil {
			return row, err
		}
	}
	for _, e := range t.anyone {
		if row, err := e.find(q, tag); row != nil || err != nil {
			return row, err
		}
	}
	return nil, nil //nolint:nilnil // no row is known, which is no error
}

// Rows decodes every row, in order, each once.
func (t *Table) Rows() ([]*Row, error) {
	seen := map[*entry]bool{}
	var all []*entry
	for _, list := range t.byName {
		for _, c := range list {
			if !seen[c.entry] {
				seen[c.entry] = true
				all = append(all, c.entry)
			}
		}
	}
	all = append(all, t.anyone...)
	rows := make([]*Row, 0, len(all))
	for _, e := range all {
		if err := e.decode(); err != nil {
			return nil, err
		}
		rows = append(rows, e.row)
	}
	slices.SortFunc(rows, func(a, b *Row) int { return cmp.Compare(a.ID, b.ID) })
	return rows, nil
}

func (e *entry) find(q Query, tag string) (*Row, error) {
	if err := e.decode(); err != nil {
		return nil, err
	}
	if e.row.Probe != q.Probe || !e.match.MatchString(q.Text) || e.except != nil && e.except.MatchString(q.Text) {
		return nil, nil //nolint:nilnil // the row is about something else
	}
	if ok, err := inVersions(e.row.Versions, tag); !ok || err != nil {
		return nil, err
	}
	return e.row, nil
}

func (e *entry) decode() error {
	e.once.Do(func() {
		var rows []*Row
		if e.err = yaml.UnmarshalStrict(e.text, &rows); e.err == nil {
			e.row = rows[0]
			e.err = e.compile()
		}
		if e.err != nil {
			id, _, _ := bytes.Cut(e.text, []byte("\n"))
			e.err = fmt.Errorf("%s: %s: %w", e.file, bytes.TrimPrefix(id, []byte("- ")), e.err)
		}
	})
	return e.err
}

func (e *entry) compile() (err error) {
	pattern := cmp.Or(e.row.Path, e.row.Command, e.row.Service)
	if pattern == "" {
		return fmt.Errorf("row %s has no path, command or service", e.row.ID)
	}
	if e.match, err = regexp.Compile(pattern); err != nil {
		return err
	}
	if e.row.Exclude != "" {
		e.except, err = regexp.Compile(e.row.Exclude)
	}
	return err
}
