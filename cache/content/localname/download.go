package localname

import "strings"

// randomPart is the length of what Firefox adds to the name of a part: a dot, and eight letters
// and digits.
const randomPart = len(".Xa81Bc0d")

// IsPart reports whether part is the name of an unfinished download of name, for which the
// browser holds an empty file: Spring.pdf.part or, since Firefox 100, Spring.Xa81Bc0d.pdf.part.
func IsPart(part, name string) bool {
	part, ok := strings.CutSuffix(part, ".part")
	if !ok || part == name {
		return ok
	}
	for i := range len(part) - randomPart + 1 {
		if part[i] == '.' && part[:i]+part[i+randomPart:] == name {
			return true
		}
	}
	return false
}
