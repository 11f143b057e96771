package localname

import "strings"

// randomPart is how much longer the name of Firefox's part is: a dot, and eight letters and digits.
const randomPart = len(".Xa81Bc0d")

// IsPart reports whether a name is that of a download on the way to another, which the browser holds
// with an empty file: Spring.pdf.part or, of Firefox 100 and later, Spring.Xa81Bc0d.pdf.part.
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
