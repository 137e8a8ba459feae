package reach

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
)

// substitute knows sed's s/re/text/[gIp], once or with several -e, and the addresses that pick lines: Np.
func substitute(args []string, text string) string {
	extended, quiet := false, false
	for _, a := range args {
		switch {
		case inList("-E -r", a):
			extended = true
		case a == "-n":
			quiet = true
		case a == "-ne" || a == "-nE" || a == "-nr":
			quiet, extended = true, extended || a != "-ne"
		case a == "-e":
		default:
			var ok bool
			if text, ok = substituted(a, text, extended, quiet); !ok {
				return derived(text)
			}
		}
	}
	return text
}

func substituted(code, text string, extended, quiet bool) (string, bool) {
	if line, ok := strings.CutSuffix(code, "p"); ok && quiet && line == "1" {
		return firstOf(text, "\n") + "\n", true
	}
	s, ok := parseSubstitution(code)
	if !ok || tainted(code) || quiet != s.prints {
		return text, false
	}
	if !extended {
		s.pattern = basic(s.pattern)
	}
	if s.fold {
		s.pattern = "(?i)" + s.pattern
	}
	re, err := regexp.Compile(s.pattern)
	if err != nil || len(s.pattern) > 1000 {
		return text, false
	}
	return s.apply(re, text), true
}

// substitution is a parsed s command.
type substitution struct {
	pattern, with     string
	all, fold, prints bool
}

// parseSubstitution takes s/re/text/[gIp] apart; any delimiter.
func parseSubstitution(code string) (substitution, bool) {
	if len(code) < 4 || code[0] != 's' || strings.ContainsAny(code, "\n") {
		return substitution{}, false
	}
	var parts []string
	from := 2
	for i := 2; i < len(code); i++ {
		switch code[i] {
		case '\\':
			i++
		case code[1]:
			parts = append(parts, code[from:i])
			from = i + 1
		}
	}
	if len(parts) != 2 || strings.Trim(code[from:], "gIip") != "" {
		return substitution{}, false
	}
	flags := code[from:]
	delimiter := code[1:2]
	return substitution{
		pattern: strings.ReplaceAll(parts[0], `\`+delimiter, delimiter), with: expansion(strings.ReplaceAll(parts[1], `\`+delimiter, delimiter)),
		all: strings.Contains(flags, "g"), fold: strings.ContainsAny(flags, "Ii"), prints: strings.Contains(flags, "p"),
	}, true
}

// expansion turns sed's \1 and & into the template of package regexp.
func expansion(with string) string {
	var b strings.Builder
	for i := 0; i < len(with); i++ {
		switch c := with[i]; {
		case c == '\\' && i+1 < len(with):
			i++
			switch d := with[i]; {
			case d >= '0' && d <= '9':
				b.WriteString("${" + string(d) + "}")
			case d == 'n':
				b.WriteByte('\n')
			default:
				b.WriteByte(d)
			}
		case c == '&':
			b.WriteString("${0}")
		case c == '$':
			b.WriteString("$$")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (s substitution) apply(re *regexp.Regexp, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		end := line[len(body):]
		count := 1
		if s.all {
			count = -1
		}
		found := re.FindAllStringSubmatchIndex(body, count)
		if len(found) == 0 && s.prints {
			b.WriteString(taintOf(line)) // an unknown line may match
			continue
		}
		var out []byte
		last := 0
		for _, m := range found {
			out = append(out, body[last:m[0]]...)
			out = re.ExpandString(out, s.with, body, m)
			last = m[1]
		}
		b.Write(out)
		b.WriteString(body[last:] + end)
	}
	return b.String()
}

// coded is base64.
func coded(args []string, text string) string {
	if tainted(text) {
		return derived(text)
	}
	if slices.ContainsFunc(args, func(a string) bool { return inList("-d -D --decode -di", a) }) {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
		if err != nil {
			return ""
		}
		return string(raw)
	}
	return base64.StdEncoding.EncodeToString([]byte(text)) + "\n"
}
