package reach

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// transform simulates the uses of text filters that health scripts make on known text; the rest becomes unknown.
func transform(program string, args []string, text string) string {
	switch {
	case text == "" && program != "wc", program == "uniq":
		return text
	case program == "base64":
		return coded(args, text)
	}
	switch program {
	case "sort":
		lines := strings.SplitAfter(text, "\n")
		slices.Sort(lines)
		return strings.Join(lines, "")
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
	split, valid := fieldSplitter(sep)
	if !ok || !valid {
		return derived(text)
	}
	if n == lastField {
		return fields(text, 1, func(line string) []string {
			parts := split(line)
			return parts[max(len(parts)-1, 0):]
		})
	}
	return fields(text, n, split)
}

// lastField stands for awk's $NF.
const lastField = 1 << 20

// fieldSplitter cuts a line as awk does: at blanks, at one character, or at an expression.
func fieldSplitter(sep string) (func(string) []string, bool) {
	switch {
	case sep == "" || sep == " ":
		return strings.Fields, true
	case len(sep) == 1:
		return func(line string) []string { return strings.Split(line, sep) }, true
	}
	re, err := regexp.Compile(sep)
	if err != nil || len(sep) > 100 {
		return nil, false
	}
	return func(line string) []string { return re.Split(line, -1) }, true
}

// awkStatus is the status of a program that ends with exit: that of an empty input is read off the usual forms (END {exit !found}), in an answer
// the healthy outcome is success.
func (w *world) awkStatus(args []string, text string, site int) int {
	code := strings.Join(args, " ")
	if !strings.Contains(code, "exit") {
		return 0
	}
	if text != "" {
		return w.status(site)
	}
	packed := strings.Join(strings.Fields(strings.NewReplacer("(", "", ")", "").Replace(code)), "")
	if strings.Contains(packed, "END{") && (strings.Contains(packed, "exit!") || strings.Contains(packed, "?0:1") || strings.Contains(packed, "exitNR==0")) {
		return 1
	}
	return 0
}

// printed reads N out of "{print $N}", with "NR==1" before it or "exit" behind it.
func printed(code string) (int, bool) {
	code = strings.TrimSpace(code)
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(code, " ", ""), "NR==1{"); ok && rest != "" {
		code = code[strings.IndexByte(code, '{'):]
	}
	m, open := strings.CutPrefix(code, "{")
	m, closed := strings.CutSuffix(m, "}")
	m = strings.Trim(m, " ;")
	m = strings.Trim(strings.TrimSuffix(m, "exit"), " ;")
	m, prints := strings.CutPrefix(m, "print")
	m = strings.TrimPrefix(strings.Trim(m, " ()"), "$")
	if m == "NF" {
		return lastField, open && closed && prints
	}
	n, err := strconv.Atoi(m)
	return n, open && closed && prints && err == nil && n >= 0
}
