// Package loader turns bytes into documents and documents into objects, and keeps every position.
package loader

import (
	"context"
	"errors"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Options say what Load reads and how much of it.
type Options struct {
	// Stdin is read for the path "-"; its File is named StdinName (default "<stdin>").
	Stdin     io.Reader
	StdinName string
	// Keep decides, from the top-level apiVersion and kind alone, whether a Kubernetes document is decoded. A
	// document it refuses still becomes an Object (counted, with apiVersion and kind) but has no Root. nil keeps all.
	Keep func(apiVersion, kind string) bool
	// Keys lists top-level keys that make a document without apiVersion and kind worth decoding
	// (for instance "restart_policy").
	Keys []string
	// Jobs is how many files are parsed at once; 0 means runtime.GOMAXPROCS(0).
	Jobs int
}

// Result is what Load found. Everything is in walk order, which is the same on every machine.
type Result struct {
	// Files are those with an object or a problem.
	Files   []*File
	Skipped []Skip
}

// Load reads paths: files (whatever their name), directories (their *.yaml, *.yml and *.json files, in name order,
// without what is hidden, ignored by git, or in node_modules or vendor) and "-". The error joins all paths that could not
// be read, and comes with the result of the others; bad content is a Problem of its File.
func Load(ctx context.Context, paths []string, opt Options) (*Result, error) {
	sources, walkErr := walk(ctx, paths, opt)
	parsed := make([]outcome, len(sources))
	group, ctx := errgroup.WithContext(ctx)
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	group.SetLimit(jobs)
	for i := range sources {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			parsed[i] = sources[i].load(opt)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	result := &Result{}
	errs := []error{walkErr}
	for _, o := range parsed {
		errs = append(errs, o.err)
		result.Skipped = append(result.Skipped, o.skips...)
		if o.file != nil && (len(o.file.Objects) > 0 || len(o.file.Problems) > 0) {
			result.Files = append(result.Files, o.file)
		}
	}
	return result, errors.Join(errs...)
}

// outcome is what became of one source.
type outcome struct {
	file  *File
	skips []Skip
	err   error
}
