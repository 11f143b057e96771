package store

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"paperfs/remote/rules"
)

// Phrase normalizes texts and queries for comparison, so that what people type finds what they mean: composed and
// decomposed letters, wide ones and ligatures are the same, and so are all hyphens and dashes, all apostrophes, and all
// quotation marks; what is invisible is not there, such as soft hyphens, with the line end that one divides a word at.
// Every run of white space becomes one space, leading and trailing white space is removed, and case is folded (see
// rules.Fold). A query matches if its phrase is a substring of the text's phrase. The reader's search.js does the same.
// What it returns is stored: another rule needs a migration.
func Phrase(s string) string {
	s = divided().ReplaceAllString(s, "")
	for range 2 { // the forms of some characters have others in them
		s = rules.Fold(norm.NFKC.String(strings.Map(typed, s)))
		s = strings.ReplaceAll(s, "\u0345", "ι") // Fold's least form of iota would join the letter before it
	}
	return strings.Join(strings.Fields(s), " ")
}

var divided = rules.Pattern(`\x{ad}\s*`)

// typed returns what people type for a character; a negative number for nothing.
func typed(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
	case unicode.Is(unicode.Pd, r), r == '−':
		return '-'
	case strings.ContainsRune("‘’‛ʼ′´\u1ffd", r):
		return '\''
	case strings.ContainsRune("“”„‟″", r):
		return '"'
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return -1
	}
	return r
}
