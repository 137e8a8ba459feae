package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// colored decides whether stdout is colored: an explicit flag wins over NO_COLOR, and auto means a terminal.
func (a *app) colored(flag string) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	if a.getenv("NO_COLOR") != "" || a.getenv("TERM") == "dumb" {
		return false
	}
	return isTerminal(a.stdout)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is the number of columns of w; 0 when it is no terminal.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}
