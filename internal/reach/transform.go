package reach

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// transform simulates the uses of text filters that health scripts make on known text; the rest becomes unknown.
func transform(program string, args []string, text string) string {
	if text == "" {
		if program == "wc" {
			return "0\n"
		}
		return ""
	}
	switch program {
	case "sort":
		lines := strings.SplitAfter(text, "\n")
		slices.Sort(lines)
		return strings.Join(lines, "")
	case "uniq":
		return text
	case "head":
		return firstLine(text, args)
	case "tail":
		return lastLine(text, args)
	case "wc":
		if tainted(text) {
			return taintOf(text) + "\n"
		}
		if slices.Contains(args, "-l") {
			return strconv.Itoa(strings.Count(text, "\n")) + "\n"
		}
	case "tr":
		return translate(args, text)
	case "cut":
		return cut(args, text)
	case "awk", "gawk", "mawk":
		return awk(args, text)
	case "sed":
		return substitute(args, text)
	}
	return derived(text)
}

func firstLine(text string, args []string) string {
	if one(args) {
		line, _, _ := strings.Cut(text, "\n")
		return line + "\n"
	}
	return text
}

func lastLine(text string, args []string) string {
	if one(args) {
		text = strings.TrimSuffix(text, "\n")
		return text[strings.LastIndexByte(text, '\n')+1:] + "\n"
	}
	return text
}

// one reports -1, -n1 and -n 1.
func one(args []string) bool {
	all := strings.Join(args, "")
	return all == "-1" || all == "-n1"
}

func translate(args []string, text string) string {
	if len(args) == 2 && args[0] == "-d" {
		if strings.HasPrefix(args[1], "[") {
			return derivedIf(text, text != "")
		}
		set := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\0`, "\x00").Replace(args[1])
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(set, r) {
				return -1
			}
			return r
		}, text)
	}
	if len(args) == 2 && (args[0] == "A-Z" || args[0] == "[:upper:]" || args[0] == "[A-Z]") {
		return strings.ToLower(text)
	}
	if len(args) == 2 && (args[0] == "a-z" || args[0] == "[:lower:]" || args[0] == "[a-z]") {
		return strings.ToUpper(text)
	}
	if len(args) == 2 && len(args[0]) == 1 && len(args[1]) == 1 {
		return strings.ReplaceAll(text, args[0], args[1])
	}
	return derived(text)
}

func derivedIf(text string, yes bool) string {
	if yes {
		return derived(text)
	}
	return text
}

func cut(args []string, text string) string {
	sep, field := "\t", 0
	for i := 0; i < len(args); i++ {
		a := args[i]
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch {
		case a == "-d":
			sep = next
			i++
		case strings.HasPrefix(a, "-d"):
			sep = a[2:]
		case a == "-f":
			field, _ = strconv.Atoi(next)
			i++
		case strings.HasPrefix(a, "-f"):
			field, _ = strconv.Atoi(a[2:])
		default:
			return derived(text)
		}
	}
	if field < 1 || sep == "" {
		return derived(text)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), sep)
		switch {
		case len(parts) == 1:
			b.WriteString(parts[0])
		case field <= len(parts):
			b.WriteString(parts[field-1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// awk knows {print $N} with -F.
func awk(args []string, text string) string {
	sep, code := "", ""
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-F" && i+1 < len(args):
			i++
			sep = args[i]
		case strings.HasPrefix(a, "-F"):
			sep = a[2:]
		case strings.HasPrefix(a, "-"):
			return derived(text)
		default:
			code = a
		}
	}
	m := strings.TrimSpace(code)
	m, ok := strings.CutPrefix(m, "{")
	m, ok2 := strings.CutSuffix(strings.TrimSpace(m), "}")
	m = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(m), ";"))
	m, ok3 := strings.CutPrefix(m, "print")
	field, err := strconv.Atoi(strings.TrimPrefix(strings.Trim(m, " ()"), "$"))
	if !ok || !ok2 || !ok3 || err != nil || field < 0 || len(sep) > 1 {
		return derived(text)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		parts := strings.Fields(line)
		if sep != "" {
			parts = strings.Split(line, sep)
		}
		if field == 0 {
			b.WriteString(line)
		} else if field <= len(parts) {
			b.WriteString(parts[field-1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// substitute knows sed s/re/text/[g].
func substitute(args []string, text string) string {
	code := ""
	extended := false
	for _, a := range args {
		switch a {
		case "-E", "-r":
			extended = true
		case "-e":
		default:
			if code != "" || strings.HasPrefix(a, "-") {
				return derived(text)
			}
			code = a
		}
	}
	if len(code) < 4 || code[0] != 's' || tainted(code) || strings.ContainsAny(code, "\n;\\&") {
		return derived(text)
	}
	parts := strings.Split(code[2:], code[1:2])
	if len(parts) != 3 || parts[2] != "" && parts[2] != "g" {
		return derived(text)
	}
	pattern := parts[0]
	if !extended {
		pattern = basic(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return derived(text)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		if parts[2] == "g" {
			body = re.ReplaceAllLiteralString(body, parts[1])
		} else if at := re.FindStringIndex(body); at != nil {
			body = body[:at[0]] + parts[1] + body[at[1]:]
		}
		b.WriteString(body)
		b.WriteString(line[len(strings.TrimSuffix(line, "\n")):])
	}
	return b.String()
}
