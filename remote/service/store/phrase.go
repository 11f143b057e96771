package store

import "strings"

// Phrase gives text and queries the form in which they are compared: every run
// of white space is one blank, none at the ends, and case is folded (see Fold).
// A query matches where its phrase is a substring of the text's.
func Phrase(s string) string {
	return Fold(strings.Join(strings.Fields(s), " "))
}
