package reach

import "strings"

// Values that cannot be known travel through the simulated run as control characters, which no manifest can hold
// unescaped: whatever they touch is recognised as unknown and never mistaken for an empty string or for loopback.
const (
	unknown = "\x1a" // a value from outside the bundle: an unseen Secret, a template, a file of the image
	answer  = "\x1d" // what a healthy program answers, where the tool table does not say
	mark    = "\x1c" // ends the call-site number that the instrumented script puts before each command
)

func tainted(s string) bool { return strings.ContainsAny(s, unknown+answer) }

func anyTainted(list []string) bool {
	for _, s := range list {
		if tainted(s) {
			return true
		}
	}
	return false
}

// taintOf gives the taint of what is derived from s: nothing, an answer, or (stronger) an unknown value.
func taintOf(s string) string {
	switch {
	case strings.Contains(s, unknown):
		return unknown
	case strings.Contains(s, answer):
		return answer
	}
	return ""
}

// maskTemplates replaces template actions in s by unknown values of the same length, so that offsets still hold.
func maskTemplates(s string) string {
	var b strings.Builder
	rest := s
	for {
		from := strings.Index(rest, "{{")
		if from < 0 {
			break
		}
		length := strings.Index(rest[from:], "}}")
		if length < 0 {
			break
		}
		length += len("}}")
		b.WriteString(rest[:from])
		b.WriteString(strings.Repeat(unknown, length))
		rest = rest[from+length:]
	}
	if b.Len() == 0 {
		return s
	}
	b.WriteString(rest)
	return b.String()
}

// plain shows a value to people: unknown parts as an ellipsis.
func plain(s string) string {
	if !tainted(s) {
		return s
	}
	var b strings.Builder
	last := false
	for _, r := range s {
		hole := r == rune(unknown[0]) || r == rune(answer[0])
		switch {
		case !hole:
			b.WriteRune(r)
		case !last:
			b.WriteString("…")
		}
		last = hole
	}
	return b.String()
}
