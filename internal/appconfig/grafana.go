package appconfig

import (
	"cmp"
	"strings"

	"gopkg.in/ini.v1"
)

// Grafana says whether its health endpoint asks a database outside the pod: GF_DATABASE_* wins over [database] of grafana.ini,
// and the default is an embedded SQLite file
// (https://grafana.com/docs/grafana/latest/setup-grafana/configure-grafana/#database).
func Grafana(c Container) Answer {
	kind, host, address, undecided := grafanaDatabase(c)
	if undecided || kind.Setting.Name != "" && !kind.Setting.Known {
		return Answer{}
	}
	var steps []Step
	for _, s := range []Step{kind, host, address} {
		if s.Setting.Name != "" {
			steps = append(steps, s)
		}
	}
	name := strings.ToLower(strings.TrimSpace(kind.Setting.Value))
	where := host.Setting
	if address.Setting.Value != "" || address.Setting.Name != "" && !address.Setting.Known {
		where = address.Setting
		scheme, _, _ := strings.Cut(where.Value, "://")
		name = cmp.Or(scheme, name)
	}
	answer := grafanaServer(name, where)
	answer.Steps = steps
	return answer
}

// grafanaServer answers for a kind of database and the setting that names its host or URL.
func grafanaServer(kind string, where Setting) Answer {
	named := where.Name != ""
	switch {
	case kind == "sqlite3" || kind == "" && !named:
		return Answer{Verdict: Local, Proven: true}
	case kind == "" && !where.Known:
		return Answer{}
	}
	fallback := cmp.Or(product(kind), "the database")
	if !named || !where.Known {
		return Answer{Verdict: Depends, Proven: true, Servers: []Server{{Product: fallback}}}
	}
	found, remote := server(where.Value, fallback)
	if !remote || strings.HasPrefix(where.Value, "/") {
		return Answer{Verdict: Local}
	}
	return Answer{Verdict: Depends, Proven: true, Servers: []Server{found}}
}

// grafanaDatabase finds type, host and url of the database, each from the environment or the file. undecided is true when the
// bundle does not show all that may set them.
func grafanaDatabase(c Container) (kind, host, address Step, undecided bool) {
	file := "/etc/grafana/grafana.ini"
	if v, ok := c.variable("GF_PATHS_CONFIG"); ok {
		file = v.Value
	}
	if v, ok := c.option("config"); ok {
		file = v.Value
	}
	from := func(variable, key string) Step {
		if v, ok := c.variable(variable); ok {
			return v.whole(v.is())
		}
		f, ok := c.file(file)
		if !ok {
			return Step{}
		}
		return iniStep(f, "database", key)
	}
	kind, host, address = from("GF_DATABASE_TYPE", "type"), from("GF_DATABASE_HOST", "host"), from("GF_DATABASE_URL", "url")
	none := kind.Setting.Name == "" && host.Setting.Name == "" && address.Setting.Name == ""
	_, seen := c.file(file)
	return kind, host, address, none && (c.Open || c.hidden(file) && !seen)
}

// iniStep reads a key of a section; the zero Step when it is not there. Its setting has the key's value.
func iniStep(f Setting, section, key string) Step {
	file, err := ini.LoadSources(ini.LoadOptions{IgnoreInlineComment: true, SkipUnrecognizableLines: true}, []byte(f.Value))
	if err != nil || !file.HasSection(section) || !file.Section(section).HasKey(key) {
		return Step{}
	}
	value := file.Section(section).Key(key).Value()
	start := strings.Index(f.Value, "["+section+"]")
	from, to := lineOf(f.Value, key, max(start, 0))
	text := "[" + section + "] " + key + " is " + Setting{Name: key, Value: value, Known: true}.shown()
	at := f
	at.Value = value
	return Step{Setting: at, From: from, To: to, Text: text}
}
