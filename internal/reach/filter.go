package reach

import (
	"strings"
)

// filter reports programs that turn input into output.
func filter(program string) bool {
	switch program {
	case "grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "mawk", "cut", "tr", "head", "tail", "wc", "sort", "uniq", "tee", "jq", "yq", "rev", "paste",
		"column", "fold", "base64", "xxd", "od", "hexdump", "strings", "xmllint", "bc", "nl", "fmt", "expand", "tput", "less", "more", "python-json", "envsubst", "iconv", "dos2unix":
		return true
	}
	return false
}

func (w *world) filter(p *process, program string, args []string, site int) int {
	switch program {
	case "grep", "egrep", "fgrep", "rg":
		return w.grep(p, program, args, site)
	}
	text, rest := w.filterInput(p, program, args, site)
	switch program {
	case "tee":
		p.print(text)
		return 0
	case "awk", "gawk", "mawk":
		p.print(transform(program, rest, text))
		return w.awkStatus(rest, text, site)
	case "tr", "head", "tail", "sort", "uniq", "cut", "wc", "sed", "tac", "base64":
		p.print(transform(program, rest, text))
		return 0
	case "jq", "yq":
		return w.query(p, args, text, site)
	}
	p.print(derived(text))
	return 0
}

// derived is what a transformation that is not simulated makes of text.
func derived(text string) string {
	if text == "" {
		return ""
	}
	if t := taintOf(text); t != "" {
		return t + "\n"
	}
	return answer + "\n"
}

// filterInput splits a filter's arguments into its script and its files, and reads the files or standard input.
func (w *world) filterInput(p *process, program string, args []string, site int) (text string, rest []string) {
	files, rest := filterWords(program, args)
	if len(files) == 0 || program == "tee" || program == "tr" {
		return p.input(), rest
	}
	var b strings.Builder
	for _, f := range files {
		t, _ := w.readFile(p, f, site)
		b.WriteString(t)
	}
	return b.String(), rest
}

func filterWords(program string, args []string) (files, rest []string) {
	scripts := 0 // words that are no files
	switch {
	case program == "tr":
		scripts = 2
	case inList("sed awk gawk mawk jq yq", program):
		scripts = 1
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "-") && len(a) > 1:
			rest = append(rest, a)
			if filterValue(program, a) && i+1 < len(args) {
				i++
				rest = append(rest, args[i])
			}
			if inList("-e -f", a) && filterValue(program, a) {
				scripts = 0
			}
		case scripts > 0:
			scripts--
			rest = append(rest, a)
		default:
			files = append(files, a)
		}
	}
	return files, rest
}

func filterValue(program, flag string) bool {
	switch program {
	case "sed":
		return inList("-e -f", flag)
	case "awk", "gawk", "mawk":
		return inList("-F -v -f", flag)
	case "cut":
		return inList("-d -f -c -b", flag)
	case "head", "tail":
		return inList("-n -c", flag)
	case "sort":
		return inList("-k -t", flag)
	}
	return flag == "--indent"
}

// query is jq: what it finds in an answer is not known; -e makes that the status.
func (w *world) query(p *process, args []string, text string, site int) int {
	if strings.TrimSpace(text) == "" {
		for _, a := range args {
			if a == "-e" || a == "--exit-status" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "e") {
				return 4
			}
		}
		return 0
	}
	p.print(derived(text))
	return w.status(site)
}
