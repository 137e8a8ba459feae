package loader

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignoreRules are the .gitignore patterns that hold in a directory: those above it, then its own, for git lets the last
// match decide.
type ignoreRules struct {
	top      string // the real path that patterns are relative to
	patterns []gitignore.Pattern
}

// ignoreAbove collects the patterns of the directories above dir, up to the root of the git repository that holds it.
// Outside a repository only .gitignore files of the walk itself count.
func ignoreAbove(dir string) ignoreRules {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ignoreRules{}
	}
	top := abs
	for {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			break
		}
		parent := filepath.Dir(top)
		if parent == top {
			return ignoreRules{top: abs}
		}
		top = parent
	}
	rules := ignoreRules{top: top}
	rules.patterns = readIgnore(filepath.Join(top, ".git", "info", "exclude"), nil)
	for d := top; d != abs; {
		rules.patterns = append(rules.patterns, readIgnore(filepath.Join(d, ".gitignore"), rules.parts(d))...)
		next := rules.parts(abs)[len(rules.parts(d))]
		if rules.match(d, next, true) {
			return ignoreRules{top: abs} // it was named all the same, so what ignores it does not count
		}
		d = filepath.Join(d, next)
	}
	return rules
}

// enter adds the patterns of a directory's own .gitignore.
func (r ignoreRules) enter(path, realPath string) ignoreRules {
	own := readIgnore(filepath.Join(path, ".gitignore"), r.parts(realPath))
	if len(own) == 0 {
		return r
	}
	return ignoreRules{top: r.top, patterns: append(slices.Clone(r.patterns), own...)}
}

// match reports whether git ignores an entry of the directory dir.
func (r ignoreRules) match(dir, name string, isDir bool) bool {
	if len(r.patterns) == 0 {
		return false
	}
	path := append(r.parts(dir), name)
	for _, p := range slices.Backward(r.patterns) {
		if m := p.Match(path, isDir); m != gitignore.NoMatch {
			return m == gitignore.Exclude
		}
	}
	return false
}

// parts splits a path at its separators, relative to the top.
func (r ignoreRules) parts(dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	rel, err := filepath.Rel(r.top, abs)
	if err != nil || rel == "." {
		return nil
	}
	return strings.Split(filepath.ToSlash(rel), "/")
}

func readIgnore(name string, domain []string) []gitignore.Pattern {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFileSize {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	var patterns []gitignore.Pattern
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		patterns = append(patterns, gitignore.ParsePattern(line, domain))
	}
	return patterns
}
