package report

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// cells measures text. The package's own default reads the locale of the machine, which would make output differ
// from one machine to the next.
func cells() *runewidth.Condition {
	return &runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}
}

// width is the number of cells that s takes; a tab counts as one.
func width(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return cells().StringWidth(s) + strings.Count(s, "\t")
		}
	}
	return len(s)
}

// truncate cuts s to n cells, the ellipsis included. It adds up runes, so that it may cut a cluster that would have fit.
func truncate(s string, n int) string {
	if width(s) <= n {
		return s
	}
	used := 0
	for at, r := range s {
		if used += width(string(r)); used > n-1 {
			return s[:at] + "…"
		}
	}
	return s
}

// wrap breaks text at blanks into lines of at most n cells, as far as its words allow. The first line starts with
// head, which is never broken and counts against n.
func wrap(head, text string, n int) []string {
	var lines []string
	line := head
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= n:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
