package config

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the one of words that was probably meant by word; "" when none is near enough to be worth naming.
func Nearest(word string, words []string) string {
	lower := strings.ToLower(word)
	best, least := "", max(2, len(word)/4)+1
	for _, w := range words {
		candidate := strings.ToLower(w)
		d := levenshtein.ComputeDistance(lower, candidate)
		if d >= len(w) {
			continue
		}
		// A name cut short or one part of it is a likelier slip than the number of missing letters says.
		if len(word) >= 4 && strings.Contains(candidate, lower) {
			d = min(d, 2)
		}
		if d < least {
			best, least = w, d
		}
	}
	return best
}

// didYouMean is the end of a sentence that names the nearest of words, or nothing.
func didYouMean(word string, words []string) string {
	if near := Nearest(word, words); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
