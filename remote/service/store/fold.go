package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold gives strings that differ only in case (Unicode simple folding, as
// strings.EqualFold) the same form, for unique indexes and for sorting.
func Fold(s string) string {
	return strings.Map(foldRune, s)
}

// foldRune picks one rune for all that fold into each other: the smallest,
// ASCII letters in lower case so that names sort as people expect.
func foldRune(r rune) rune {
	least := r
	if r >= utf8.RuneSelf {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}
