package reach

import (
	"slices"
	"strconv"
	"strings"
)

// xargs is how xargs(1) makes command lines of its input.
type xargs struct {
	replace   string // the text that stands for one line of input; "" appends words instead
	batch     int    // words per command line; 0 for all at once
	delimiter string // "" cuts at blanks
	skipEmpty bool   // no input, no call
	file      string // read instead of standard input
}

// readXargs reads the options that stand before the program.
func readXargs(options []string) xargs {
	var x xargs
	for i := 0; i < len(options); i++ {
		name, value, attached := xargsOption(options[i])
		if !attached && inList("I n L d a P s E max-args max-procs max-chars delimiter arg-file", name) && i+1 < len(options) {
			i++
			value = options[i]
		}
		x.set(name, value)
	}
	return x
}

// xargsOption splits -I{}, -n1, --delimiter=, and --replace=R.
func xargsOption(word string) (name, value string, attached bool) {
	if long, ok := strings.CutPrefix(word, "--"); ok {
		return strings.Cut(long, "=")
	}
	word = strings.TrimPrefix(word, "-")
	for len(word) > 1 && strings.IndexByte("tpxo", word[0]) >= 0 {
		word = word[1:] // flags that change nothing here, in one word with others
	}
	if len(word) < 2 {
		return word, "", false
	}
	return word[:1], word[1:], true
}

func (x *xargs) set(name, value string) {
	switch name {
	case "I", "i", "replace":
		x.replace = value
		if value == "" {
			x.replace = "{}"
		}
	case "n", "L", "max-args":
		x.batch, _ = strconv.Atoi(value)
	case "d", "delimiter":
		x.delimiter = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\0`, "\x00").Replace(value)
	case "0", "null":
		x.delimiter = "\x00"
		x.cluster(value)
	case "a", "arg-file":
		x.file = value
	case "r", "no-run-if-empty":
		x.skipEmpty = true
		x.cluster(value)
	}
}

// cluster reads what follows a flag in the same word: -rn1, -0I{}.
func (x *xargs) cluster(rest string) {
	if rest != "" {
		x.set(rest[:1], rest[1:])
	}
}

// items cuts the input up.
func (x *xargs) items(input string) []string {
	switch {
	case x.delimiter != "":
		input = strings.TrimSuffix(input, x.delimiter)
		if input == "" {
			return nil
		}
		return strings.Split(input, x.delimiter)
	case x.replace == "":
		return strings.Fields(input)
	}
	var lines []string
	for line := range strings.Lines(input) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// commands are the command lines that argv becomes.
func (x *xargs) commands(argv []string, input string) [][]string {
	items := x.items(input)
	var out [][]string
	if x.replace != "" {
		for _, item := range items {
			line := make([]string, 0, len(argv))
			for _, word := range argv {
				line = append(line, strings.ReplaceAll(word, x.replace, item))
			}
			out = append(out, line)
		}
		return out
	}
	if len(items) == 0 {
		if x.skipEmpty {
			return nil
		}
		return [][]string{argv}
	}
	batch := x.batch
	if batch <= 0 {
		batch = len(items)
	}
	for part := range slices.Chunk(items, batch) {
		out = append(out, slices.Concat(argv, part))
	}
	return out
}

// xargsFailed is the status of xargs when a command that it started ended with 1 to 125 (xargs(1), EXIT STATUS).
const xargsFailed = 123

func (w *world) xargs(p, inner *process, options, argv []string, site int) (int, error) {
	x := readXargs(options)
	read := p.input
	if x.file != "" {
		read = func() string {
			text, _ := w.readFile(p, x.file, site)
			return text
		}
	}
	inner.stdin = nil // it is the list's, xargs gives its children /dev/null
	status := 0
	for _, line := range x.commands(argv, read()) {
		got, err := w.exec(inner, line, site)
		switch {
		case err != nil:
			return got, err
		case got == 126 || got == 127:
			return got, nil
		case got != 0:
			status = xargsFailed
		}
	}
	return status, nil
}
