package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	yamlnode "go.yaml.in/yaml/v4"
	"sigs.k8s.io/yaml"

	"github.com/hclint/hclint/rules"
)

// Parse reads a configuration from src; file is its name in messages. Unknown and duplicate keys are errors: a
// misspelt key that is silently ignored turns a rule off (or leaves it on) without anybody noticing.
func Parse(file string, src []byte) (*Config, error) {
	doc, err := onlyDocument(file, src)
	if err != nil {
		return nil, err
	}
	if doc == nil || len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
		return &Config{File: file}, nil
	}
	root := doc.Content[0]
	if root.Kind != yamlnode.MappingNode {
		return nil, fmt.Errorf("%s:%d: a configuration is a mapping, as in \"failOn: error\"", file, root.Line)
	}
	if err := unknownKeys(file, root); err != nil {
		return nil, err
	}
	if err := repeatedKeys(file, root); err != nil {
		return nil, err
	}
	c := &Config{File: file, src: src}
	if err := yaml.UnmarshalStrict(src, c); err != nil {
		return nil, typeError(file, root, err)
	}
	if err := c.validate(root); err != nil {
		return nil, err
	}
	return c, nil
}

// onlyDocument parses src; nil when there is no document in it. What stands in a further one would be ignored otherwise.
func onlyDocument(file string, src []byte) (*yamlnode.Node, error) {
	docs := yamlnode.NewDecoder(bytes.NewReader(src))
	var first, second yamlnode.Node
	switch err := docs.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, nil //nolint:nilnil // an empty file is a configuration
	case err != nil:
		return nil, syntaxError(file, err)
	}
	switch err := docs.Decode(&second); {
	case errors.Is(err, io.EOF):
		return &first, nil
	case err != nil:
		return nil, syntaxError(file, err)
	}
	return nil, fmt.Errorf("%s:%d: a second document; a configuration is one", file, second.Line)
}

func syntaxError(file string, err error) error {
	// The parser says "yaml: line 3: …"; the line belongs to the file's name.
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if n := strings.Index(msg, "line "); n >= 0 {
		var line int
		if _, scan := fmt.Sscanf(msg[n:], "line %d", &line); scan == nil {
			if _, rest, ok := strings.Cut(msg[n:], ": "); ok {
				msg = rest
			}
			return fmt.Errorf("%s:%d: %s", file, line, msg)
		}
	}
	return fmt.Errorf("%s: %s", file, msg)
}

func unknownKeys(file string, root *yamlnode.Node) error {
	if err := checkKeys(file, "configuration", root, []string{"podTemplates", "enable", "disable", "severity", "failOn", "exclude", "endpoints"}); err != nil {
		return err
	}
	if err := endpointKeys(file, value(root, "endpoints")); err != nil {
		return err
	}
	list := value(root, "podTemplates")
	if list == nil || list.Kind != yamlnode.SequenceNode {
		return nil
	}
	for _, item := range list.Content {
		if item.Kind != yamlnode.MappingNode {
			return fmt.Errorf("%s:%d: an entry of podTemplates is a mapping of apiVersion, kind and path", file, item.Line)
		}
		if err := checkKeys(file, "podTemplates", item, []string{"apiVersion", "kind", "path"}); err != nil {
			return err
		}
	}
	return nil
}

func checkKeys(file, where string, m *yamlnode.Node, known []string) error {
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		if !slices.Contains(known, key.Value) {
			return fmt.Errorf("%s:%d: unknown key %q in %s%s", file, key.Line, key.Value, where, didYouMean(key.Value, known))
		}
	}
	return nil
}

// repeatedKeys reports a key that a mapping below n has twice.
func repeatedKeys(file string, n *yamlnode.Node) error {
	seen := map[string]bool{}
	for key := range pairs(n) {
		if seen[key.Value] {
			return fmt.Errorf("%s:%d: key %q is there twice", file, key.Line, key.Value)
		}
		seen[key.Value] = true
	}
	for _, child := range n.Content {
		if err := repeatedKeys(file, child); err != nil {
			return err
		}
	}
	return nil
}

// typeError gives a decoding error the line of the field that it is about.
func typeError(file string, root *yamlnode.Node, err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	line := root.Line
	for key, val := range pairs(root) {
		if key.Value == firstPart(mismatch.Field) {
			line = deepest(key, val, mismatch.Field)
		}
	}
	return fmt.Errorf("%s:%d: %s holds a %s where %s belongs", file, line, mismatch.Field, jsonName(mismatch.Value), goName(mismatch.Type.String()))
}

func firstPart(field string) string {
	first, _, _ := strings.Cut(field, ".")
	return first
}

// deepest is the line of the first list item below key (or of the value that an item has under the last part of field)
// that is no string, else key's own line.
func deepest(key, val *yamlnode.Node, field string) int {
	_, last, nested := strings.Cut(field, ".")
	if val.Kind != yamlnode.SequenceNode {
		return key.Line
	}
	for _, item := range val.Content {
		if nested {
			item = value(item, last)
		}
		if item != nil && item.Tag != "!!str" {
			return item.Line
		}
	}
	return key.Line
}

func jsonName(s string) string {
	switch s {
	case "array":
		return "list"
	case "object":
		return "mapping"
	}
	return s
}

func goName(s string) string {
	switch {
	case strings.HasPrefix(s, "map["):
		return "a mapping"
	case strings.HasPrefix(s, "[]"):
		return "a list"
	case strings.HasSuffix(s, "PodTemplate"):
		return "a mapping"
	}
	return "a string"
}

// pairs yields the keys and values of a mapping.
func pairs(m *yamlnode.Node) func(func(k, v *yamlnode.Node) bool) {
	return func(yield func(k, v *yamlnode.Node) bool) {
		if m == nil || m.Kind != yamlnode.MappingNode {
			return
		}
		for i := 0; i+1 < len(m.Content); i += 2 {
			if !yield(m.Content[i], m.Content[i+1]) {
				return
			}
		}
	}
}

// value is what stands under key in m; nil when it is absent.
func value(m *yamlnode.Node, key string) *yamlnode.Node {
	for k, v := range pairs(m) {
		if k.Value == key {
			return v
		}
	}
	return nil
}

// validate checks what types cannot say.
func (c *Config) validate(root *yamlnode.Node) error {
	if _, err := ParseFailOn(c.FailOn); err != nil {
		return fmt.Errorf("%s:%d: failOn: %w", c.File, lineAt(root, "failOn"), err)
	}
	for _, rule := range slices.Sorted(maps.Keys(c.Severity)) {
		if _, err := rules.ParseSeverity(c.Severity[rule]); err != nil {
			return fmt.Errorf("%s:%d: severity of %s: %w", c.File, lineAt(root, "severity", rule), rule, err)
		}
	}
	if err := c.validateLists(root); err != nil {
		return err
	}
	for i := range c.Endpoints {
		if err := c.Endpoints[i].Check(); err != nil {
			return fmt.Errorf("%s:%d: endpoints: %w", c.File, lineAt(root, "endpoints", strconv.Itoa(i)), err)
		}
	}
	for i, t := range c.PodTemplates {
		if err := t.validate(); err != nil {
			return fmt.Errorf("%s:%d: %w", c.File, lineAt(root, "podTemplates", strconv.Itoa(i)), err)
		}
	}
	return nil
}

func (c *Config) validateLists(root *yamlnode.Node) error {
	for _, list := range []struct {
		key   string
		items []string
	}{{"enable", c.Enable}, {"disable", c.Disable}, {"exclude", c.Exclude}} {
		for i, item := range list.items {
			at := lineAt(root, list.key, strconv.Itoa(i))
			if strings.TrimSpace(item) == "" {
				return fmt.Errorf("%s:%d: an entry of %s is empty", c.File, at, list.key)
			}
			if _, err := path.Match(item, ""); list.key == "exclude" && err != nil {
				return fmt.Errorf("%s:%d: exclude: %q is no pattern: a bracket is not closed", c.File, at, item)
			}
		}
	}
	return nil
}

func (t PodTemplate) validate() error {
	for _, field := range []struct{ name, text string }{{"apiVersion", t.APIVersion}, {"kind", t.Kind}, {"path", t.Path}} {
		if field.text == "" {
			return fmt.Errorf("an entry of podTemplates needs %s", field.name)
		}
	}
	if slices.Contains(splitPath(t.Path), "") {
		return fmt.Errorf("path %q is not a list of keys joined by dots, as in spec.template", t.Path)
	}
	return nil
}

// lineAt is the line of the value that steps lead to (list items by their number), or of the last step that exists.
func lineAt(n *yamlnode.Node, steps ...string) int {
	line := n.Line
	for _, step := range steps {
		if n.Kind == yamlnode.AliasNode {
			n = n.Alias
		}
		next := value(n, step)
		if i, err := strconv.Atoi(step); err == nil && n.Kind == yamlnode.SequenceNode && i < len(n.Content) {
			next = n.Content[i]
		}
		if next == nil {
			return line
		}
		n, line = next, next.Line
	}
	return line
}

func splitPath(keys string) []string { return strings.Split(keys, ".") }

// Line is the line of the first scalar in the configuration that says text, for errors about its meaning; 0 when
// there is none.
func (c *Config) Line(text string) int {
	var doc yamlnode.Node
	if err := yamlnode.Unmarshal(c.src, &doc); err != nil {
		return 0
	}
	return lineOf(&doc, text)
}

func lineOf(n *yamlnode.Node, text string) int {
	if n.Kind == yamlnode.ScalarNode && n.Value == text {
		return n.Line
	}
	for _, child := range n.Content {
		if line := lineOf(child, text); line > 0 {
			return line
		}
	}
	return 0
}
