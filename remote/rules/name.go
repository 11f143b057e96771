package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/xmlscan"
)

// Bounds of names and queries (contract, 3).
const (
	MaxName    = 255 // characters of the name of a node, a file or a directory
	MaxSegment = 128 // bytes of one segment of an address
	MaxQuery   = 128 // characters of a query, without the blanks around it
)

// Fault is the reason why a name or a query is refused.
type Fault int

// The faults, in the order of the checks.
const (
	None       Fault = iota
	NotUTF8          // invalid UTF-8
	Control          // a control character, or one that XML 1.0 cannot carry
	Blank            // empty, or only blanks
	Reserved         // "." or ".."
	Separator        // a slash or a backslash
	BlankAtEnd       // a blank at an end, which the service would cut off
	TooLong
)

// NodeName checks the name of a category or paper.
func NodeName(name string) Fault {
	switch {
	case !utf8.ValidString(name):
		return NotUTF8
	case strings.ContainsFunc(name, control):
		return Control
	}
	return edges(name)
}

// MediaName checks the name of a file or directory of the media store.
func MediaName(name string) Fault {
	switch {
	case !utf8.ValidString(name):
		return NotUTF8
	case strings.ContainsFunc(name, control):
		return Control
	case name == "." || name == "..":
		return Reserved
	case strings.ContainsAny(name, `/\`):
		return Separator
	}
	return edges(name)
}

// Query checks the query of a search, without the blanks around it.
func Query(text string) Fault {
	inner := strings.TrimSpace(text)
	switch {
	case !utf8.ValidString(text):
		return NotUTF8
	case !xmlscan.Carries(text):
		return Control
	case inner == "":
		return Blank
	case utf8.RuneCountInString(inner) > MaxQuery:
		return TooLong
	}
	return None
}

// edges checks the blanks and the length of a name.
func edges(name string) Fault {
	switch inner := strings.TrimSpace(name); {
	case inner == "":
		return Blank
	case inner != name:
		return BlankAtEnd
	case utf8.RuneCountInString(name) > MaxName:
		return TooLong
	}
	return None
}

// control reports whether a name cannot have a character.
func control(r rune) bool { return unicode.IsControl(r) || !xmlscan.CarriesRune(r) }

// SegmentWords describes a segment of an address, for messages.
const SegmentWords = "1 to 128 characters of A-Z a-z 0-9 - _ . ~ and not . or .."

// Segment reports whether text can be one segment of an address; see SegmentWords.
func Segment(text string) bool {
	return text != "" && len(text) <= MaxSegment && text != "." && text != ".." && !strings.ContainsFunc(text, notInAddress)
}

// ReservedAddress reports whether an address begins with a name that the service serves
// something else under, in any case. It cannot be that of a paper or a category.
func ReservedAddress(address string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	switch strings.ToLower(first) {
	case "v2", "media", "reader", "manage":
		return true
	}
	return false
}

func notInAddress(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.~", r)
}
