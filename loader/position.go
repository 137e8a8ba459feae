package loader

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Pos is a place in a file. Line and Column are 1-based, Column counts Unicode code points;
// Offset is the 0-based byte offset in the file's source.
type Pos struct{ Line, Column, Offset int }

// Span is a range of source; End is exclusive.
type Span struct{ Start, End Pos }

// IsZero reports whether s names no place.
func (s Span) IsZero() bool { return s == Span{} }

// lineTable holds the byte offset at which each line starts. A byte order mark at the start of a document is
// not part of its line: editors do not show it and YAML does not count it.
type lineTable []int32

// newLineTable finds the lines of src. With wide, the separators NEL, LS and PS end a line as well: the YAML
// scanner counts them, editors do not.
func newLineTable(src []byte, boms []int, wide bool) lineTable {
	starts := make(lineTable, 1, bytes.Count(src, []byte{'\n'})+2)
	loneCR := hasLoneCR(src)
	for i := 0; i < len(src); {
		end, next := cutLine(src, i, loneCR)
		if wide {
			starts = appendWideBreaks(starts, src, i, end)
		}
		if next > end {
			starts = append(starts, int32(next))
		}
		i = next
	}
	for _, bom := range boms {
		line := starts.line(bom)
		if int(starts[line]) == bom {
			starts[line] += int32(len(byteOrderMark))
		}
	}
	return starts
}

// appendWideBreaks appends where the lines start that NEL, LS and PS make of src[from:to].
func appendWideBreaks(starts lineTable, src []byte, from, to int) lineTable {
	for i := from; i < to; {
		n := wideBreak(src[i:to])
		if n == 0 {
			break
		}
		i += n
		starts = append(starts, int32(i))
	}
	return starts
}

// line is the 0-based index of the line that holds offset.
func (t lineTable) line(offset int) int {
	n := sort.Search(len(t), func(i int) bool { return int(t[i]) > offset })
	return max(n-1, 0)
}

// pos converts a byte offset.
func (f *File) pos(offset int) Pos {
	offset = min(max(offset, 0), len(f.Source))
	line := f.lines.line(offset)
	start := min(int(f.lines[line]), offset)
	column := offset - start
	if !f.ascii {
		column = utf8.RuneCount(f.Source[start:offset])
	}
	return Pos{Line: line + 1, Column: column + 1, Offset: offset}
}

// cutLine returns where the line that starts at i ends (before its terminator) and where the next one starts.
func cutLine(src []byte, i int, loneCR bool) (end, next int) {
	var n int
	if loneCR {
		n = bytes.IndexAny(src[i:], "\r\n")
	} else {
		n = bytes.IndexByte(src[i:], '\n')
	}
	if n < 0 {
		return len(src), len(src)
	}
	end = i + n
	switch {
	case src[end] == '\r' && end+1 < len(src) && src[end+1] == '\n':
		return end, end + 2
	case src[end] == '\n' && end > i && src[end-1] == '\r':
		return end - 1, end + 1
	default:
		return end, end + 1
	}
}

// hasLoneCR reports whether some line of src is ended by a carriage return alone.
func hasLoneCR(src []byte) bool {
	for i := bytes.IndexByte(src, '\r'); i >= 0; {
		if i+1 >= len(src) || src[i+1] != '\n' {
			return true
		}
		n := bytes.IndexByte(src[i+1:], '\r')
		if n < 0 {
			return false
		}
		i += 1 + n
	}
	return false
}

// wideBreak returns the offset just past the first NEL, LS or PS in line, or 0.
func wideBreak(line []byte) int {
	for i := range line {
		switch {
		case line[i] == 0xC2 && i+1 < len(line) && line[i+1] == 0x85:
			return i + 2
		case line[i] == 0xE2 && i+2 < len(line) && line[i+1] == 0x80 && (line[i+2] == 0xA8 || line[i+2] == 0xA9):
			return i + 3
		}
	}
	return 0
}

// hasWideBreak reports whether src holds a line separator that only YAML knows.
func hasWideBreak(src []byte) bool {
	return bytes.Contains(src, []byte("\xC2\x85")) || bytes.Contains(src, []byte("\xE2\x80\xA8")) ||
		bytes.Contains(src, []byte("\xE2\x80\xA9"))
}
