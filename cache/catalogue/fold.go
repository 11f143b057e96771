package catalogue

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps strings that are equal but for case (strings.EqualFold) to the
// same string.
func fold(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.Map(foldRune, s)
		}
	}
	return s
}

// foldRune is the least rune of those that differ from r in case alone, in
// lower case where that is an ASCII letter.
func foldRune(r rune) rune {
	least := r
	if r >= utf8.RuneSelf {
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}

// compareFolded orders as cmp.Compare(fold(a), fold(b)) does, rune by rune.
func compareFolded(a, b string) int {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		q, m := utf8.DecodeRuneInString(b)
		if c := cmp.Compare(foldRune(r), foldRune(q)); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Compare(len(a), len(b))
}
