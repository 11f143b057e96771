package xmlscan

import (
	"strings"
	"unicode/utf8"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
	"\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// Escape makes text fit for an attribute value or character data.
func Escape(text string) string { return escaper.Replace(text) }

// Carries reports whether XML 1.0 can carry text.
func Carries(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if !validCharacter(r) {
			return false
		}
	}
	return true
}
