package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hclint/hclint/loader"
	"github.com/hclint/hclint/rules"
)

// Summary counts a run.
type Summary struct {
	Files      int `json:"files" jsonschema:"description=files that were checked"`
	Objects    int `json:"objects" jsonschema:"description=objects in them"`
	Errors     int `json:"errors" jsonschema:"description=findings that stand"`
	Warnings   int `json:"warnings" jsonschema:"description=findings that stand"`
	Infos      int `json:"infos" jsonschema:"description=findings that stand"`
	Suppressed int `json:"suppressed"`
	Fixable    int `json:"fixable" jsonschema:"description=findings that stand and have a fix with edits"`
}

func summarize(run Run) Summary {
	s := Summary{Files: run.Files, Objects: run.Objects}
	for _, f := range run.Findings {
		if f.Suppressed != nil {
			s.Suppressed++
			continue
		}
		switch f.Severity {
		case rules.Error:
			s.Errors++
		case rules.Warning:
			s.Warnings++
		case rules.Info:
			s.Infos++
		}
		if slices.ContainsFunc(f.Fixes, func(fix rules.Fix) bool { return len(fix.Edits) > 0 }) {
			s.Fixable++
		}
	}
	return s
}

// WriteSummary writes what was skipped, by reason, and then the count line: five lines at the most.
func WriteSummary(w io.Writer, run Run) error {
	_, err := io.WriteString(w, skipLines(run.Skipped)+countLine(run)+"\n")
	return err
}

func countLine(run Run) string {
	s := summarize(run)
	var b strings.Builder
	if s.Errors+s.Warnings+s.Infos == 0 {
		b.WriteString("no findings")
	} else {
		var parts []string
		for _, part := range []struct {
			n    int
			noun string
		}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Infos, "info"}} {
			if part.n > 0 {
				parts = append(parts, plural(part.n, part.noun))
			}
		}
		b.WriteString(strings.Join(parts, ", "))
	}
	if s.Suppressed > 0 {
		fmt.Fprintf(&b, " (%d suppressed)", s.Suppressed)
	}
	fmt.Fprintf(&b, " in %s, %s", plural(s.Objects, "object"), plural(s.Files, "file"))
	if len(run.Skipped) > 0 {
		b.WriteString("; skipped " + skipCount(run.Skipped))
	}
	return b.String()
}

// skipCount counts skipped files and, apart, skipped parts of files.
func skipCount(skips []loader.Skip) string {
	files, parts := 0, 0
	for _, s := range skips {
		if s.Line > 0 {
			parts++
		} else {
			files++
		}
	}
	switch {
	case parts == 0:
		return plural(files, "file")
	case files == 0:
		return plural(parts, "document")
	}
	return plural(files, "file") + " and " + plural(parts, "document")
}

// shownReasons bounds the lines about skipped files.
const shownReasons = 3

func skipLines(skips []loader.Skip) string {
	type group struct {
		reason string
		skips  []loader.Skip
	}
	var groups []*group
	byReason := map[string]*group{}
	for _, s := range skips {
		g := byReason[s.Reason]
		if g == nil {
			g = &group{reason: s.Reason}
			byReason[s.Reason] = g
			groups = append(groups, g)
		}
		g.skips = append(g.skips, s)
	}
	// Stable: groups of the same size stay in the order in which they were met.
	slices.SortStableFunc(groups, func(a, b *group) int { return len(b.skips) - len(a.skips) })
	var b strings.Builder
	for i, g := range groups {
		if i == shownReasons {
			rest := 0
			for _, g := range groups[i:] {
				rest += len(g.skips)
			}
			fmt.Fprintf(&b, "skipped %d more for %s; hclint files lists them\n", rest, plural(len(groups)-i, "other reason"))
			break
		}
		first := escape(g.skips[0].File)
		if g.skips[0].Line > 0 {
			first += fmt.Sprintf(":%d", g.skips[0].Line)
		}
		if len(g.skips) > 1 {
			first = "first " + first
		}
		fmt.Fprintf(&b, "skipped %s: %s (%s)\n", skipCount(g.skips), escape(g.reason), first)
	}
	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
