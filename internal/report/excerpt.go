package report

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hclint/hclint/loader"
)

// excerpt is a source line and the carets below it, both safe to show.
type excerpt struct{ line, carets string }

// newExcerpt shows the first line of span, at most room cells of it; ok is false when there is no such line. Tabs are
// kept in both lines so that the carets stay below the text whatever the tab stops.
func newExcerpt(f *loader.File, span loader.Span, room int) (excerpt, bool) {
	if f == nil || span.Start.Line < 1 || span.Start.Offset < 0 || span.Start.Offset > len(f.Source) {
		return excerpt{}, false
	}
	start := bytes.LastIndexByte(f.Source[:span.Start.Offset], '\n') + 1
	end := len(f.Source)
	if n := bytes.IndexByte(f.Source[span.Start.Offset:], '\n'); n >= 0 {
		end = span.Start.Offset + n
	}
	line := string(bytes.TrimSuffix(f.Source[start:end], []byte("\r")))
	from := min(span.Start.Offset-start, len(line))
	to := max(from, min(span.End.Offset-start, len(line)))
	if start == 0 {
		bom := len(line) - len(strings.TrimPrefix(line, "\ufeff"))
		line, from, to = line[bom:], max(0, from-bom), max(0, to-bom)
	}
	if strings.TrimSpace(line) == "" {
		return excerpt{}, false
	}
	before, marked, after := window(line[:from], line[from:to], line[to:], room)
	return excerpt{line: before + marked + after, carets: blanks(before) + strings.Repeat("^", max(1, width(marked)))}, true
}

// window cuts a line of more than room cells around what is marked, at the cost of what is far from it, and escapes the
// three parts.
func window(before, marked, after string, room int) (b, m, a string) {
	b, m, a = escapeKeepTabs(before), escapeKeepTabs(marked), escapeKeepTabs(after)
	if width(b)+width(m)+width(a) <= room {
		return b, m, a
	}
	if most := room * 3 / 4; width(m) > most {
		m, a = truncate(m, most), ""
	}
	room -= width(m)
	left := min(width(b), max(room/3, room-width(a)))
	if left < width(b) {
		b = "…" + lastCells(b, left-1)
	}
	if right := room - width(b); right < width(a) {
		a = truncate(a, right)
	}
	return b, m, a
}

// lastCells is the end of s that fits into n cells.
func lastCells(s string, n int) string {
	used, at := 0, len(s)
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:at])
		if used += width(string(r)); used > n {
			break
		}
		at -= size
	}
	return s[at:]
}

// blanks is as wide as s, with the tabs of s.
func blanks(s string) string {
	parts := strings.Split(s, "\t")
	for i, part := range parts {
		parts[i] = strings.Repeat(" ", width(part))
	}
	return strings.Join(parts, "\t")
}
