package rules

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/hclint/hclint/internal/facts"
)

// metadata is the part of OPA's METADATA block that rules use; the other keys that OPA knows are let pass.
type metadata struct {
	Scope         string `yaml:"scope"`
	Title         string `yaml:"title"`
	Description   string `yaml:"description"`
	Links         []link `yaml:"related_resources"`
	Custom        custom `yaml:"custom"`
	Authors       any    `yaml:"authors"`
	Organizations any    `yaml:"organizations"`
	Schemas       any    `yaml:"schemas"`
	Entrypoint    bool   `yaml:"entrypoint"`
}

type custom struct {
	Severity string   `yaml:"severity"`
	Since    string   `yaml:"since"`
	Subjects []string `yaml:"subjects"`
	Needs    []string `yaml:"needs"`
	Kinds    []string `yaml:"kinds"`
	Aliases  []string `yaml:"aliases"`
	Fix      string   `yaml:"fix"`
}

// link is a related resource: a mapping, or the address alone.
type link struct {
	Ref         string `yaml:"ref"`
	Description string `yaml:"description"`
}

// UnmarshalYAML reads both forms.
func (l *link) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&l.Ref)
	}
	type plain link
	return n.Decode((*plain)(l))
}

// parseRule reads a rule's METADATA from the source of its rule.rego at name (topic/rule_name/rule.rego).
func parseRule(name string, src []byte) (Rule, error) {
	folder := path.Dir(name)
	rule := Rule{Name: strings.ReplaceAll(path.Base(folder), "_", "-"), Topic: path.Dir(folder)}
	block, err := metadataBlock(src)
	if err != nil {
		return Rule{}, err
	}
	var m metadata
	if err := yaml.Load(block, &m, yaml.WithKnownFields()); err != nil {
		return Rule{}, fmt.Errorf("METADATA: %w", err)
	}
	rule.Title, rule.Description = strings.TrimSpace(m.Title), strings.TrimSpace(m.Description)
	rule.Since, rule.Subjects, rule.Kinds = m.Custom.Since, m.Custom.Subjects, m.Custom.Kinds
	rule.Aliases, rule.Fix = m.Custom.Aliases, m.Custom.Fix
	for _, l := range m.Links {
		rule.Links = append(rule.Links, Link(l))
	}
	if err := m.check(); err != nil {
		return Rule{}, fmt.Errorf("METADATA: %w", err)
	}
	if rule.Severity, err = ParseSeverity(m.Custom.Severity); err != nil {
		return Rule{}, fmt.Errorf("METADATA: custom: %w", err)
	}
	if rule.Needs, err = facts.FeaturesNamed(m.Custom.Needs); err != nil {
		return Rule{}, fmt.Errorf("METADATA: custom: needs: %w", err)
	}
	return rule, nil
}

// check reports everything that is missing or wrong, in one go.
func (m *metadata) check() error {
	var errs []error
	missing := func(key, value string) {
		if strings.TrimSpace(value) == "" {
			errs = append(errs, fmt.Errorf("%s is missing", key))
		}
	}
	if m.Scope != "" && m.Scope != "package" {
		errs = append(errs, fmt.Errorf("scope %q: the block above the package describes the package", m.Scope))
	}
	missing("title", m.Title)
	missing("description", m.Description)
	missing("custom.severity", m.Custom.Severity)
	missing("custom.since", m.Custom.Since)
	if len(m.Custom.Subjects) == 0 {
		errs = append(errs, errors.New("custom.subjects is missing"))
	}
	for _, s := range m.Custom.Subjects {
		if !slices.Contains(facts.SubjectKinds(), s) {
			errs = append(errs, fmt.Errorf("custom.subjects: %q is not one of %s", s, strings.Join(facts.SubjectKinds(), ", ")))
		}
	}
	if len(m.Custom.Kinds) == 0 {
		errs = append(errs, errors.New("custom.kinds is missing"))
	}
	if fixes := []string{"none", string(Display), string(Safe), string(Unsafe)}; !slices.Contains(fixes, m.Custom.Fix) {
		errs = append(errs, fmt.Errorf("custom.fix %q: want one of %s", m.Custom.Fix, strings.Join(fixes, ", ")))
	}
	return errors.Join(errs...)
}

// quickRule reads what a check needs of a rule (name, topic, title, severity, subjects, needs, aliases) from METADATA in its plainest
// form, twenty times faster than parseRule; ok is false when it is written in another way. TestQuickRuleAgrees holds it to
// parseRule.
func quickRule(name string, src []byte) (rule Rule, ok bool) {
	folder := path.Dir(name)
	rule = Rule{Name: strings.ReplaceAll(path.Base(folder), "_", "-"), Topic: path.Dir(folder)}
	for line := range bytes.Lines(src) {
		text, comment := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("#"))
		if !comment {
			break
		}
		key, value, _ := strings.Cut(string(text), ": ")
		switch key {
		case " title":
			rule.Title = plainScalar(value)
		case "   severity":
			rule.Severity, _ = ParseSeverity(value)
		case "   subjects":
			rule.Subjects = flowList(value)
		case "   needs":
			needs := flowList(value)
			var err error
			if rule.Needs, err = facts.FeaturesNamed(needs); needs == nil || err != nil {
				return rule, false // parseRule says what is wrong
			}
		case "   aliases":
			rule.Aliases = flowList(value)
		}
	}
	return rule, rule.Title != "" && rule.Severity != 0 && len(rule.Subjects) > 0
}

// plainScalar returns text when it is a plain YAML scalar on one line, which means what it says; else "".
func plainScalar(text string) string {
	if text == "" || strings.ContainsRune("\"'|>[]{}&*!%@`#,?:- ", rune(text[0])) ||
		strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.HasSuffix(text, " ") {
		return ""
	}
	return text
}

// flowList reads [a, b]; nil when text is no such list of plain words.
func flowList(text string) []string {
	inner, opened := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed || inner == "" {
		return nil
	}
	list := strings.Split(inner, ", ")
	if slices.ContainsFunc(list, func(s string) bool { return plainScalar(s) == "" }) {
		return nil
	}
	return list
}

// metadataBlock returns the YAML of the comment block at the top of src: the lines after "# METADATA" up to the first
// line that is no comment, without their "#".
func metadataBlock(src []byte) ([]byte, error) {
	var block []byte
	found := false
	for line := range bytes.Lines(src) {
		text, comment := bytes.CutPrefix(line, []byte("#"))
		switch {
		case found && !comment:
			return block, nil
		case found:
			block = append(block, bytes.TrimPrefix(text, []byte(" "))...)
		case comment:
			found = string(bytes.TrimSpace(text)) == "METADATA"
		case len(bytes.TrimSpace(line)) > 0:
			return nil, errors.New("no METADATA block stands above the package")
		}
	}
	return nil, errors.New("no METADATA block stands above the package")
}

// packageName returns the name in the package clause of src, "" when there is none.
func packageName(src []byte) string {
	for line := range bytes.Lines(src) {
		if rest, ok := bytes.CutPrefix(line, []byte("package ")); ok {
			rest, _, _ = bytes.Cut(rest, []byte("#"))
			return string(bytes.TrimSpace(rest))
		}
	}
	return ""
}
