package endpoints

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"
)

// entry is a row that is read in two steps: what is needed to match it from its lines, which costs little, and the rest as YAML
// once it has matched.
type entry struct {
	file  string
	text  []byte
	first bool // a person's own row

	compiled sync.Once
	match    *regexp.Regexp
	except   *regexp.Regexp
	matchErr error

	decoded sync.Once
	row     *Row
	err     error
}

func (e *entry) rank() int {
	if e.first {
		return 0
	}
	return 1
}

// images are the image patterns of a row: in the files a flow sequence on a line of its own.
func (e *entry) images() []string {
	if e.text == nil {
		return e.row.Images
	}
	list := strings.TrimSuffix(strings.TrimPrefix(e.line("images"), "["), "]")
	var out []string
	for item := range strings.SplitSeq(list, ",") {
		if item = scalar(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// line is what stands after a key of the row, on one line.
func (e *entry) line(key string) string {
	_, line, ok := bytes.Cut(e.text, []byte("\n  "+key+":"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	return strings.TrimSpace(string(line))
}

// field is a scalar of the row.
func (e *entry) field(key string) string { return scalar(e.line(key)) }

// scalar takes the quotes off a plain or single-quoted scalar; the files use no others where this is asked.
func scalar(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\'' {
		return strings.ReplaceAll(text[1:len(text)-1], "''", "'")
	}
	return text
}

func (e *entry) probe() string {
	if e.text == nil {
		return e.row.Probe
	}
	return e.field("probe")
}

func (e *entry) find(q Query, tag string) (*Row, error) {
	if e.probe() != q.Probe {
		return nil, nil //nolint:nilnil // the row is about something else
	}
	if err := e.compile(); err != nil {
		return nil, err
	}
	if !e.match.MatchString(q.Text) || e.except != nil && e.except.MatchString(q.Text) {
		return nil, nil //nolint:nilnil // the row is about something else
	}
	if err := e.decode(); err != nil {
		return nil, err
	}
	if ok, err := inVersions(e.row.Versions, tag); !ok || err != nil {
		return nil, e.wrap(err)
	}
	return e.row, nil
}

// compile reads the patterns.
func (e *entry) compile() error {
	e.compiled.Do(func() {
		var pattern, exclude string
		if e.text == nil {
			pattern, exclude = cmp.Or(e.row.Path, e.row.Command, e.row.Service), e.row.Exclude
		} else {
			pattern, exclude = cmp.Or(e.field("path"), e.field("command"), e.field("service")), e.field("exclude")
		}
		if e.match, e.matchErr = regexp.Compile(pattern); e.matchErr == nil && exclude != "" {
			e.except, e.matchErr = regexp.Compile(exclude)
		}
	})
	return e.wrap(e.matchErr)
}

func (e *entry) decode() error {
	e.decoded.Do(func() {
		if e.text == nil {
			return
		}
		var rows []*Row
		if e.err = yaml.UnmarshalStrict(e.text, &rows); e.err == nil {
			e.row = rows[0]
		}
	})
	return e.wrap(e.err)
}

// check reads the row whole and says what is wrong with it.
func (e *entry) check() error {
	if err := e.compile(); err != nil {
		return err
	}
	if err := e.decode(); err != nil {
		return err
	}
	if err := e.row.Check(); err != nil {
		return e.wrap(err)
	}
	return nil
}

// wrap says which row an error is about.
func (e *entry) wrap(err error) error {
	if err == nil || e.text == nil {
		return err
	}
	id, _, _ := bytes.Cut(e.text, []byte("\n"))
	return fmt.Errorf("%s: %s: %w", e.file, bytes.TrimPrefix(id, []byte("- ")), err)
}
