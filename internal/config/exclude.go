package config

import (
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// Excluder returns a test for paths that the configuration excludes; nil when it excludes none. Paths may be relative
// to the working directory; those outside the configuration's directory are never excluded.
func (c *Config) Excluder() func(path string) bool {
	if len(c.Exclude) == 0 {
		return nil
	}
	patterns := make([]gitignore.Pattern, 0, len(c.Exclude))
	for _, p := range c.Exclude {
		patterns = append(patterns, gitignore.ParsePattern(p, nil))
	}
	matcher := gitignore.NewMatcher(patterns)
	return func(path string) bool {
		abs, err := filepath.Abs(filepath.FromSlash(path))
		if err != nil {
			return false
		}
		rel, err := filepath.Rel(c.dir, abs)
		if err != nil || !filepath.IsLocal(rel) || rel == "." {
			return false
		}
		steps := strings.Split(filepath.ToSlash(rel), "/")
		// As in git, a file below an excluded directory cannot be taken back in.
		for n := 1; n < len(steps); n++ {
			if matcher.Match(steps[:n], true) {
				return true
			}
		}
		return matcher.Match(steps, false)
	}
}
