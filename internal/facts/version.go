package facts

import (
	"fmt"
	"strconv"
	"strings"
)

// newestMinor is the newest minor version of Kubernetes whose behaviour the rules know.
const newestMinor = 37

// Version is a version of Kubernetes, 1.Minor.
type Version struct {
	Minor int `json:"minor"`
	// Assumed: nobody said which version it is, so it is the newest one known.
	Assumed bool `json:"assumed" jsonschema:"description=nobody named a version"`
}

// ParseVersion reads 1.36, v1.36.2 or 1.36.2-gke.100. Empty text means the newest version known.
func ParseVersion(text string) (Version, error) {
	if text == "" {
		return Version{Minor: newestMinor, Assumed: true}, nil
	}
	major, rest, dotted := strings.Cut(strings.TrimPrefix(text, "v"), ".")
	minor, _, _ := strings.Cut(strings.TrimSuffix(rest, "+"), ".")
	n, err := strconv.Atoi(minor)
	if err != nil || !dotted || major != "1" || n < 0 {
		return Version{}, fmt.Errorf("%q: want a version of Kubernetes such as 1.%d", text, newestMinor)
	}
	return Version{Minor: n}, nil
}

// version is the one that opt names; a caller that takes text from people parses it first.
func (opt Options) version() Version {
	v, err := ParseVersion(opt.KubeVersion)
	if err != nil {
		v, _ = ParseVersion("")
	}
	return v
}
