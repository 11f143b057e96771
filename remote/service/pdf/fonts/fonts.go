// Package fonts has fonts for text whose font is not in the PDF. They have the widths of the fonts that
// nearly all such PDFs ask for, with letters of Latin, Greek and Cyrillic scripts; one has those of Chinese,
// Japanese and Korean. They are not packed, as a worker looks into all of them to choose one.
//
// The files are Arimo, Tinos and Cousine, reduced to these scripts, and Droid Sans Fallback, all without
// instructions for low resolutions. The names in the first three are those by which PDFs ask for them: Arial,
// Times New Roman and Courier New. Their terms, which reserve no name, are in LICENSE.
package fonts

import (
	"embed"
	"unicode"
)

// FS has the fonts where a machine has them.
//
//go:embed usr
var FS embed.FS

// License has the terms of the fonts.
//
//go:embed LICENSE
var License string

// Has reports whether a font has a letter, as far as that depends on its script.
func Has(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) || !unicode.IsLetter(r)
}
