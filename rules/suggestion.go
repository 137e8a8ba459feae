package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	sigs "sigs.k8s.io/yaml"
)

// suggestion renders a JSON value as the YAML a person would write: keys in the order that manifests have them, two
// spaces, no quotes where none are needed. A string is taken as text.
//
// It is written here and not by a YAML library since none orders keys, and since a run may make thousands: to marshal, parse,
// sort and marshal again was a tenth of it.
func suggestion(value any) (string, error) {
	if s, ok := value.(string); ok {
		return strings.TrimRight(s, "\n") + "\n", nil
	}
	w := suggestionWriter{}
	if err := w.block(value, 0, false); err != nil {
		return "", fmt.Errorf("suggestion: %w", err)
	}
	return w.buf.String(), nil
}

type suggestionWriter struct{ buf bytes.Buffer }

// block writes value as lines with that many spaces before them; inline leaves them out on the first line, which begins
// after "- ".
func (w *suggestionWriter) block(value any, indent int, inline bool) error {
	switch v := value.(type) {
	case map[string]any:
		if len(v) > 0 {
			return w.mapping(v, indent, inline)
		}
	case []any:
		if len(v) > 0 {
			return w.sequence(v, indent, inline)
		}
	}
	if inline {
		return w.scalar(value, indent-2) // a text of several lines is set off from the dash
	}
	w.pad(indent)
	return w.scalar(value, indent)
}

func (w *suggestionWriter) mapping(m map[string]any, indent int, inline bool) error {
	for i, key := range slices.SortedFunc(maps.Keys(m), compareKeys) {
		if i > 0 || !inline {
			w.pad(indent)
		}
		if err := w.text(key, indent); err != nil {
			return err
		}
		w.buf.WriteByte(':')
		if err := w.child(m[key], indent); err != nil {
			return err
		}
	}
	return nil
}

// child writes the value of a key that stands at indent.
func (w *suggestionWriter) child(value any, indent int) error {
	switch v := value.(type) {
	case map[string]any:
		if len(v) > 0 {
			w.buf.WriteByte('\n')
			return w.mapping(v, indent+2, false)
		}
	case []any:
		if len(v) > 0 {
			w.buf.WriteByte('\n')
			return w.sequence(v, indent, false)
		}
	}
	w.buf.WriteByte(' ')
	return w.scalar(value, indent)
}

func (w *suggestionWriter) sequence(items []any, indent int, inline bool) error {
	for i, item := range items {
		if i > 0 || !inline {
			w.pad(indent)
		}
		w.buf.WriteString("- ")
		if err := w.block(item, indent+2, true); err != nil {
			return err
		}
	}
	return nil
}

// scalar writes a value that takes one line, or a text of several, and ends the line.
func (w *suggestionWriter) scalar(value any, indent int) error {
	switch v := value.(type) {
	case string:
		if err := w.text(v, indent); err != nil {
			return err
		}
	case map[string]any:
		w.buf.WriteString("{}")
	case []any:
		w.buf.WriteString("[]")
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		w.buf.Write(text)
	}
	w.buf.WriteByte('\n')
	return nil
}

// text writes a string so that Kubernetes' YAML 1.1 reads it back as that string.
func (w *suggestionWriter) text(s string, indent int) error {
	switch {
	case plainWord(s):
		w.buf.WriteString(s)
		return nil
	case strings.Contains(s, "\n") && literal(s):
		w.literal(s, indent)
		return nil
	case strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
		var quoted bytes.Buffer
		enc := json.NewEncoder(&quoted)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			return err
		}
		w.buf.Write(bytes.TrimRight(quoted.Bytes(), "\n"))
		return nil
	}
	// The library decides what is left; it breaks long lines, which a copied command must not have.
	out, err := sigs.Marshal(s)
	if err != nil {
		return err
	}
	out = bytes.TrimRight(out, "\n")
	if !bytes.Contains(out, []byte("\n")) {
		w.buf.Write(out)
		return nil
	}
	if plain(s) {
		w.buf.WriteString(s)
		return nil
	}
	w.buf.WriteString("'" + strings.ReplaceAll(s, "'", "''") + "'")
	return nil
}

func (w *suggestionWriter) pad(indent int) { w.buf.WriteString(strings.Repeat(" ", indent)) }

// literal writes a text of several lines as a block.
func (w *suggestionWriter) literal(s string, indent int) {
	body := strings.TrimSuffix(s, "\n")
	w.buf.WriteByte('|')
	if body == s {
		w.buf.WriteByte('-')
	}
	for line := range strings.SplitSeq(body, "\n") {
		w.buf.WriteByte('\n')
		if line != "" {
			w.pad(indent + 2)
			w.buf.WriteString(line)
		}
	}
}

// literal reports whether a block scalar can hold s as it stands.
func literal(s string) bool {
	if strings.HasSuffix(s, "\n\n") || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\n") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}

// plainWord knows most strings of manifests without asking a library: names, paths, flags and images that nothing can
// misread.
func plainWord(s string) bool {
	if !wordStart(s) || strings.ContainsFunc(s, func(r rune) bool { return !wordRune(r) }) {
		return false
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "---":
		return false
	}
	return true
}

// wordStart reports whether s begins as a name, a path or a flag does.
func wordStart(s string) bool {
	switch {
	case s == "":
		return false
	case s[0] == '-':
		return len(s) > 1 && (letter(s[1]) || s[1] == '-')
	default:
		return s[0] == '/' || letter(s[0])
	}
}

func wordRune(r rune) bool {
	return r < 128 && (letter(byte(r)) || r >= '0' && r <= '9' || strings.ContainsRune("-_./", r))
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// plain reports whether a long text needs no quotes: it begins like a word, and holds nothing that YAML could take for a
// key or a comment.
func plain(s string) bool {
	return letter(s[0]) && !strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ")
}

// compareKeys orders the keys of a mapping by their customary place; keys without one keep the alphabet's order, after those
// that stand first and before those that stand last.
func compareKeys(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) }

// rank is the place of a key among its siblings in manifests as the Kubernetes documentation writes them.
func rank(key string) int {
	if i, ok := customary[key]; ok {
		return i
	}
	return len(customary)
}

//nolint:gochecknoglobals // immutable, and asked for every key
var customary = places(
	"apiVersion", "kind", "metadata", "name", "namespace", "generateName", "labels", "annotations", "replicas",
	"minAvailable", "maxUnavailable", "maxSurge", "selector", "scaleTargetRef", "minReplicas", "maxReplicas", "type", "image",
	"command", "args", "exec", "httpGet", "tcpSocket", "grpc", "scheme", "host", "path", "port", "containerPort", "ports",
	"env", "initialDelaySeconds", "periodSeconds", "timeoutSeconds", "failureThreshold", "successThreshold", "restart_policy",
	"max_restarts_per_window", "window_seconds", "on_limit_exceeded", "min_healthy_fraction", "applies_to", "health_check",
	"startupProbe", "livenessProbe", "readinessProbe",
)

// places numbers keys; those that come after all others are added behind the ones without a place.
func places(keys ...string) map[string]int {
	m := map[string]int{}
	for i, key := range keys {
		m[key] = i
	}
	const last = 1000
	for _, key := range []string{"spec", "template", "containers", "status"} {
		m[key] = last
	}
	return m
}
