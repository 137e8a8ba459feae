package loader

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// isUnitName reports whether a file is by its name a systemd service or a drop-in of one.
func isUnitName(name string) bool {
	if path.Ext(name) == ".service" {
		return true
	}
	return path.Ext(name) == ".conf" && strings.HasSuffix(path.Dir(name), ".service.d")
}

// unitSections are the sections that tell a systemd service from other files of that name (D-Bus, Avahi).
func unitSections() []string { return []string{"Unit", "Service", "Install"} }

// unit reads a systemd unit file: an object whose root maps sections to their keys, as text. Sections that come again go on;
// of a key that comes again the last one is found first. The syntax is systemd.syntax(7): comments fill whole lines, a
// backslash at the end of a line continues it, quotes mean nothing here.
func (p *parser) unit() {
	r := unitReader{file: p.file, root: &node{kind: mapNode}}
	r.read()
	if !r.isUnit() {
		p.skips = append(p.skips, Skip{File: p.file.Name, Reason: reasonNotUnit})
		return
	}
	p.file.locate(nil)
	first := &r.root.kids[0]
	r.root.at = first.at
	p.file.Objects = append(p.file.Objects, &Object{
		File: p.file, Format: Unit, Name: path.Base(p.file.Name), root: r.root,
		from: int(first.at), to: r.end, kindAt: int(first.at), kindTo: int(first.at) + len(first.text),
	})
	p.file.Problems = append(p.file.Problems, r.problems(p.file)...)
}

// unitReader reads the lines of a unit file.
type unitReader struct {
	file    *File
	root    *node
	section int // index of the current section's mapping in root.kids; 0 before the first
	end     int // past the last byte that means something
	wrong   []wrongLine
}

type wrongLine struct {
	from, to int
	message  string
}

func (r *unitReader) read() {
	src := r.file.Source
	i := 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		i = len(byteOrderMark)
	}
	for i < len(src) {
		end, next := cutLine(src, i, false)
		line := bytes.TrimSpace(src[i:end])
		at := i + bytes.Index(src[i:end], line)
		switch {
		case len(line) == 0, line[0] == '#', line[0] == ';':
		case line[0] == '[':
			r.header(line, at)
		default:
			next = r.assignment(at, end, next)
		}
		i = next
	}
}

// header starts a section, or goes on with one that is there.
func (r *unitReader) header(line []byte, at int) {
	r.end = at + len(line)
	if line[len(line)-1] != ']' {
		r.wrong = append(r.wrong, wrongLine{at, r.end, "this section header is not closed: expected ]"})
		return
	}
	name := string(line[1 : len(line)-1])
	for i := 0; i < len(r.root.kids); i += 2 {
		if r.root.kids[i].text == name {
			r.section = i + 1
			return
		}
	}
	r.root.kids = append(r.root.kids,
		node{kind: scalarNode, at: int32(at + 1), text: name}, node{kind: mapNode, at: int32(at + 1)})
	r.section = len(r.root.kids) - 1
}

// assignment reads the key and value at offset at, with the lines that continue it, and returns where the next line starts.
func (r *unitReader) assignment(at, end, next int) int {
	src := r.file.Source
	stop, after := continuedLine(src, end, next)
	text := src[at:end]
	eq := bytes.IndexByte(text, '=')
	r.end = stop
	switch {
	case eq < 1:
		r.wrong = append(r.wrong, wrongLine{at, at + len(bytes.TrimSpace(text)), "expected a section or Key=value here"})
		return after
	case r.section == 0:
		r.wrong = append(r.wrong, wrongLine{at, at + len(bytes.TrimSpace(text)), "this key stands before the first section"})
		return after
	}
	key := bytes.TrimSpace(text[:eq])
	start := at + eq + 1
	for start < stop && isSpace(src[start]) {
		start++
	}
	value := node{kind: scalarNode, at: int32(start), text: joinLines(src[start:max(start, stop)])}
	if stop > end {
		value.flags = continued
	}
	r.root.kids[r.section].kids = append(r.root.kids[r.section].kids, node{kind: scalarNode, at: int32(at), text: string(key)}, value)
	return after
}

// continuedLine finds the end of a line and of those that continue it, comments between them included.
func continuedLine(src []byte, end, next int) (stop, after int) {
	for end > 0 && next < len(src) && src[end-1] == '\\' {
		for {
			end, next = cutLine(src, next, false)
			line := bytes.TrimSpace(src[bytes.LastIndexByte(src[:end], '\n')+1 : end])
			if len(line) == 0 || line[0] != '#' && line[0] != ';' || next >= len(src) {
				break
			}
		}
	}
	return end, next
}

// joinLines is the value of continued lines: each backslash and line break is a blank, comments between are left out.
func joinLines(text []byte) string {
	if bytes.IndexByte(text, '\n') < 0 {
		return string(bytes.TrimSpace(text))
	}
	var b strings.Builder
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && (trimmed[0] == '#' || trimmed[0] == ';') {
			continue
		}
		rest, more := bytes.CutSuffix(line, []byte(`\`))
		b.Write(rest)
		if more {
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}

func (r *unitReader) isUnit() bool {
	for i := 0; i < len(r.root.kids); i += 2 {
		if slices.Contains(unitSections(), r.root.kids[i].text) {
			return true
		}
	}
	return false
}

// problems words the lines that systemd ignores with a warning.
func (r *unitReader) problems(f *File) []Problem {
	out := make([]Problem, 0, len(r.wrong))
	for _, w := range r.wrong {
		if bytes.Contains(f.Source[w.from:w.to], []byte("{{")) || bytes.Contains(f.Source[w.from:w.to], []byte("{%")) {
			continue // a template fills it in
		}
		out = append(out, Problem{Span: f.spanAt(w.from, w.to), Message: w.message})
	}
	return out
}

// unitComments are the comments of a unit file: only whole lines can be one.
func (f *File) unitComments(prefix string) []Comment {
	var out []Comment
	for i := 0; i < len(f.Source); {
		end, next := cutLine(f.Source, i, false)
		line := bytes.TrimSpace(f.Source[i:end])
		at := i + bytes.Index(f.Source[i:end], line)
		i = next
		if len(line) == 0 || line[0] != '#' && line[0] != ';' {
			continue
		}
		if text := strings.TrimSpace(string(line[1:])); strings.HasPrefix(text, prefix) {
			out = append(out, Comment{Span: f.spanAt(at, at+len(line)), Text: text, Own: true})
		}
	}
	return out
}
