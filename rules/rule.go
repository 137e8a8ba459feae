package rules

import (
	"fmt"

	"github.com/hclint/hclint/internal/facts"
)

// Rule is what a rule's folder and METADATA say about it.
type Rule struct {
	Name        string // "liveness-remote-dependency"
	Topic       string // "reach"
	Title       string
	Description string
	Severity    Severity
	Since       string
	Subjects    []string       // facts.Subject* kinds
	Needs       facts.Features // what a subject must have for the rule to be asked
	Kinds       []string       // the Kubernetes kinds (or documents) it looks at, for people
	Aliases     []string
	Fix         string // fix class: "display", "safe", "unsafe", "none"
	Links       []Link
	URL         string // where the rule is explained; "" when nowhere
}

// Link is a related resource.
type Link struct{ Ref, Description string }

// ParseSeverity reads "error", "warning" or "info".
func ParseSeverity(s string) (Severity, error) {
	switch s {
	case "error":
		return Error, nil
	case "warning":
		return Warning, nil
	case "info":
		return Info, nil
	}
	return 0, fmt.Errorf("severity %q: want error, warning or info", s)
}

// String is the severity's name in lower case.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "info"
	}
	return fmt.Sprintf("severity(%d)", int(s))
}
