package reach

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// transform simulates the uses of text filters that health scripts make on known text; the rest becomes unknown.
func transform(program string, args []string, text string) string {
	if text == "" && program != "wc" {
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
		return wordCount(args, text)
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

func wordCount(args []string, text string) string {
	switch {
	case text == "":
		return "0\n"
	case !tainted(text) && slices.Contains(args, "-l"):
		return strconv.Itoa(strings.Count(text, "\n")) + "\n"
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

// translate knows tr's deletions, case changes and exchanges of one character.
func translate(args []string, text string) string {
	if len(args) != 2 {
		return derived(text)
	}
	from, to := args[0], args[1]
	switch {
	case from == "-d" && !strings.HasPrefix(to, "["):
		set := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\0`, "\x00").Replace(to)
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(set, r) {
				return -1
			}
			return r
		}, text)
	case inList("A-Z [:upper:] [A-Z]", from):
		return strings.ToLower(text)
	case inList("a-z [:lower:] [a-z]", from):
		return strings.ToUpper(text)
	case len(from) == 1 && len(to) == 1:
		return strings.ReplaceAll(text, from, to)
	}
	return derived(text)
}

func cut(args []string, text string) string {
	sep, field := "\t", ""
	for i := 0; i < len(args); i++ {
		flag, value := args[i][:min(2, len(args[i]))], args[i][min(2, len(args[i])):]
		if value == "" && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch flag {
		case "-d":
			sep = value
		case "-f":
			field = value
		default:
			return derived(text)
		}
	}
	n, err := strconv.Atoi(field)
	if err != nil || n < 1 || sep == "" {
		return derived(text)
	}
	return fields(text, n, func(line string) []string {
		if !strings.Contains(line, sep) {
			return slices.Repeat([]string{line}, min(n, 64))
		}
		return strings.Split(line, sep)
	})
}

// fields prints field n of each line as split cuts it; field 0 is the whole line.
func fields(text string, n int, split func(string) []string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		parts := split(line)
		switch {
		case n == 0:
			b.WriteString(line)
		case n <= len(parts):
			b.WriteString(parts[n-1])
		default:
			b.WriteString(taintOf(line)) // an unknown line may have any number of fields
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
	n, ok := printed(code)
	if !ok || len(sep) > 1 {
		return derived(text)
	}
	return fields(text, n, func(line string) []string {
		if sep != "" {
			return strings.Split(line, sep)
		}
		return strings.Fields(line)
	})
}

// printed reads N out of "{print $N}".
func printed(code string) (int, bool) {
	m, open := strings.CutPrefix(strings.TrimSpace(code), "{")
	m, closed := strings.CutSuffix(m, "}")
	m, prints := strings.CutPrefix(strings.Trim(m, " ;"), "print")
	n, err := strconv.Atoi(strings.TrimPrefix(strings.Trim(m, " ()"), "$"))
	return n, open && closed && prints && err == nil && n >= 0
}

// substitute knows sed s/re/text/[g], once or with several -e.
func substitute(args []string, text string) string {
	extended := false
	for _, a := range args {
		switch {
		case inList("-E -r", a):
			extended = true
		case inList("-e -n", a):
		default:
			var ok bool
			if text, ok = substituted(a, text, extended); !ok {
				return derived(text)
			}
		}
	}
	return text
}

func substituted(code, text string, extended bool) (string, bool) {
	pattern, with, all, ok := substitution(code)
	if !ok || tainted(code) {
		return text, false
	}
	if !extended {
		pattern = basic(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return text, false
	}
	return replaced(text, re, with, all), true
}

// substitution takes s/re/text/[g] apart; any delimiter, no escapes.
func substitution(code string) (pattern, with string, all, ok bool) {
	if len(code) < 4 || code[0] != 's' || strings.ContainsAny(code, "\n;\\&") {
		return "", "", false, false
	}
	parts := strings.Split(code[2:], code[1:2])
	if len(parts) != 3 {
		return "", "", false, false
	}
	return parts[0], parts[1], parts[2] == "g", parts[2] == "" || parts[2] == "g"
}

func replaced(text string, re *regexp.Regexp, with string, all bool) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		end := line[len(body):]
		if all {
			body = re.ReplaceAllLiteralString(body, with)
		} else if at := re.FindStringIndex(body); at != nil {
			body = body[:at[0]] + with + body[at[1]:]
		}
		b.WriteString(body + end)
	}
	return b.String()
}
