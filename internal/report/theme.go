package report

import (
	"github.com/fatih/color"

	"github.com/hclint/hclint/rules"
)

// theme paints text. Each run has its own: the library's process-wide switch would make reports depend on each other.
type theme struct {
	bold, frame, err, warn, info *color.Color
}

func newTheme(on bool) theme {
	paint := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	return theme{
		bold:  paint(color.Bold),
		frame: paint(color.FgBlue, color.Bold),
		err:   paint(color.FgRed, color.Bold),
		warn:  paint(color.FgYellow, color.Bold),
		info:  paint(color.FgCyan, color.Bold),
	}
}

func (t theme) severity(s rules.Severity) *color.Color {
	switch s {
	case rules.Error:
		return t.err
	case rules.Warning:
		return t.warn
	case rules.Info:
	}
	return t.info
}
