package loader

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// resolved is the type and value that a plain scalar has for Kubernetes.
type resolved struct {
	typ   NodeType
	value any // nil, bool, int64, uint64, float64 or string
}

// resolvePlain gives a plain scalar the meaning that sigs.k8s.io/yaml, and so kubectl, gives it: YAML 1.1 with
// yes/no/on/off/y/n as booleans, 0755 and 0o755 as octal, underscores in numbers, and dates as strings.
func resolvePlain(text string) resolved {
	if text == "" {
		return resolved{typ: Null}
	}
	switch c := text[0]; {
	case strings.IndexByte("yYnNtTfFoO~.+-", c) >= 0:
		if r, ok := resolveWord(text); ok {
			return r
		}
		switch c {
		case '.':
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				return resolved{Float, f}
			}
		case '+', '-':
			return resolveNumber(text)
		}
	case c >= '0' && c <= '9':
		return resolveNumber(text)
	}
	return resolved{String, text}
}

func resolveNumber(text string) resolved {
	if isTimestamp(text) {
		return resolved{String, text}
	}
	plain := text
	if strings.IndexByte(text, '_') >= 0 {
		plain = strings.ReplaceAll(text, "_", "")
	}
	if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return resolved{Int, n}
	}
	if n, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return resolved{Int, n}
	}
	if isYAMLFloat(plain) {
		if f, err := strconv.ParseFloat(plain, 64); err == nil {
			return resolved{Float, f}
		}
	}
	return resolved{String, text}
}

// isYAMLFloat reports whether s is a decimal float of YAML 1.1: [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
func isYAMLFloat(s string) bool {
	s = trimSign(s)
	whole := digits(s)
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := digits(s[1:])
		if whole == 0 && n == 0 {
			return false
		}
		s = s[1+n:]
	} else if whole == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = trimSign(s[1:])
	return s != "" && digits(s) == len(s)
}

func trimSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// isTimestamp reports whether s is a date or time of YAML 1.1, which Kubernetes reads as a string.
func isTimestamp(s string) bool {
	if len(s) < 8 || digits(s) != 4 || s[4] != '-' {
		return false
	}
	for _, layout := range [...]string{
		"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2",
	} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// resolveWord looks text up among the words that YAML 1.1 gives a meaning.
func resolveWord(text string) (resolved, bool) {
	if len(text) > 5 {
		return resolved{}, false
	}
	switch text {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return resolved{Bool, true}, true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return resolved{Bool, false}, true
	case "~", "null", "Null", "NULL":
		return resolved{typ: Null}, true
	case ".nan", ".NaN", ".NAN":
		return resolved{Float, math.NaN()}, true
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return resolved{Float, math.Inf(1)}, true
	case "-.inf", "-.Inf", "-.INF":
		return resolved{Float, math.Inf(-1)}, true
	}
	return resolved{}, false
}

// plainText is the text of a non-string scalar used as a mapping key or asked for as text: its JSON form.
func (r resolved) plainText() string {
	switch v := r.value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return floatText(v)
	case string:
		return v
	}
	return "null"
}

// floatText writes a float as sigs.k8s.io/yaml does when it makes a string of it.
func floatText(f float64) string {
	switch s := strconv.FormatFloat(f, 'g', -1, 32); s {
	case "+Inf":
		return ".inf"
	case "-Inf":
		return "-.inf"
	case "NaN":
		return ".nan"
	default:
		return s
	}
}
