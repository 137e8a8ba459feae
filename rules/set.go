// Package rules turns objects into findings: facts, Rego, and what the input suppresses.
package rules

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Set is the rules of one folder tree, or of several. It compiles nothing until a subject needs it.
type Set struct {
	sources []*source
	rules   []Rule         // by topic and name; of a trusted tree only what quickRule reads
	byName  map[string]int // names and aliases; index into rules
}

// source is one folder tree.
type source struct {
	fsys    fs.FS
	trusted bool
	files   map[string]string // rule name → path of its rule.rego
	text    map[string][]byte // path → source, rules and lib
	libs    []string          // paths
}

// Load reads the rules below fsys, <topic>/<rule_name>/rule.rego and lib/*.rego, and checks them fully before they run:
// strictly, and against the JSON Schema of the facts.
func Load(fsys fs.FS) (*Set, error) { return load(fsys, false) }

// LoadTrusted is Load for rules that a test has already checked fully: they compile in half the time.
func LoadTrusted(fsys fs.FS) (*Set, error) { return load(fsys, true) }

// snake reports whether name is lower-case words joined by "_", as Rego's style asks of a package.
func snake(name string) bool {
	for word := range strings.SplitSeq(name, "_") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return name[0] > '9'
}

// docsURL is where the page of a shipped rule stands (docs/rules, generated).
const docsURL = "https://github.com/hclint/hclint/blob/main/docs/rules/"

func load(fsys fs.FS, trusted bool) (*Set, error) {
	src := &source{fsys: fsys, trusted: trusted, files: map[string]string{}, text: map[string][]byte{}}
	s := &Set{sources: []*source{src}}
	found, err := fs.Glob(fsys, "*/*/rule.rego")
	if err != nil {
		return nil, err
	}
	for _, name := range found {
		rule, err := src.readRule(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.rules = append(s.rules, rule)
	}
	if src.libs, err = fs.Glob(fsys, "lib/*.rego"); err != nil {
		return nil, err
	}
	src.libs = slices.DeleteFunc(src.libs, func(name string) bool { return strings.HasSuffix(name, "_test.rego") })
	for _, name := range src.libs {
		if src.text[name], err = fs.ReadFile(fsys, name); err != nil {
			return nil, err
		}
		if pkg := packageName(src.text[name]); pkg != "policies.lib" && !strings.HasPrefix(pkg, "policies.lib.") {
			return nil, fmt.Errorf("%s: package %q: want policies.lib or a package below it", name, pkg)
		}
	}
	if err := s.index(); err != nil {
		return nil, err
	}
	return s, nil
}

func (src *source) readRule(name string) (Rule, error) {
	folder := path.Dir(name)
	for part := range strings.SplitSeq(folder, "/") {
		if !snake(part) {
			return Rule{}, fmt.Errorf("folder %q: want lower-case words joined by _", part)
		}
	}
	text, err := fs.ReadFile(src.fsys, name)
	if err != nil {
		return Rule{}, err
	}
	if pkg, want := packageName(text), "policies."+strings.ReplaceAll(folder, "/", "."); pkg != want {
		return Rule{}, fmt.Errorf("package %q: the folder asks for %s", pkg, want)
	}
	rule, quick := quickRule(name, text)
	if !src.trusted || !quick {
		if rule, err = parseRule(name, text); err != nil {
			return Rule{}, err
		}
	}
	src.files[rule.Name], src.text[name] = name, text
	rule.URL = src.url(rule)
	return rule, nil
}

// url is where a rule is explained: a shipped one on its page, a person's own under its first link.
func (src *source) url(r Rule) string {
	switch {
	case src.trusted:
		return docsURL + r.Name + ".md"
	case len(r.Links) > 0:
		return r.Links[0].Ref
	}
	return ""
}

// whole returns r with everything that its METADATA says.
func (s *Set) whole(r Rule) Rule {
	src := s.sources[s.sourceOf(r.Name)]
	if !src.trusted {
		return r
	}
	name := src.files[r.Name]
	whole, err := parseRule(name, src.text[name])
	if err != nil {
		return r // not in a trusted tree: TestFolders parses every rule
	}
	whole.URL = src.url(whole)
	return whole
}

// With returns the rules of s and t together; the lib of s is there for the rules of t.
func (s *Set) With(t *Set) (*Set, error) {
	both := &Set{sources: slices.Concat(s.sources, t.sources), rules: slices.Concat(s.rules, t.rules)}
	if err := both.index(); err != nil {
		return nil, err
	}
	return both, nil
}

// index sorts the rules and makes sure that a name means one rule.
func (s *Set) index() error {
	slices.SortStableFunc(s.rules, func(a, b Rule) int {
		return strings.Compare(a.Topic+"/"+a.Name, b.Topic+"/"+b.Name)
	})
	s.byName = make(map[string]int, len(s.rules))
	for i, r := range s.rules {
		for _, name := range append([]string{r.Name}, r.Aliases...) {
			if j, taken := s.byName[name]; taken {
				o := s.rules[j]
				return fmt.Errorf("rule %s/%s: the name %q belongs to %s/%s", r.Topic, r.Name, name, o.Topic, o.Name)
			}
			s.byName[name] = i
		}
	}
	return nil
}

// Rules lists the rules by topic and name.
func (s *Set) Rules() []Rule {
	out := make([]Rule, len(s.rules))
	for i, r := range s.rules {
		out[i] = s.whole(r)
	}
	return out
}

// Rule finds a rule by its name or an alias. The error for an unknown one says which was probably meant.
func (s *Set) Rule(name string) (Rule, error) {
	r, err := s.find(name)
	if err != nil {
		return Rule{}, err
	}
	return s.whole(r), nil
}

// find is Rule with only what a check needs.
func (s *Set) find(name string) (Rule, error) {
	if i, ok := s.byName[name]; ok {
		return s.rules[i], nil
	}
	if near := s.nearest(name); near != "" {
		return Rule{}, fmt.Errorf("unknown rule %q, did you mean %q", name, near)
	}
	return Rule{}, fmt.Errorf("unknown rule %q", name)
}

// nearest returns the rule name or alias that name was probably meant to be, "" when none is near: at most a third of
// it differs. Of equally near ones it is the first in the alphabet.
func (s *Set) nearest(name string) string {
	near, least := "", len(name)/3+1
	for known := range s.byName {
		d := levenshtein.ComputeDistance(strings.ToLower(strings.ReplaceAll(name, "_", "-")), known)
		if d < least || (d == least && near != "" && known < near) {
			near, least = known, d
		}
	}
	return near
}

// sourceOf returns the tree that rule stands in.
func (s *Set) sourceOf(rule string) int {
	return slices.IndexFunc(s.sources, func(src *source) bool { return src.files[rule] != "" })
}
