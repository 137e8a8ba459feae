package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/config"
	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// inputOptions are the flags that say what is read.
type inputOptions struct {
	config     string
	noConfig   bool
	stdinName  string
	context    []string
	jobs       int
	kube       string
	allowEmpty bool
}

func (o *inputOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.config, "config", "", "read the configuration from `FILE` (default: .hclint.yaml, upward to the root of the git repository)")
	f.BoolVar(&o.noConfig, "no-config", false, "read no configuration file")
	f.StringVar(&o.stdinName, "stdin-filename", "", "`NAME` to report what is read from stdin under (default \"<stdin>\")")
	f.StringArrayVar(&o.context, "context", nil, "let rules see what is below `DIR` without reporting on it (repeatable)")
	f.IntVar(&o.jobs, "jobs", 0, "do `N` things at once (default: the number of processors)")
	f.StringVar(&o.kube, "kube-version", "", "`VERSION` of Kubernetes that the manifests are for (default: the newest known, 1.37)")
	f.BoolVar(&o.allowEmpty, "allow-empty", false, "exit with 0 when there is nothing to check")
	complete(cmd, "config", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return []cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	})
	complete(cmd, "jobs", completeWords())
	complete(cmd, "kube-version", completeWords())
}

func (o *inputOptions) validate(cmd *cobra.Command) error {
	switch {
	case o.noConfig && o.config != "":
		return usage(cmd, "--config and --no-config exclude each other")
	case o.jobs < 0:
		return usage(cmd, "--jobs %d: want a positive number", o.jobs)
	}
	if _, err := facts.ParseVersion(o.kube); err != nil {
		return usage(cmd, "--kube-version: %w", err)
	}
	return nil
}

// readConfig finds and reads the configuration that the flags ask for.
func (o *inputOptions) readConfig() (*config.Config, error) {
	if o.noConfig {
		return &config.Config{}, nil
	}
	file := o.config
	if file == "" {
		found, err := config.Find(".")
		if err != nil {
			return nil, err
		}
		if found == "" {
			return &config.Config{}, nil
		}
		file = found
	}
	return config.Load(file)
}

// load reads paths, without what the configuration excludes. An error about some of the paths comes with the result of
// the others; with no result the run is over.
func (a *app) load(ctx context.Context, o *inputOptions, conf *config.Config, paths []string) (*loader.Result, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	res, err := a.read(ctx, o, conf, paths)
	if err != nil {
		err = loadError(err, paths)
		if res != nil && empty(res) {
			res = nil
		}
	}
	return res, err
}

func (a *app) read(ctx context.Context, o *inputOptions, conf *config.Config, paths []string) (*loader.Result, error) {
	// Sorted, so that a report does not depend on the order in which paths are given.
	res, err := loader.Load(ctx, slices.Sorted(slices.Values(paths)), loader.Options{
		Stdin:     a.stdin,
		StdinName: o.stdinName,
		Keep:      facts.Keep(conf.Facts()),
		Keys:      facts.DocumentKeys(),
		Jobs:      o.jobs,
	})
	if res != nil {
		exclude(res, conf)
		res.Skipped = slices.DeleteFunc(res.Skipped, func(s loader.Skip) bool {
			return slices.Contains(config.Names(), path.Base(s.File)) // read, though not as a manifest
		})
	}
	return res, err
}

// loadError adds what was probably meant when a command was misspelt and therefore taken for a path.
func loadError(err error, paths []string) error {
	if len(paths) > 0 && errors.Is(err, fs.ErrNotExist) {
		commands := []string{"completion", "explain", "files", "probe", "rules", "schema", "version"}
		if near := config.Nearest(paths[0], commands); near != "" {
			return fmt.Errorf("%w (did you mean the command %q?)", err, near)
		}
	}
	return err
}

// exclude moves the files that the configuration excludes to those that were skipped.
func exclude(res *loader.Result, conf *config.Config) {
	excluded := conf.Excluder()
	if excluded == nil {
		return
	}
	reason := "excluded by " + conf.File
	res.Skipped = slices.DeleteFunc(res.Skipped, func(s loader.Skip) bool { return excluded(s.File) })
	res.Files = slices.DeleteFunc(res.Files, func(f *loader.File) bool {
		if excluded(f.Name) {
			res.Skipped = append(res.Skipped, loader.Skip{File: f.Name, Reason: reason})
			return true
		}
		return false
	})
}
