package names

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"paperfs/remote"
)

// The three special characters of the name mapping. A file name cannot contain a slash,
// and a leading dot would hide the node, so both are shown in their full-width forms.
// Full-width forms in a service's own text are preceded by quote.
const (
	slash = '／' // U+FF0F
	dot   = '．' // U+FF0E
	quote = '‛' // U+201B

	// Suffix marks a paper's directory.
	Suffix = ".paper"
	// Max is the maximum length of a file name in bytes (NAME_MAX).
	Max = 255
)

// Encode returns a service's text as a file name.
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

// ordinary is a quick check for text that is its own file name, in both directions. Most
// texts are.
func ordinary(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == '/' || c == '.' && i == 0 {
			return false
		}
	}
	return true
}

// Decode returns a file name as a service's text. It reverses Encode. It accepts a name
// that Encode never returns and reads it as closely as possible, so Encode(Decode(x)) == x
// tells whether Encode can return x.
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

// runeLen returns the length in bytes of the first rune of s, or 1 if it is invalid: names
// keep their bytes.
func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// Show returns the names of siblings, in their order. The result depends on nothing else,
// no two names are equal, and each has at most 255 bytes.
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

// Disambiguate returns the name of a node; shared says whether a sibling has the same
// plain name.
func Disambiguate(n remote.Node, plain string, shared bool) string {
	if shared || needsID(n, plain) {
		return withID(n)
	}
	return plain
}

// Plain returns the name of a node before siblings and special rules are considered.
func Plain(n remote.Node) string {
	if n.Kind == remote.PaperNode {
		return Encode(n.Name) + Suffix
	}
	return Encode(n.Name)
}

// needsID reports whether a node's name contains its id regardless of its siblings.
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

// withID returns a node's name with ~ID, cut at a character boundary to fit.
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
