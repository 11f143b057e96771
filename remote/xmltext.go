package remote

import (
	"strings"
	"unicode/utf8"
)

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
	"\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// xmlEscaped makes text fit for an attribute value or character data.
func xmlEscaped(text string) string { return xmlEscaper.Replace(text) }

// xmlCarries reports whether XML 1.0 can carry text.
func xmlCarries(text string) bool {
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
