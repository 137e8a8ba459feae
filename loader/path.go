package loader

import (
	"strconv"
	"strings"
)

// Path leads from an object's root to a value: mapping keys are strings, sequence indexes are ints.
type Path []any

// Child returns p with steps appended; p itself is never changed.
func (p Path) Child(steps ...any) Path {
	out := make(Path, 0, len(p)+len(steps))
	return append(append(out, p...), steps...)
}

// String renders p as a JSON pointer (RFC 6901); the empty path is "".
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		b.WriteByte('/')
		switch s := step.(type) {
		case string:
			b.WriteString(pointerEscaper.Replace(s))
		case int:
			b.WriteString(strconv.Itoa(s))
		}
	}
	return b.String()
}

//nolint:gochecknoglobals // immutable, and costs an allocation per call otherwise
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
