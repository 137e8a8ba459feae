package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/config"
	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

// withContext returns the files to judge: what was read from the command line, and what is below the directories of
// --context, so that rules see the Services and budgets that a commit does not touch. Only the former is reported on.
func (a *app) withContext(ctx context.Context, o *inputOptions, conf *config.Config, res *loader.Result) ([]*loader.File, error) {
	if len(o.context) == 0 || empty(res) {
		return res.Files, nil
	}
	around, err := a.read(ctx, o, conf, o.context)
	if around == nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, f := range res.Files {
		named[realPath(f.Name)] = true
	}
	files := slices.Clone(res.Files)
	for _, f := range around.Files {
		if !named[realPath(f.Name)] {
			files = append(files, f)
		}
	}
	// Facts and findings must not depend on which files were named.
	slices.SortStableFunc(files, func(f, g *loader.File) int { return strings.Compare(f.Name, g.Name) })
	return files, err
}

// realPath identifies a file however it was named.
func realPath(name string) string {
	path := filepath.FromSlash(name)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// findingsIn keeps the findings in files.
func findingsIn(files []*loader.File, found []rules.Finding) []rules.Finding {
	return slices.DeleteFunc(found, func(f rules.Finding) bool { return !slices.Contains(files, f.File) })
}

// loadBoth reads what the command line names and its context. An error about some of the paths comes with the rest.
func (a *app) loadBoth(ctx context.Context, o *inputOptions, conf *config.Config, paths []string) (*loader.Result, []*loader.File, error) {
	res, unread := a.load(ctx, o, conf, paths)
	if res == nil {
		return nil, nil, unread
	}
	files, err := a.withContext(ctx, o, conf, res)
	if files == nil && err != nil {
		return nil, nil, err
	}
	return res, files, errors.Join(unread, err)
}
