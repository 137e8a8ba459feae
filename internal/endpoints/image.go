package endpoints

import (
	"fmt"
	"path"
	"strings"

	"golang.org/x/mod/semver"
)

// splitImage takes an image reference apart: the repository with its registry, and the tag. A digest says nothing here.
func splitImage(image string) (repo, tag string) {
	repo, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(repo, ':'); i > strings.LastIndexByte(repo, '/') {
		return repo[:i], repo[i+1:]
	}
	return repo, ""
}

// matchImage reports whether the repository ends in the pattern's path segments; "*" in a segment stands for any text in it.
// Registries and mirrors put segments in front.
func matchImage(pattern, repo string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(repo, "/")
	if len(want) > len(have) {
		return false
	}
	have = have[len(have)-len(want):]
	for i, segment := range want {
		if ok, err := path.Match(segment, have[i]); err != nil || !ok {
			return false
		}
	}
	return true
}

// weight orders patterns from vague to specific.
func weight(pattern string) int {
	w := 100*(1+strings.Count(pattern, "/")) + len(pattern)
	return w - 50*strings.Count(pattern, "*")
}

// inVersions reports whether the tag satisfies every constraint of a list such as ">=3.5.11 <4". A tag that is no version
// (latest, a branch) satisfies none, since what it holds is not known.
func inVersions(constraints, tag string) (bool, error) {
	if constraints == "" {
		return true, nil
	}
	have := canonical(tag)
	ok := have != ""
	for _, c := range strings.Fields(constraints) {
		op := strings.TrimRight(c, "0123456789.vV-+abcdefghijklmnopqrstuwxyz")
		want := canonical(strings.TrimPrefix(c, op))
		if want == "" {
			return false, fmt.Errorf("%q is no version", c)
		}
		holds, err := compare(op, semver.Compare(have, want))
		if err != nil {
			return false, err
		}
		ok = ok && holds
	}
	return ok, nil
}

func compare(op string, order int) (bool, error) {
	switch op {
	case "<":
		return order < 0, nil
	case "<=":
		return order <= 0, nil
	case ">":
		return order > 0, nil
	case ">=":
		return order >= 0, nil
	case "=", "":
		return order == 0, nil
	}
	return false, fmt.Errorf("unknown comparison %q", op)
}

// canonical turns a tag such as 17.0.1, v1.2 or 2.14.0-alpine into a semantic version; "" when it is none. What follows a dash
// names the base image far more often than a pre-release, so it is dropped.
func canonical(tag string) string {
	core, _, _ := strings.Cut(strings.TrimLeft(tag, "vV"), "-")
	core, _, _ = strings.Cut(core, "_")
	if strings.Count(core, ".") > 2 { // 2.4.0.1: compare the first three
		parts := strings.SplitN(core, ".", 4)
		core = strings.Join(parts[:3], ".")
	}
	return semver.Canonical("v" + core)
}
