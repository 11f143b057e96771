package store

import (
	"strings"

	"paperfs/remote/rules"
)

// Phrase normalizes texts and queries for comparison: every run of white space becomes one space,
// leading and trailing white space is removed, and case is folded (see rules.Fold). A query
// matches if its phrase is a substring of the text's phrase.
func Phrase(s string) string {
	return rules.Fold(strings.Join(strings.Fields(s), " "))
}
