package main

import (
	"path/filepath"

	"github.com/hclint/hclint/loader"
)

// workspaceName returns a function that names a file relative to GITHUB_WORKSPACE, which is where GitHub looks for it,
// whatever the working directory; nil outside of GitHub Actions.
func (a *app) workspaceName() func(string) string {
	workspace := a.getenv("GITHUB_WORKSPACE")
	if workspace == "" {
		return nil
	}
	return func(name string) string {
		if name == loader.DefaultStdinName {
			return name
		}
		abs, err := filepath.Abs(filepath.FromSlash(name))
		if err != nil {
			return name
		}
		if rel, ok := below(workspace, abs); ok {
			return rel
		}
		// The workspace or the working directory may be reached through a symbolic link.
		root, err := filepath.EvalSymlinks(workspace)
		if err != nil {
			return name
		}
		target, err := filepath.EvalSymlinks(abs)
		if err != nil {
			return name
		}
		if rel, ok := below(root, target); ok {
			return rel
		}
		return name
	}
}

func below(root, file string) (string, bool) {
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
