package loader

import (
	"bytes"
	"strings"
)

// Comment is a YAML comment: its "#" is at Span.Start. Text excludes the "#" and surrounding blanks.
type Comment struct {
	Span Span
	Text string
	Own  bool // nothing but blanks stands before it on its line
}

// Comments returns the comments of f whose text starts with prefix, in source order. A "#" inside a scalar is no comment.
func (f *File) Comments(prefix string) []Comment {
	if f.lines == nil || !bytes.Contains(f.Source, []byte(prefix)) {
		return nil
	}
	if len(f.Objects) > 0 && f.Objects[0].Format == Unit {
		return f.unitComments(prefix)
	}
	var out []Comment
	for t := range tokens(f.Source) {
		if t.kind != commentToken {
			continue
		}
		text := strings.TrimSpace(string(f.Source[t.from+1 : t.to]))
		if !strings.HasPrefix(text, prefix) {
			continue
		}
		start := bytes.LastIndexAny(f.Source[:t.from], "\r\n") + 1
		before := bytes.TrimPrefix(f.Source[start:t.from], []byte(byteOrderMark))
		out = append(out, Comment{
			Span: f.spanAt(t.from, t.to),
			Text: text,
			Own:  len(bytes.TrimSpace(before)) == 0,
		})
	}
	return out
}
