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
	list, reason, _ := strings.Cut(text, "--")
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
		ds.add(directive{
			Suppression: Suppression{Source: "comment", File: f, Span: c.Span}, line: targetLine(f.Source, c),
		}, rest)
	}
}

// targetLine returns the line that a comment is about: its own, or for a comment alone on its line the next line that
// holds something else than a comment. A comment at the end of a document is about nothing (0), but one at the head of
// a file may stand above the first "---".
func targetLine(src []byte, c loader.Comment) int {
	if !c.Own {
		return c.Span.Start.Line
	}
	lineStart := bytes.LastIndexByte(src[:c.Span.Start.Offset], '\n') + 1
	head := firstContent(src[:lineStart], false) == 0
	next := firstContent(src[lineStart:], head)
	if next == 0 {
		return 0
	}
	return c.Span.Start.Line + next - 1
}

// firstContent returns the 1-based line of src that first holds something else than blanks and comments, 0 when none
// does. A document marker ends the search (0) unless markers is set, which skips it.
func firstContent(src []byte, markers bool) int {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		switch {
		case len(line) == 0 || line[0] == '#':
		case bytes.HasPrefix(line, []byte("---")):
			if rest := bytes.TrimSpace(line[3:]); len(rest) > 0 && rest[0] != '#' {
				return n
			}
			if !markers {
				return 0
			}
		default:
			return n
		}
	}
	return 0
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
