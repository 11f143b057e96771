package names

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"paperfs/remote"
)

// The three characters of the name mapping. A slash cannot be in a file name
// and a leading dot would hide the node, so both are shown as their full-width
// forms; a service's own full-width forms stand after the quote.
const (
	slash = '／' // U+FF0F
	dot   = '．' // U+FF0E
	quote = '‛' // U+201B

	// Suffix marks a paper's directory.
	Suffix = ".paper"
	// Max is the most bytes of a file name (NAME_MAX).
	Max = 255
)

// Encode shows a service's text as a file name.
func Encode(text string) string {
	if ordinary(text) || !strings.ContainsAny(text, "/．／‛") && !strings.HasPrefix(text, ".") {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '/':
			b.WriteRune(slash)
		case r == '.' && i == 0:
			b.WriteRune(dot)
		case r == slash || r == dot || r == quote:
			b.WriteRune(quote)
			b.WriteRune(r)
		default:
			b.WriteString(text[i : i+runeLen(text[i:])])
		}
	}
	return b.String()
}

// ordinary is a quick look that finds most texts to be their own file names,
// in both directions.
func ordinary(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == '/' || c == '.' && i == 0 {
			return false
		}
	}
	return true
}

// Decode reads a file name as a service's text. It undoes Encode; what Encode
// would not have written is read in the closest way, so that Encode(Decode(x))
// tells whether x is a name that Encode writes.
func Decode(name string) string {
	if ordinary(name) || !strings.ContainsAny(name, "．／‛") {
		return name
	}
	var b strings.Builder
	quoted := false
	for i, r := range name {
		switch {
		case quoted:
			b.WriteString(name[i : i+runeLen(name[i:])])
			quoted = false
		case r == quote:
			quoted = true
		case r == slash:
			b.WriteByte('/')
		case r == dot && i == 0:
			b.WriteByte('.')
		default:
			b.WriteString(name[i : i+runeLen(name[i:])])
		}
	}
	return b.String()
}

// runeLen is the bytes of the first rune of s, 1 for an invalid one: names
// keep their bytes.
func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// Show names siblings. The result depends on nothing but them: it is in their
// order, no two are equal, and each has at most 255 bytes.
func Show(siblings []remote.Node) []string {
	names := make([]string, len(siblings))
	count := make(map[string]int, len(siblings))
	for i, n := range siblings {
		names[i] = Plain(n)
		count[names[i]]++
	}
	for i, n := range siblings {
		names[i] = Disambiguate(n, names[i], count[names[i]] > 1)
	}
	return names
}

// Among is the name of a node whose plain name a sibling shares, or not.
func Disambiguate(n remote.Node, plain string, shared bool) string {
	if shared || needsID(n, plain) {
		return withID(n)
	}
	return plain
}

// Plain is the name of a node that no sibling and no rule disturbs.
func Plain(n remote.Node) string {
	if n.Kind == remote.PaperNode {
		return Encode(n.Name) + Suffix
	}
	return Encode(n.Name)
}

// needsID reports whether a node carries its id whatever its siblings are.
func needsID(n remote.Node, name string) bool {
	return len(name) > Max || endsLikeID(n.Name) ||
		n.Kind == remote.CategoryNode && strings.HasSuffix(n.Name, Suffix) ||
		name == "" || !utf8.ValidString(name)
}

// endsLikeID reports whether a name ends in ~ and digits.
func endsLikeID(name string) bool {
	i := strings.LastIndexByte(name, '~')
	if i < 0 || i == len(name)-1 {
		return false
	}
	return strings.Trim(name[i+1:], "0123456789") == ""
}

// withID is a node's name with ~ID, cut at a character so that it fits.
func withID(n remote.Node) string {
	end := "~" + strconv.FormatInt(n.ID, 10)
	if n.Kind == remote.PaperNode {
		end += Suffix
	}
	name := Encode(n.Name)
	if room := Max - len(end); len(name) > room {
		for room > 0 && !utf8.RuneStart(name[room]) {
			room--
		}
		name = name[:room]
	}
	return name + end
}
