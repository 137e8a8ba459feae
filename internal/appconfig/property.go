package appconfig

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/magiconair/properties"
	"go.yaml.in/yaml/v4"
)

// property is a configuration property with where it is set.
type property struct {
	name  string // as it is written there
	value string
	known bool
	step  Step // without its text
	sure  bool // it is certain that the application reads it
	// overrules: an environment variable of the same name changes nothing.
	overrules bool
}

// propertySet holds properties by their folded name; later sources win.
type propertySet map[string]property

// fold is the uniform form of a property's name: MANAGEMENT_ENDPOINT_HEALTH_GROUP_LIVENESS_ADDITIONALPATH,
// management.endpoint.health.group.liveness.additional-path and …additionalPath are one property (Spring's relaxed binding).
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

func (p propertySet) set(name string, v property) {
	v.name = name
	// A list given item by item (include[0], include_0) is one property.
	if i := strings.IndexByte(name, '['); i > 0 {
		v.name = name[:i]
		if old, ok := p[fold(v.name)]; ok && old.step.Setting.Name == v.step.Setting.Name {
			v.value = old.value + "," + v.value
		}
	}
	p[fold(v.name)] = v
}

func (p propertySet) value(name string) string { return strings.TrimSpace(p[fold(name)].value) }

// first is the first of several properties, their names separated by blanks, that is set.
func (p propertySet) first(names string) (property, bool) {
	for name := range strings.FieldsSeq(names) {
		if v, ok := p[fold(name)]; ok {
			return v, true
		}
	}
	return property{}, false
}

// below lists the properties whose folded name starts with prefix, by what follows it.
func (p propertySet) below(prefix string) []string {
	var out []string
	for name := range p {
		if rest, ok := strings.CutPrefix(name, fold(prefix)); ok {
			out = append(out, rest)
		}
	}
	slices.Sort(out)
	return out
}

// springProperties gathers what a Spring Boot application reads, in the order of its precedence: files, environment, system
// properties, SPRING_APPLICATION_JSON, command line
// (https://docs.spring.io/spring-boot/reference/features/external-config.html).
func springProperties(c Container) propertySet {
	above := propertySet{}
	for _, v := range c.Variables {
		above.set(v.Name, property{value: v.Value, known: v.Known, step: v.whole(""), sure: true})
	}
	for _, v := range c.Variables {
		switch v.Name {
		case "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "JAVA_OPTIONS", "JAVA_ARGS", "CATALINA_OPTS", "_JAVA_OPTIONS":
			above.words(v, "-D", v.Name != "JAVA_OPTS")
		}
	}
	for _, a := range c.Arguments {
		above.words(a, "-D", true)
	}
	for _, v := range c.Variables {
		if v.Name == "SPRING_APPLICATION_JSON" {
			above.json(v)
		}
	}
	for _, a := range c.Arguments {
		above.words(a, "--", true)
	}
	out := propertySet{}
	profiles := strings.FieldsFunc(above.value("spring.profiles.active"), func(r rune) bool { return r == ',' || r == ' ' })
	locations := above.value("spring.config.location") + " " + above.value("spring.config.additional-location")
	out.files(c, profiles, locations)
	maps.Copy(out, above)
	return out
}

// words reads the name=value words that begin with prefix.
func (p propertySet) words(s Setting, prefix string, sure bool) {
	for at := 0; at < len(s.Value); {
		end := at + strings.IndexAny(s.Value[at:]+" ", " \t\n")
		word := s.Value[at:end]
		if name, value, ok := strings.Cut(strings.TrimPrefix(strings.Trim(word, `"'`), prefix), "="); ok && strings.HasPrefix(strings.Trim(word, `"'`), prefix) {
			p.set(name, property{value: strings.Trim(value, `"'`), known: s.Known, step: Step{Setting: s, From: at, To: end}, sure: sure, overrules: true})
		}
		at = end + 1
	}
}

func (p propertySet) json(s Setting) {
	var tree map[string]any
	if json.Unmarshal([]byte(s.Value), &tree) != nil {
		return
	}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(joinKey(prefix, key), v[key])
			}
		case []any:
			var items []string
			for _, item := range v {
				items = append(items, text(item))
			}
			p.set(prefix, property{value: strings.Join(items, ","), known: true, step: s.whole(""), sure: true, overrules: true})
		default:
			p.set(prefix, property{value: text(v), known: true, step: s.whole(""), sure: true, overrules: true})
		}
	}
	walk("", tree)
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}

func joinKey(prefix, key string) string {
	if prefix == "" {
		return key
	}
	return prefix + "." + key
}

// files reads mounted application.yml, application.properties and their variants for active profiles; .properties win over YAML,
// profiles over both.
func (p propertySet) files(c Container, profiles []string, locations string) {
	names := []string{""}
	for _, profile := range profiles {
		names = append(names, "-"+profile)
	}
	for _, suffix := range names {
		for _, extension := range []string{".yml", ".yaml", ".properties"} {
			for _, f := range c.Files {
				base := path.Base(f.Name)
				if base != "application"+suffix+extension && base != "bootstrap"+suffix+extension {
					continue
				}
				dir := path.Dir(f.Name)
				sure := path.Base(dir) == "config" || strings.Contains(locations, dir)
				if extension == ".properties" {
					p.properties(f, sure)
				} else {
					p.yaml(f, profiles, sure)
				}
			}
		}
	}
}

func (p propertySet) properties(f Setting, sure bool) {
	loader := properties.Loader{Encoding: properties.UTF8, DisableExpansion: true}
	props, err := loader.LoadBytes([]byte(f.Value))
	if err != nil {
		return
	}
	for _, name := range props.Keys() {
		value, _ := props.Get(name)
		from, to := lineOf(f.Value, name, 0)
		p.set(name, property{value: value, known: f.Known, step: Step{Setting: f, From: from, To: to}, sure: sure})
	}
}

// lineOf finds the line at or after from that begins with name.
func lineOf(text, name string, start int) (from, to int) {
	for at := start; at < len(text); {
		end := at + strings.IndexByte(text[at:]+"\n", '\n')
		trimmed := strings.TrimLeft(text[at:end], " \t")
		if rest, ok := strings.CutPrefix(trimmed, name); ok && (rest == "" || strings.ContainsAny(rest[:1], " \t=:")) {
			return end - len(trimmed), end
		}
		at = end + 1
	}
	return 0, 0
}

// yaml reads the documents of a file; one that is for a profile counts only when that is active.
func (p propertySet) yaml(f Setting, profiles []string, sure bool) {
	decoder := yaml.NewDecoder(strings.NewReader(f.Value))
	for range 64 {
		var doc yaml.Node
		if decoder.Decode(&doc) != nil {
			return
		}
		one := propertySet{}
		one.node(f, "", &doc, sure, 0)
		on := one.value("spring.config.activate.on-profile") + one.value("spring.profiles")
		if on != "" && !slices.ContainsFunc(strings.Split(on, ","), func(s string) bool { return slices.Contains(profiles, strings.TrimSpace(s)) }) {
			continue
		}
		maps.Copy(p, one)
	}
}

func (p propertySet) node(f Setting, name string, n *yaml.Node, sure bool, depth int) {
	if depth > 32 {
		return
	}
	switch n.Kind {
	case yaml.DocumentNode:
		for _, child := range n.Content {
			p.node(f, name, child, sure, depth+1)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			p.node(f, joinKey(name, n.Content[i].Value), n.Content[i+1], sure, depth+1)
		}
	case yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			if item.Kind == yaml.ScalarNode {
				items = append(items, item.Value)
			}
		}
		p.set(name, property{value: strings.Join(items, ","), known: f.Known, step: lineStep(f, n.Line), sure: sure})
	case yaml.ScalarNode:
		p.set(name, property{value: n.Value, known: f.Known, step: lineStep(f, n.Line), sure: sure})
	case yaml.AliasNode, yaml.StreamNode:
	}
}

// lineStep is the text of a line, 1-based, without its indentation.
func lineStep(f Setting, line int) Step {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(f.Value[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	end := at + strings.IndexByte(f.Value[at:]+"\n", '\n')
	from := end - len(strings.TrimLeft(f.Value[at:end], " \t-"))
	return Step{Setting: f, From: from, To: end}
}
