package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hclint/hclint/rules"
)

// defaultWidth is what prose is wrapped to where no terminal says otherwise.
const defaultWidth = 100

// excerptWidth is how many cells of a source line are shown at the most.
const excerptWidth = 100

// textWriter writes findings for people: message first, in the form that editors jump to; then the line, the evidence,
// the consequence and the way out.
type textWriter struct {
	buf   bytes.Buffer
	theme theme
	width int
}

func writeText(w io.Writer, run Run, opt Options) error {
	t := &textWriter{theme: newTheme(opt.Color), width: opt.Width}
	if t.width <= 0 {
		t.width = defaultWidth
	}
	counted := onlyCounted(run, opt)
	fullBefore := false
	for i := range run.Findings {
		f := &run.Findings[i]
		full := f.Severity >= opt.FullFrom
		if f.Suppressed != nil || !full && f.Severity == rules.Info && len(counted) > 0 {
			continue
		}
		if t.buf.Len() > 0 && (full || fullBefore) {
			t.buf.WriteByte('\n')
		}
		t.headline(f)
		if full {
			t.details(f)
		}
		fullBefore = full
	}
	t.end(run, counted, opt.Quiet)
	_, err := t.buf.WriteTo(w)
	return err
}

// end writes the last lines: what was skipped, the findings that are only counted, the count.
func (t *textWriter) end(run Run, counted []ruleCount, quiet bool) {
	if t.buf.Len() > 0 && (!quiet || len(counted) > 0) {
		t.buf.WriteByte('\n')
	}
	if !quiet {
		t.buf.WriteString(skipLines(run.Skipped))
	}
	if len(counted) > 0 {
		t.buf.WriteString(notShown(counted) + "\n")
	}
	if !quiet {
		t.buf.WriteString(countLine(run) + "\n")
	}
}

func (t *textWriter) headline(f *rules.Finding) {
	level := t.theme.severity(f.Severity)
	at := fmt.Sprintf("%s:%d:%d:", escape(fileName(f.File)), f.Span.Start.Line, f.Span.Start.Column)
	fmt.Fprintf(&t.buf, "%s %s %s [%s]\n",
		t.theme.bold.Sprint(at), level.Sprint(f.Severity.String()+":"), escape(f.Message), f.Rule)
}

func (t *textWriter) details(f *rules.Finding) {
	level := t.theme.severity(f.Severity)
	margin := strings.Repeat(" ", len(strconv.Itoa(f.Span.Start.Line)))
	if x, ok := newExcerpt(f.File, f.Span, max(20, min(excerptWidth, t.width-len(margin)-len(" | ")))); ok {
		bar := t.theme.frame.Sprint(margin + " |")
		fmt.Fprintf(&t.buf, "%s\n%s %s\n%s %s\n", bar,
			t.theme.frame.Sprintf("%d |", f.Span.Start.Line), x.line, bar, level.Sprint(x.carets))
	}
	if f.Likely {
		t.note(margin, "confidence", []string{"likely, not certain"})
	}
	if len(f.Trace) > 0 {
		t.note(margin, "trace", t.trace(margin, f.Trace))
	}
	if f.Effect != "" {
		t.note(margin, "effect", wrap("", escape(f.Effect), t.room(margin, "effect")))
	}
	for _, fix := range f.Fixes {
		lines := wrap("", escape(fix.Title), t.room(margin, "fix"))
		t.note(margin, "fix", append(lines, suggestion(fix.Suggestion)...))
	}
	t.note(margin, "docs", []string{"hclint explain " + f.Rule})
}

func (t *textWriter) trace(margin string, steps []rules.Step) []string {
	var lines []string
	for _, step := range steps {
		head := ""
		if step.File != nil {
			head = fmt.Sprintf("%s:%d", escape(step.File.Name), step.Span.Start.Line)
		}
		for i, line := range wrap(head, escape(step.Text), t.room(margin, "trace")-2) {
			if i > 0 {
				line = "  " + line // set off from the next step
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// suggestion is YAML, line by line.
func suggestion(yaml string) []string {
	if strings.TrimSpace(yaml) == "" {
		return nil
	}
	lines := strings.Split(strings.TrimRight(yaml, "\n"), "\n")
	for i := range lines {
		lines[i] = "  " + escape(lines[i])
	}
	return lines
}

// room is how many cells are left for the text of a note.
func (t *textWriter) room(margin, label string) int {
	return max(20, t.width-len(margin)-len(" = "+label+": "))
}

// note writes "   = label: " and lines, aligned.
func (t *textWriter) note(margin, label string, lines []string) {
	indent := strings.Repeat(" ", len(margin)+len(" = "+label+": "))
	for i, line := range lines {
		if i == 0 {
			fmt.Fprintf(&t.buf, "%s %s %s\n", margin, t.theme.frame.Sprint("=")+" "+t.theme.bold.Sprint(label+":"), line)
			continue
		}
		t.buf.WriteString(strings.TrimRight(indent+noCommand(line), " ") + "\n")
	}
}
