package facts

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The forms of a reference to a variable.
const (
	formPlain  = '$' // $X
	formBraces = '{' // ${X}
	formParens = '(' // $(X)
)

// reference is one $X, ${X} or $(X) in a text.
type reference struct {
	text, name string
	form       byte
	from, to   int
}

// references finds the references in text. "$$" is an escape for the kubelet, a backslash one for whoever reads it later.
func references(text string) []reference {
	var out []reference
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		if text[i] != '$' {
			continue
		}
		if text[i+1] == '$' {
			i++
			i += nameLength(text[i+1:])
			continue
		}
		ref, ok := readReference(text, i)
		if !ok {
			continue
		}
		out = append(out, ref)
		i = ref.to - 1
	}
	return out
}

func readReference(text string, from int) (reference, bool) {
	switch open := text[from+1]; open {
	case '{', '(':
		end := strings.IndexByte(text[from:], map[byte]byte{'{': '}', '(': ')'}[open])
		if end < 0 {
			return reference{}, false
		}
		name := text[from+2 : from+end]
		if open == '{' {
			name = name[:nameLength(name)]
		}
		return reference{text: text[from : from+end+1], name: name, form: open, from: from, to: from + end + 1}, name != ""
	default:
		n := nameLength(text[from+1:])
		return reference{text: text[from : from+1+n], name: text[from+1 : from+1+n], form: formPlain, from: from, to: from + 1 + n}, n > 0
	}
}

// nameLength is the length of the name of a variable at the start of text.
func nameLength(text string) int {
	n := 0
	for n < len(text) {
		c := text[n]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (n == 0 || c < '0' || c > '9') {
			break
		}
		n++
	}
	return n
}

// inShell is command as a shell has to be given it, so that $X is expanded and operators work.
func inShell(command []string, shell bool) []string {
	if shell {
		out := make([]string, len(command))
		for i, word := range command {
			out[i] = dollars(word, "")
		}
		return out
	}
	if len(command) == 1 {
		return []string{"sh", "-c", dollars(command[0], "")}
	}
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = shellWord(word)
	}
	return []string{"sh", "-c", strings.Join(words, " ")}
}

// shellWord quotes one word; references stay live and operators stay operators.
func shellWord(word string) string {
	switch {
	case strings.Trim(word, "|&;<>012") == "" && strings.Trim(word, "012") != "", strings.HasPrefix(word, ">/"), strings.HasPrefix(word, "2>/"):
		return word
	case len(references(word)) > 0:
		return `"` + dollars(word, "\\\"`") + `"`
	}
	quoted, err := syntax.Quote(word, syntax.LangPOSIX)
	if err != nil {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return quoted
}

// dollars turns $(X) into $X, and puts a backslash before every one of the escaped characters outside of references.
func dollars(text, escaped string) string {
	var b strings.Builder
	at := 0
	plain := func(to int) {
		for _, r := range text[at:to] {
			if strings.ContainsRune(escaped, r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	for _, ref := range references(text) {
		plain(ref.from)
		at = ref.to
		switch {
		case ref.form != formParens, !envName(ref.name):
			b.WriteString(ref.text)
		case nameLength(text[at:]) > 0:
			b.WriteString("${" + ref.name + "}")
		default:
			b.WriteString("$" + ref.name)
		}
	}
	plain(len(text))
	return b.String()
}

// blindCurl returns the URL that a command asks with curl, when curl's exit code is the verdict and its options leave the
// status out of it: without --fail curl exits 0 for a 500 as for a 200.
func blindCurl(command []string) string {
	argv, ok := onlyCall(command)
	if !ok || path.Base(argv[0]) != "curl" {
		return ""
	}
	url := ""
	for i := 1; i < len(argv); i++ {
		word := argv[i]
		switch {
		case curlJudges(word):
			return ""
		case !strings.HasPrefix(word, "-") && !curlTakesValue(argv[i-1]):
			if url != "" {
				return ""
			}
			url = word
		}
	}
	if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") && strings.Contains(url, "://") {
		return ""
	}
	return url
}

// curlJudges knows options that make the status count, and those after which the output is what somebody judges.
func curlJudges(word string) bool {
	if !strings.HasPrefix(word, "-") {
		return false
	}
	if strings.HasPrefix(word, "--") {
		switch name, _, _ := strings.Cut(word, "="); name {
		case "--fail", "--fail-with-body", "--fail-early", "--write-out", "--config", "--telnet-option", "--upload-file", "--next", "--version", "--help":
			return true
		}
		return false
	}
	return strings.ContainsAny(word, "fwKVh")
}

// curlTakesValue knows curl's common options whose value is the next word.
func curlTakesValue(word string) bool {
	switch word {
	case "--url":
		return false
	case "--max-time", "--connect-timeout", "--header", "--data", "--request", "--user", "--output", "--retry", "--retry-delay", "--cacert", "--cert",
		"--key", "--resolve", "--unix-socket", "--user-agent", "--proxy", "--interface", "--capath", "--referer", "--cookie", "--data-raw",
		"--data-binary", "--max-redirs", "--retry-max-time", "--noproxy", "--connect-to":
		return true
	}
	if !strings.HasPrefix(word, "-") || strings.HasPrefix(word, "--") || len(word) < 2 {
		return false
	}
	return strings.ContainsRune("HXdoumeAbTxyYzcCDEPQrtU", rune(word[len(word)-1]))
}

// onlyCall returns the words of the one plain call that a command consists of, through sh -c. Anything that looks at the call's
// output or at another call as well is none.
func onlyCall(command []string) ([]string, bool) {
	if len(command) == 0 || !isShell(path.Base(command[0])) {
		return command, len(command) > 0
	}
	if len(command) != 3 || !strings.HasPrefix(command[1], "-") || !strings.HasSuffix(command[1], "c") {
		return nil, false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command[2]), "")
	if err != nil || len(file.Stmts) != 1 || file.Stmts[0].Background || file.Stmts[0].Negated {
		return nil, false
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil, false
	}
	return spelling(call.Args)
}

// spelling gives the words as they stand in the text, without the quotes around them.
func spelling(words []*syntax.Word) ([]string, bool) {
	var argv []string
	printer := syntax.NewPrinter()
	for _, w := range words {
		var b strings.Builder
		if err := printer.Print(&b, w); err != nil {
			return nil, false
		}
		argv = append(argv, strings.Trim(b.String(), `"'`))
	}
	return argv, true
}
