package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes text from a manifest, or the name of a file, safe to show on a terminal: control characters (which move the
// cursor or set the title), bidirectional overrides (which show text in another order than it is read) and bytes that are
// not UTF-8 become visible escapes, and so do the commands that GitHub's runner obeys wherever a log shows them. Tabs become
// one blank.
func Escape(s string) string { return escape(s) }

func escape(s string) string { return strings.ReplaceAll(escapeKeepTabs(s), "\t", " ") }

// noCommand keeps a line from being a command of GitHub's runner.
func noCommand(line string) string {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "::"); ok {
		return line[:len(line)-len(rest)-2] + `\x3a:` + rest
	}
	return line
}

func escapeKeepTabs(s string) string {
	// https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
	s = strings.ReplaceAll(s, "##[", `#\x23[`)
	s = noCommand(s)
	if !strings.ContainsFunc(s, unsafeRune) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		writeRune(&b, r, s[:size])
		s = s[size:]
	}
	return b.String()
}

func writeRune(b *strings.Builder, r rune, raw string) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case !unsafeRune(r):
		b.WriteRune(r)
	case r < 0x100:
		fmt.Fprintf(b, `\x%02x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

func unsafeRune(r rune) bool {
	switch {
	case r == '\t':
		return false
	case unicode.IsControl(r), r == 0x2028, r == 0x2029, r == 0x061c, r == 0x200e, r == 0x200f, r == 0xfeff:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
