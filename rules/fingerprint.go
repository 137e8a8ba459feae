package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// fingerprint names every finding of an ordered list by what it is about, not by where it stands, so that lines may move:
// rule, file, object, container and path. Findings that agree in all of these are told apart by their order.
func fingerprint(found []Finding) {
	count := make(map[string]int, len(found))
	for i := range found {
		f := &found[i]
		parts := []string{f.Rule, f.File.Name, "", "", "", "", f.Container, f.Path.String()}
		if o := f.Object; o != nil {
			copy(parts[2:], []string{o.APIVersion, o.Kind, o.Namespace, o.Name})
		} else {
			parts[2] = f.Message // two problems of one file have nothing else to be told apart by
		}
		key := strings.Join(parts, "\x00")
		count[key]++
		if n := count[key]; n > 1 {
			key += fmt.Sprintf("\x00%d", n)
		}
		sum := sha256.Sum256([]byte(key))
		f.Fingerprint = hex.EncodeToString(sum[:16])
	}
}
