// Package loader turns bytes into documents and documents into objects, and keeps every position.
//
// Load walks paths and calls Parse for each file. Parse splits a file at its document markers, peeks at the top-level
// keys of each document, and has only those parsed that somebody wants; the rest is skipped with a reason. What is parsed
// becomes Objects: lists are flattened, values mean what they mean for kubectl, and a Node knows where it stands in the
// source. Helm charts and Kustomizations are recognised (see role and reason) but not read yet.
package loader

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync/atomic"

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

// Load reads paths: files (whatever their name), directories (their *.yaml, *.yml and *.json files and systemd services with
// their drop-ins, in name order, without what is hidden, ignored by git, or in node_modules or vendor) and "-". The error joins
// all paths that could not be read, and comes with the result of the others; bad content is a Problem of its File.
func Load(ctx context.Context, paths []string, opt Options) (*Result, error) {
	sources, walkErr := walk(ctx, paths, opt)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	parsed, err := loadAll(ctx, sources, opt)
	if err != nil {
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

// loadAll reads and parses the sources, and returns what became of each in their order.
func loadAll(interrupted context.Context, sources []source, opt Options) ([]outcome, error) {
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	parsed := make([]outcome, len(sources))
	var next atomic.Int64
	group, ctx := errgroup.WithContext(interrupted)
	// A few workers for all files: the parser needs a deep stack, which a goroutine for each file would grow anew.
	for range min(jobs, len(sources)) {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < int64(len(sources)); i = next.Add(1) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				parsed[i] = sources[i].load(opt)
			}
			return nil
		})
	}
	done := make(chan error, 1)
	go func() { done <- group.Wait() }()
	select {
	case err := <-done:
		return parsed, err
	case <-interrupted.Done():
		return nil, interrupted.Err() // a read of a pipe or a terminal may never end
	}
}

// outcome is what became of one source.
type outcome struct {
	file  *File
	skips []Skip
	err   error
}
