package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hclint/hclint/internal/report"
)

// The exit codes.
const (
	exitClean    = 0 // no finding at or above --fail-on
	exitFindings = 1
	exitBroken   = 2 // hclint could not do its job
)

// app is what the commands share: the world, as given to run, and the exit code that they decide on.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	code           int
}

// usageError is a mistake in the command line; the user is told where to look.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// run is the whole program. Findings go to stdout, everything else to stderr; the result is the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	strict(root)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return a.code
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	for line := range strings.Lines(err.Error()) {
		complain(stderr, "hclint: "+report.Escape(strings.TrimSuffix(line, "\n")))
	}
	var usage *usageError
	if errors.As(err, &usage) {
		complain(stderr, fmt.Sprintf("run %q for the flags and commands", usage.command+" --help"))
	}
	return exitBroken
}

// complain writes a line to stderr. That this may fail leaves nobody to tell.
func complain(stderr io.Writer, line string) { _, _ = io.WriteString(stderr, line+"\n") }

func usage(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{command: cmd.CommandPath(), err: fmt.Errorf(format, args...)}
}

// args makes cobra's check of the number of arguments a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if err := check(cmd, given); err != nil {
			return usage(cmd, "%w", err)
		}
		return nil
	}
}

// one asks for exactly one argument, and says which.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if len(given) != 1 {
			return fmt.Errorf("%s takes one argument: %s", cmd.Name(), what)
		}
		return nil
	}
}

// oneOf checks the value of a flag or argument against a closed set.
func oneOf(value string, allowed ...string) error {
	for _, s := range allowed {
		if value == s {
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", value, strings.Join(allowed, ", "))
}
