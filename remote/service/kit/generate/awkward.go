package generate

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the maximum number of characters in a name (contract, section 3).
const maxName = 255

// awkwardName makes half of the names hard to show: as file names, next to their siblings, or in
// a terminal.
func awkwardName(r *rand.Rand, name string, before sibling) string {
	if r.IntN(2) == 0 {
		return name
	}
	if before.name != "" && r.IntN(3) == 0 {
		return clash(r, before)
	}
	switch r.IntN(6) {
	case 0:
		return pick(r, ours)
	case 1:
		return long(r, name)
	case 2:
		return name + pick(r, endings)
	default:
		return pick(r, odd) + " " + name
	}
}

// clash returns a name that equals its sibling's, or looks like it.
func clash(r *rand.Rand, before sibling) string {
	id := strconv.FormatInt(before.id, 10)
	made := before.name
	switch r.IntN(5) {
	case 0:
		made = swapCase(before.name)
	case 1: // as the sibling is shown if its name is not unique
		made = before.name + "~" + id
	case 2:
		made = before.name + "~" + id + ".paper"
	case 3: // decomposed next to composed
		made = strings.NewReplacer("é", "e\u0301", "ü", "u\u0308").Replace(before.name)
	}
	if utf8.RuneCountInString(made) > maxName {
		return before.name
	}
	return made
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// ours are names that a mount itself uses, and names of directories.
var ours = []string{
	"url", "id", "publication", "preview", "structure.xml", "structure-text.xml", "links.xml", "settings", "fields", "orders", "pages",
	"source.pdf", "job", ".search", ".category", ".paperfs", "README.txt", "papers", "media", "by-id", "by-url", ".", "..", "/", "~", "~1", ".paper", "-rf", "*",
}

var endings = []string{"~12", "~0", "~", "~12.paper", ".paper", ".paper.paper", ".Paper", "．", "／", "‛", ".swp", "%2F"}

var odd = []string{
	"a/b", "／", "‛／", "‛‛", ".hidden", "．hidden", "‛．", "é", "e\u0301", "ü", "u\u0308", "ß", "ẞ", "İ", "ı", "Å", "\u212b", "ﬁ",
	"👩\u200d👩\u200d👧\u200d👦", "🇩🇰", "✂\ufe0f", "שלום", "مرحبا", "\u202eright to left\u202c", "日本語", "संस्कृतम्", "ไทย", "Z\u0351\u036b\u0343algo",
	"a\u00a0b", "two  blanks", `back\slash`, `"quoted"`, "it's", "$(reboot)", "`id`", "a;b", "a|b", "<b>&amp;</b>", "]]>", "%s%n", "#", "!", "NUL", "CON",
}

// scripts are letters of one to four bytes.
var scripts = []string{"x", "ж", "ü", "日", "ก", "👍", "e\u0301"}

// long returns a name of exactly 255 bytes, with or without ".paper", or one that just fits into
// 255 characters.
func long(r *rand.Rand, name string) string {
	letter := pick(r, scripts)
	if r.IntN(3) == 0 {
		return name + strings.Repeat(letter, (maxName-utf8.RuneCountInString(name))/utf8.RuneCountInString(letter))
	}
	bytes := 255
	if r.IntN(2) == 0 {
		bytes -= len(".paper")
	}
	made := name + strings.Repeat(letter, (bytes-len(name))/len(letter))
	return made + strings.Repeat("y", bytes-len(made))
}
