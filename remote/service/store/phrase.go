package store

import (
	"strings"

	"paperfs/remote/rules"
)

// Phrase returns text and queries in the form in which they are compared: every run
// of white space is one blank, none at the ends, and case is folded (see rules.Fold).
// A query matches where its phrase is a substring of the text's.
func Phrase(s string) string {
	return rules.Fold(strings.Join(strings.Fields(s), " "))
}
