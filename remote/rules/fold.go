package rules

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold maps strings that differ only in case (Unicode simple folding, as
// strings.EqualFold) to the same form, for unique indexes and for sorting.
func Fold(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.Map(foldRune, s)
		}
	}
	return s
}

// foldRune returns the least rune that differs from r only in case; for an ASCII letter
// the lower-case one, so that names sort as people expect.
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

// Same reports whether the service treats two names or addresses as the same.
func Same(a, b string) bool { return strings.EqualFold(a, b) }

// CutPrefix is strings.CutPrefix without regard to case, for addresses.
func CutPrefix(s, prefix string) (rest string, found bool) {
	if len(s) < len(prefix) || !Same(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// CompareFolded orders as cmp.Compare(Fold(a), Fold(b)) does, rune by rune.
func CompareFolded(a, b string) int {
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
