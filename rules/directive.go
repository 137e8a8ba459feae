package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// annotationPrefix is what hclint's annotations begin with.
const annotationPrefix = "hclint.dev/"

// directive is one rule that a comment or an annotation suppresses.
type directive struct {
	Suppression
	rule   string // the rule's name
	name   string // as written: the name or an alias
	line   int    // the line that a comment is about
	object *loader.Object
	// container is set for an annotation about one container.
	container string
	used      bool
}

// complaint is a directive, or a part of one, that suppresses nothing because of how it is written.
type complaint struct {
	file    *loader.File
	span    loader.Span
	rule    string
	message string
}

// directives is what one Check found written in the input.
type directives struct {
	set   *Set
	all   []*directive
	wrong []complaint
}

// usage is how a directive is written, by its source.
func usage(source string) string {
	if source == "annotation" {
		return `want "RULE -- reason"`
	}
	return "want hclint:ignore RULE -- reason"
}

// add records the rules that text names ("RULE[,RULE] -- reason"), each with the fields of d.
func (ds *directives) add(d directive, text string) {
	wrong := func(rule, format string, args ...any) {
		ds.wrong = append(ds.wrong, complaint{d.File, d.Span, rule, fmt.Sprintf(format, args...)})
	}
	list, reason, dashes := strings.Cut(text, "--")
	if !dashes {
		list = beforeReason(list)
	}
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	d.Reason = strings.TrimSpace(strings.TrimLeft(reason, "-"))
	if len(names) == 0 {
		wrong("", "no rule is named, %s", usage(d.Source))
		return
	}
	for _, name := range names {
		rule, err := ds.set.find(name)
		switch {
		case err != nil:
			wrong(name, "%v", err)
		case slices.Contains(rule.Subjects, facts.SubjectSuppression):
			wrong(name, "findings of %s cannot be ignored", rule.Name)
		case d.Reason == "":
			wrong(name, "no reason is given for ignoring %s, %s", name, usage(d.Source))
		default:
			one := d
			one.rule, one.name = rule.Name, name
			ds.all = append(ds.all, &one)
		}
	}
}

// beforeReason leaves out what was probably meant as a reason, though something else than "--" stands before it: its words are
// no names of rules.
func beforeReason(list string) string {
	for _, mark := range []string{"\u2014", "\u2013", " - ", ":"} {
		list, _, _ = strings.Cut(list, mark)
	}
	return list
}

// meant reports whether a comment that begins with "hclint" was meant as a directive, right or wrong: "hclint:…", or the
// word and one of those by which linters are told to be silent.
func meant(comment string) bool {
	rest := strings.TrimPrefix(comment, "hclint")
	word := strings.TrimLeft(rest, " -\t")
	if strings.HasPrefix(word, ":") {
		return true
	}
	word, _, _ = strings.Cut(word, " ")
	return len(rest) > len(word) && slices.Contains([]string{"ignore", "disable", "skip", "nolint"}, word)
}

// readComments records the directives in the comments of f.
func (ds *directives) readComments(f *loader.File) {
	var next []int
	for _, c := range f.Comments("hclint") {
		text, _, _ := strings.Cut(c.Text, " # ") // a second comment on the line
		if !meant(text) {
			continue
		}
		rest, ok := strings.CutPrefix(text, "hclint:ignore")
		if !ok || (rest != "" && !strings.ContainsAny(rest[:1], " \t")) {
			word, _, _ := strings.Cut(text, " ")
			ds.wrong = append(ds.wrong, complaint{f, c.Span, "", fmt.Sprintf("unknown directive %q, %s", word, usage("comment"))})
			continue
		}
		line := c.Span.Start.Line
		if c.Own {
			if next == nil {
				next = targets(f.Source)
			}
			line = next[line-1]
		}
		ds.add(directive{Suppression: Suppression{Source: "comment", File: f, Span: c.Span}, line: line}, rest)
	}
}

// targets returns the line that a comment alone on a line is about, for each line of src: the next one that holds something
// else than blanks and comments. One at the end of a document is about nothing (0), but one at the head of a file may stand
// above the first "---".
func targets(src []byte) []int {
	var out []int
	head := true
	for i := 0; i < len(src); {
		n := bytes.IndexAny(src[i:], "\r\n")
		if n < 0 {
			n = len(src) - i
		}
		kind := kindOf(src[i : i+n])
		if kind == markerLine && head {
			kind = emptyLine
		}
		head = head && kind == emptyLine
		out = append(out, kind)
		i += n + 1
		if i < len(src) && src[i-1] == '\r' && src[i] == '\n' {
			i++
		}
	}
	next := 0
	for i := len(out) - 1; i >= 0; i-- {
		switch out[i] {
		case contentLine:
			next = i + 1
		case markerLine:
			next = 0
		}
		out[i] = next
	}
	return out
}

// What a line holds.
const (
	emptyLine   = iota // at most a comment
	markerLine         // "---" without content behind it
	contentLine        // anything else
)

func kindOf(line []byte) int {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if rest, ok := bytes.CutPrefix(line, []byte("---")); ok {
		if rest = bytes.TrimSpace(rest); len(rest) == 0 || rest[0] == '#' {
			return markerLine
		}
	}
	if len(line) == 0 || line[0] == '#' {
		return emptyLine
	}
	return contentLine
}

// readAnnotations records the directives in the annotations of o and of its pod template, if workload has one.
func (ds *directives) readAnnotations(o *loader.Object, workload *facts.Workload) {
	ds.readMetadata(o, o.Root().Get("metadata"), workload)
	if workload == nil || len(workload.PodPath) < 2 {
		return // the object is the Pod itself
	}
	template := workload.PodPath[:len(workload.PodPath)-1]
	ds.readMetadata(o, o.Find(template.Child("metadata")), workload)
}

func (ds *directives) readMetadata(o *loader.Object, metadata loader.Node, workload *facts.Workload) {
	for key, value := range metadata.Get("annotations").Entries() {
		what, ok := strings.CutPrefix(key, annotationPrefix)
		if !ok {
			continue
		}
		wrong := func(format string, args ...any) {
			ds.wrong = append(ds.wrong, complaint{o.File, value.KeySpan(), "", fmt.Sprintf(format, args...)})
		}
		container, named := strings.CutPrefix(what, "ignore.")
		if !named {
			container = ""
		}
		text, isText := value.Str()
		switch {
		case what != "ignore" && !named:
			wrong("unknown annotation %q, want %signore or %signore.CONTAINER", key, annotationPrefix, annotationPrefix)
		case named && !hasContainer(workload, container):
			wrong("annotation %q: no container is named %q", key, container)
		case !isText:
			wrong("annotation %q is not a string, %s", key, usage("annotation"))
		default:
			d := directive{
				Suppression: Suppression{Source: "annotation", File: o.File, Span: value.KeySpan()}, object: o, container: container,
			}
			for _, entry := range ds.entries(text) {
				ds.add(d, entry)
			}
		}
	}
}

// hasContainer reports whether a container may be called name; where the pod is unknown any may.
func hasContainer(w *facts.Workload, name string) bool {
	return w == nil || slices.ContainsFunc(w.Containers, func(c facts.Container) bool { return c.Name == name })
}

// entries splits an annotation's value at ";" and at line ends. What follows one and names no rule is more of the reason.
func (ds *directives) entries(text string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		part = strings.TrimSpace(part)
		first, _, _ := strings.Cut(part, " ")
		_, known := ds.set.byName[strings.TrimSuffix(first, ",")]
		switch {
		case part == "":
		case len(out) > 0 && !known && !strings.Contains(part, "--"):
			out[len(out)-1] += "; " + part
		default:
			out = append(out, part)
		}
	}
	if len(out) == 0 {
		out = append(out, "") // an empty value names no rule, which add says
	}
	return out
}
