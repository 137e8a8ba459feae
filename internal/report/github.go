package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/hclint/hclint/rules"
)

// GitHub shows this many annotations of each type for one step and drops the rest without a word.
const annotationBudget = 10

// The runner cuts messages at this many UTF-16 code units.
const annotationLength = 4096

// writeGitHub writes workflow commands, the worst first: of each type only the first ten become annotations.
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
func writeGitHub(w io.Writer, run Run, opt Options) error {
	found := make([]*rules.Finding, 0, len(run.Findings))
	count := map[rules.Severity]int{}
	for i := range run.Findings {
		if f := &run.Findings[i]; f.Suppressed == nil {
			found = append(found, f)
			count[f.Severity]++
		}
	}
	slices.SortStableFunc(found, func(a, b *rules.Finding) int { return int(b.Severity) - int(a.Severity) })

	var buf bytes.Buffer
	noticed := false
	for _, f := range found {
		// The notice about the rest needs one of the ten places for notices, so it comes before them.
		if f.Severity == rules.Info && !noticed {
			writeRest(&buf, count)
			noticed = true
		}
		writeCommand(&buf, f, opt)
	}
	if !noticed {
		writeRest(&buf, count)
	}
	_, err := buf.WriteTo(w)
	return err
}

// writeRest says how many findings have no annotation.
func writeRest(buf *bytes.Buffer, count map[rules.Severity]int) {
	over := func(s rules.Severity, budget int) int { return max(0, count[s]-budget) }
	errs, warns, infos := over(rules.Error, annotationBudget), over(rules.Warning, annotationBudget), over(rules.Info, annotationBudget)
	if errs+warns+infos == 0 {
		return
	}
	infos = over(rules.Info, annotationBudget-1)
	var parts []string
	for _, part := range []struct {
		n    int
		noun string
	}{{errs, "error"}, {warns, "warning"}, {infos, "info"}} {
		if part.n > 0 {
			parts = append(parts, plural(part.n, part.noun))
		}
	}
	fmt.Fprintf(buf, "::notice title=hclint::%d more without an annotation (%s): GitHub shows %d of each type; the log of this step has them all\n",
		errs+warns+infos, strings.Join(parts, ", "), annotationBudget)
}

func writeCommand(buf *bytes.Buffer, f *rules.Finding, opt Options) {
	file := fileName(f.File)
	if opt.Rename != nil {
		file = opt.Rename(file)
	}
	fmt.Fprintf(buf, "::%s file=%s,line=%d", commandName(f.Severity), escapeProperty(escape(file)), f.Span.Start.Line)
	start, end := f.Span.Start, f.Span.End
	if end.Line >= start.Line {
		fmt.Fprintf(buf, ",endLine=%d", end.Line)
	}
	// The runner drops columns of a range over several lines, and of one that ends before it starts.
	if end.Line == start.Line && end.Column >= start.Column && start.Column > 0 {
		fmt.Fprintf(buf, ",col=%d,endColumn=%d", start.Column, end.Column)
	}
	fmt.Fprintf(buf, ",title=%s::%s\n", escapeProperty(f.Rule), escapeData(cut(annotation(f), annotationLength)))
}

func annotation(f *rules.Finding) string {
	lines := []string{escape(f.Message)}
	if f.Likely {
		lines = append(lines, "confidence: likely, not certain")
	}
	for i, s := range f.Trace {
		label := "trace: "
		if i > 0 {
			label = "       "
		}
		at := ""
		if s.File != nil {
			at = fmt.Sprintf("%s:%d ", escape(s.File.Name), s.Span.Start.Line)
		}
		lines = append(lines, label+at+escape(s.Text))
	}
	if f.Effect != "" {
		lines = append(lines, "effect: "+escape(f.Effect))
	}
	for _, fix := range f.Fixes {
		lines = append(lines, "fix: "+escape(fix.Title))
	}
	return strings.Join(append(lines, "docs: hclint explain "+f.Rule), "\n")
}

func commandName(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "error"
	case rules.Warning:
		return "warning"
	case rules.Info:
	}
	return "notice"
}

// cut shortens s to n UTF-16 code units.
func cut(s string, n int) string {
	used := 0
	for i, r := range s {
		size := max(1, utf16.RuneLen(r))
		if used+size > n-1 {
			// One place is kept for the ellipsis; a rest of exactly one unit still fits.
			if used+len(utf16.Encode([]rune(s[i:]))) <= n {
				return s
			}
			return s[:i] + "…"
		}
		used += size
	}
	return s
}

func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
