package rules

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/hclint/hclint/internal/facts"
	"github.com/hclint/hclint/loader"
)

// suppress marks what the input's directives suppress among found, and returns the subjects that the rules about
// suppressions judge: directives that are written wrongly, and those that suppress nothing although their rule ran.
//
// A comment "# hclint:ignore RULE[,RULE] -- reason" is about the line it ends, or, alone on its line, about the next
// line that is more than a comment. It covers every finding of the rule that stands on that line or below the key or
// list item that the line begins: above "livenessProbe:" it covers the probe, above "- name: api" the container, on the
// object's first line (or its "kind:", where findings about the object as a whole stand) the object. The annotation
// hclint.dev/ignore, "RULE -- reason" with more such entries after ";" or on further lines, covers its object, whether it
// stands in the object's metadata or the pod template's; hclint.dev/ignore.CONTAINER covers that container.
//
// When several directives cover a finding the nearest one counts, so that one which can go is reported as unused.
// Nothing is called unused where the picture is known to be incomplete: in a file with problems, and in an object whose
// facts are partial.
func (s *Set) suppress(found []Finding, files []*loader.File, subjects []facts.Subject, ran map[string]bool) []facts.Subject {
	files = slices.DeleteFunc(slices.Clone(files), func(f *loader.File) bool {
		skipped := len(f.Objects) == 0 && len(f.Problems) == 0
		return skipped || !bytes.Contains(f.Source, []byte("hclint"))
	})
	if len(files) == 0 {
		return nil
	}
	ds := &directives{set: s}
	workloads, partial := workloadsOf(subjects)
	for _, f := range files {
		ds.readComments(f)
		if !bytes.Contains(f.Source, []byte(annotationPrefix)) {
			continue
		}
		for _, o := range f.Objects {
			ds.readAnnotations(o, workloads[o])
		}
	}
	ds.apply(found)
	return ds.subjects(ran, partial)
}

// workloadsOf returns the workloads by object, and the objects whose facts are partial.
func workloadsOf(subjects []facts.Subject) (map[*loader.Object]*facts.Workload, map[*loader.Object]bool) {
	workloads, partial := map[*loader.Object]*facts.Workload{}, map[*loader.Object]bool{}
	for i := range subjects {
		o := subjects[i].Object
		if o == nil {
			continue
		}
		if w, ok := subjects[i].Input.(*facts.Workload); ok {
			workloads[o] = w
		}
		// Every kind of facts that can be partial says so in a field of this name.
		field := reflect.Indirect(reflect.ValueOf(subjects[i].Input)).FieldByName("Partial")
		partial[o] = partial[o] || field.IsValid() && field.Bool()
	}
	return workloads, partial
}

// place is where a comment's directive is looked up.
type place struct {
	file *loader.File
	line int
	rule string
}

// apply marks each finding with the nearest directive that covers it.
func (ds *directives) apply(found []Finding) {
	if len(ds.all) == 0 {
		return
	}
	comments := map[place]*directive{}
	commented := map[*loader.File]bool{}
	var annotations []*directive
	for _, d := range ds.all {
		if d.Source != "comment" {
			annotations = append(annotations, d)
			continue
		}
		commented[d.File] = true
		at := place{d.File, d.line, d.rule}
		if comments[at] == nil {
			comments[at] = d
		}
	}
	for i := range found {
		f := &found[i]
		var d *directive
		if commented[f.File] {
			d = nearestComment(f, comments)
		}
		if d == nil {
			d = nearestAnnotation(f, annotations)
		}
		if d != nil {
			d.used = true
			f.Suppressed = &d.Suppression
		}
	}
}

// nearestComment looks on the finding's lines, then on those of what it stands in, outwards.
func nearestComment(f *Finding, comments map[place]*directive) *directive {
	at := func(line int) *directive { return comments[place{f.File, line, f.Rule}] }
	for line := f.Span.Start.Line; line <= f.Span.End.Line || line == f.Span.Start.Line; line++ {
		if d := at(line); d != nil {
			return d
		}
	}
	if f.Object == nil {
		return nil
	}
	for n := len(f.Path) - 1; n >= 0; n-- {
		if d := at(f.Object.Span(f.Path[:n]).Start.Line); d != nil {
			return d
		}
	}
	first, _ := f.Object.Lines()
	return at(first)
}

// nearestAnnotation prefers one about the finding's container.
func nearestAnnotation(f *Finding, annotations []*directive) *directive {
	var whole *directive
	for _, d := range annotations {
		switch {
		case d.rule != f.Rule || d.object != f.Object:
		case d.container == "" && whole == nil:
			whole = d
		case d.container != "" && d.container == f.Container:
			return d
		}
	}
	return whole
}

// subjects returns what is wrong with the directives.
func (ds *directives) subjects(ran map[string]bool, partial map[*loader.Object]bool) []facts.Subject {
	var out []facts.Subject
	add := func(f *loader.File, span loader.Span, input *facts.Suppression) {
		input.Subject = facts.SubjectSuppression
		out = append(out, facts.Subject{Kind: facts.SubjectSuppression, File: f, Span: span, Input: input})
	}
	for _, w := range ds.wrong {
		add(w.file, w.span, &facts.Suppression{State: "invalid", Rule: w.rule, Message: w.message})
	}
	for _, d := range ds.all {
		if d.used || !ran[d.rule] || len(d.File.Problems) > 0 || partial[d.about()] {
			continue
		}
		add(d.File, d.Span, &facts.Suppression{State: "unused", Rule: d.name})
	}
	return out
}

// about returns the object that a directive stands in or above, nil when there is none.
func (d *directive) about() *loader.Object {
	if d.object != nil {
		return d.object
	}
	for _, o := range d.File.Objects {
		if first, last := o.Lines(); first <= d.line && d.line <= last {
			return o
		}
	}
	return nil
}
