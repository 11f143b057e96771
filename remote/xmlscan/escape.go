package xmlscan

import (
	"strings"
	"unicode/utf8"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
	"\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// Escape escapes text for an attribute value or character data.
func Escape(text string) string { return escaper.Replace(text) }

// Carries reports whether XML 1.0 can carry text.
func Carries(text string) bool {
	for i, r := range text {
		if !CarriesRune(r) {
			return false
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return false
			}
		}
	}
	return true
}

// CarriesRune reports whether XML 1.0 can carry a character.
func CarriesRune(r rune) bool {
	return r >= ' ' && r != 0xfffe && r != 0xffff || r == '\t' || r == '\n' || r == '\r'
}
