package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// Example is a manifest that stands beside a rule, without the marks that the tests read.
type Example struct {
	Name   string // "bad.yaml"
	Source []byte
}

// mark matches what the examples' tests read: "# want rule-name …" at the end of a line.
var mark = regexp.MustCompile(`(?m)[ \t]*# want((?: [a-z0-9]+(?:-[a-z0-9]+)*)+)[ \t]*$`)

// Example returns a rule's example by file name: "bad.yaml" or "good.yaml"; of a rule about systemd units it is bad.service. The
// error is fs.ErrNotExist for a rule without.
func (s *Set) Example(rule, name string) (Example, error) {
	r, err := s.Rule(rule)
	if err != nil {
		return Example{}, err
	}
	src := s.sources[s.sourceOf(r.Name)]
	dir := path.Dir(src.files[r.Name])
	text, err := fs.ReadFile(src.fsys, path.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		name = strings.TrimSuffix(name, ".yaml") + ".service"
		text, err = fs.ReadFile(src.fsys, path.Join(dir, name))
	}
	if err != nil {
		return Example{}, err
	}
	return Example{Name: name, Source: mark.ReplaceAll(text, nil)}, nil
}

// language names the syntax of an example, for whatever highlights it.
func (e Example) language() string {
	if path.Ext(e.Name) == ".service" {
		return "ini"
	}
	return "yaml"
}

// CheckExample runs one rule, and no other, over an example.
func (s *Set) CheckExample(ctx context.Context, rule string, example Example) (*Report, error) {
	known, err := s.Endpoints()
	if err != nil {
		return nil, err
	}
	opt := facts.Options{Endpoints: known}
	file, _ := loader.Parse(example.Name, example.Source, loader.Options{Keep: facts.Keep(opt), Keys: facts.DocumentKeys()})
	files := []*loader.File{file}
	return s.Check(ctx, files, facts.Collect(files, opt), Options{Enable: []string{rule}, Jobs: 1})
}

// Page explains a rule in Markdown: what its METADATA says, its examples, and what render makes of the findings in
// bad.yaml. A rule without examples has a shorter page.
func (s *Set) Page(ctx context.Context, rule string, render func(*Report) string) (string, error) {
	r, err := s.Rule(rule)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n", r.Name, strings.TrimSuffix(r.Title, "."))
	b.WriteString("| severity | since | looks at | fix |\n| --- | --- | --- | --- |\n")
	fmt.Fprintf(&b, "| %s | %s | %s | %s |\n\n%s\n", r.Severity, r.Since, strings.Join(r.Kinds, ", "), fixWords(r.Fix), r.Description)
	if len(r.Aliases) > 0 {
		fmt.Fprintf(&b, "\nAlso known as %s.\n", strings.Join(r.Aliases, ", "))
	}
	if err := s.avoid(ctx, &b, r, render); err != nil {
		return "", fmt.Errorf("rule %s: bad.yaml: %w", r.Name, err)
	}
	if err := s.prefer(&b, r); err != nil {
		return "", fmt.Errorf("rule %s: good.yaml: %w", r.Name, err)
	}
	b.WriteString(suppressing(r))
	if len(r.Links) > 0 {
		b.WriteString("\n## Links\n\n")
	}
	for _, l := range r.Links {
		if l.Description == "" {
			fmt.Fprintf(&b, "- <%s>\n", l.Ref)
			continue
		}
		fmt.Fprintf(&b, "- [%s](%s)\n", l.Description, l.Ref)
	}
	return b.String(), nil
}

func (s *Set) avoid(ctx context.Context, b *strings.Builder, r Rule, render func(*Report) string) error {
	bad, err := s.Example(r.Name, "bad.yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	report, err := s.CheckExample(ctx, r.Name, bad)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n## Avoid\n\n%s", fence(bad.language(), string(bad.Source)))
	fmt.Fprintf(b, "\nhclint says:\n\n%s", fence("text", render(report)))
	return nil
}

func (s *Set) prefer(b *strings.Builder, r Rule) error {
	good, err := s.Example(r.Name, "good.yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n## Prefer\n\n%s", fence(good.language(), string(good.Source)))
	return nil
}

// fence sets text as code, between fences longer than any in it.
func fence(language, text string) string {
	ticks := "```"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	return ticks + language + "\n" + strings.Trim(text, "\n") + "\n" + ticks + "\n"
}

// suppressing says how a person ignores the rule.
func suppressing(r Rule) string {
	for _, subject := range r.Subjects {
		if subject == facts.SubjectSuppression {
			return fmt.Sprintf("\n## Suppressing it\n\nIts findings cannot be ignored one by one. `hclint --disable %s` turns the rule off.\n", r.Name)
		}
	}
	text := "\n## Suppressing it\n\nOn the line of the finding, or alone on the line above it, the key or the list item that it stands in:\n\n" +
		fence("yaml", "# hclint:ignore "+r.Name+" -- why this is right here")
	if slices.Contains(r.Subjects, facts.SubjectUnit) {
		return "\n## Suppressing it\n\nAlone on the line above it (on the same line systemd would take it for a part of the value):\n\n" +
			fence("ini", "# hclint:ignore "+r.Name+" -- why this is right here")
	}
	for _, subject := range r.Subjects {
		if subject == facts.SubjectWorkload || subject == facts.SubjectPDB {
			return text + "\nOr for the whole object, in its annotations:\n\n" +
				fence("yaml", "metadata:\n  annotations:\n    hclint.dev/ignore: "+r.Name+" -- why this is right here")
		}
	}
	return text
}

// fixWords says what the fix class means.
func fixWords(class string) string {
	switch Safety(class) {
	case Safe:
		return "`hclint --fix` applies it"
	case Unsafe:
		return "`hclint --fix --unsafe-fixes` applies it"
	case Display:
		return "shown, to be adapted by hand"
	}
	return "none"
}

// Index lists the rules by topic, in Markdown, with links to the pages below base ("" or "docs/rules/").
func (s *Set) Index(base string) string {
	var b strings.Builder
	topic := ""
	for _, r := range s.rules {
		if r.Topic != topic {
			topic = r.Topic
			fmt.Fprintf(&b, "%s### %s\n\n| rule | severity | finds |\n| --- | --- | --- |\n", leading(b.Len()), topic)
		}
		fmt.Fprintf(&b, "| [%s](%s%s.md) | %s | %s |\n", r.Name, base, r.Name, r.Severity, strings.ReplaceAll(r.Title, "|", `\|`))
	}
	return b.String()
}

// leading separates a section from what stands before it.
func leading(written int) string {
	if written == 0 {
		return ""
	}
	return "\n"
}
