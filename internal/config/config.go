// Package config reads .hclint.yaml: what a repository wants checked, and how severely.
package config

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hclint/hclint/internal/endpoints"
	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/rules"
)

// Config is the content of a configuration file. The zero Config changes nothing.
type Config struct {
	PodTemplates []PodTemplate     `json:"podTemplates,omitempty" jsonschema:"description=Further kinds that hold a pod template."`
	Enable       []string          `json:"enable,omitempty" jsonschema:"description=Run only these rules (names or aliases). --enable replaces the list."`
	Disable      []string          `json:"disable,omitempty" jsonschema:"description=Do not run these rules (names or aliases). --disable adds to the list."`
	Severity     map[string]string `json:"severity,omitempty" jsonschema:"description=The severity of a rule by its name or alias: error or warning or info. --severity wins."`
	FailOn       string            `json:"failOn,omitempty" jsonschema:"enum=error,enum=warning,enum=info,enum=never,description=The lowest severity that makes the exit code 1 (default warning). --fail-on wins."`
	Exclude      []string          `json:"exclude,omitempty" jsonschema:"description=Files that are not checked: gitignore patterns relative to the directory of the configuration file."`

	Endpoints []endpoints.Row `json:"endpoints,omitempty" jsonschema:"description=What endpoints of your own check (docs/endpoints.md). They come before the shipped rows."`

	// File is where the configuration was read, as shown to people; "" for none.
	File string `json:"-"`

	dir string // absolute directory of File
	src []byte
}

// PodTemplate names a kind whose objects hold a pod template, and where.
type PodTemplate struct {
	APIVersion string `json:"apiVersion" jsonschema:"minLength=1,description=Group and version: example.com/v1."`
	Kind       string `json:"kind" jsonschema:"minLength=1"`
	Path       string `json:"path" jsonschema:"minLength=1,description=Where the pod template stands (the mapping that holds metadata and spec) as keys joined by dots: spec.template."`
}

// Names lists the file names that Find looks for.
func Names() []string { return []string{".hclint.yaml", ".hclint.yml"} }

// Find looks for a configuration file in dir and the directories above it, up to the root of the git repository that
// dir is in. Outside a repository it looks in dir only, so that a stray file in a home or temporary directory has no
// say. It returns "" when there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	root := repository(dir)
	for {
		file, err := configIn(dir)
		if file != "" || err != nil {
			return file, err
		}
		if dir == root || root == "" {
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}

func configIn(dir string) (string, error) {
	var found []string
	for _, name := range Names() {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case !info.IsDir():
			found = append(found, file)
		}
	}
	if len(found) > 1 {
		return "", fmt.Errorf("%s and %s are both there; keep one", found[0], filepath.Base(found[1]))
	}
	if len(found) == 0 {
		return "", nil
	}
	return found[0], nil
}

// repository is the nearest directory at or above dir that holds .git (a directory, or a file in a worktree); "" when
// there is none.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Load reads the configuration in file. Errors begin with file:line where a line is known.
func Load(file string) (*Config, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	c, err := Parse(shown(file), src)
	if err != nil {
		return nil, err
	}
	c.dir = filepath.Dir(abs)
	return c, nil
}

// shown is file relative to the working directory when it is at or below it.
func shown(file string) string {
	wd, err := os.Getwd()
	if err != nil {
		return filepath.ToSlash(file)
	}
	rel, err := filepath.Rel(wd, file)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// Facts are the options that the configuration has for package facts.
func (c *Config) Facts() facts.Options {
	var opt facts.Options
	for _, t := range c.PodTemplates {
		opt.PodTemplates = append(opt.PodTemplates, facts.PodTemplate{
			APIVersion: t.APIVersion, Kind: t.Kind, Path: splitPath(t.Path),
		})
	}
	return opt
}

// Never is the threshold that no finding reaches.
const Never = rules.Error + 1

// ParseFailOn turns the value of --fail-on or failOn into the lowest severity that fails a run; "" is warning.
func ParseFailOn(s string) (rules.Severity, error) {
	switch cmp.Or(s, "warning") {
	case "never":
		return Never, nil
	case "error":
		return rules.Error, nil
	case "warning":
		return rules.Warning, nil
	case "info":
		return rules.Info, nil
	}
	all := []string{"error", "warning", "info", "never"}
	return 0, fmt.Errorf("unknown level %q; it is one of error, warning, info, never%s", s, didYouMean(s, all))
}

//go:embed config.schema.json
var schema []byte

// Schema is the JSON Schema of a configuration file. It is generated from Config; a test keeps it current.
func Schema() []byte { return schema }
