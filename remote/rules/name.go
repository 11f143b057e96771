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

// Fault is why a name or a query is not taken.
type Fault int

// The faults, in the order in which they are looked for.
const (
	None       Fault = iota
	NotUTF8          // bytes that are no text
	Control          // a control character, or one that XML 1.0 cannot carry
	Blank            // nothing, or blanks alone
	Reserved         // "." or ".."
	Separator        // a slash or a backslash
	BlankAtEnd       // a blank before or after, which the service cuts off
	TooLong
)

// NodeName judges the name of a category or paper.
func NodeName(name string) Fault {
	switch {
	case !utf8.ValidString(name):
		return NotUTF8
	case strings.ContainsFunc(name, control):
		return Control
	}
	return edges(name)
}

// MediaName judges the name of a file or directory of the media store.
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

// Query judges a query of a search. Blanks around it do not count.
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

// edges judges the blanks and the length of a name.
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

// control reports the characters that no name has.
func control(r rune) bool { return unicode.IsControl(r) || !xmlscan.CarriesRune(r) }

// SegmentWords says what a segment of an address may be.
const SegmentWords = "1 to 128 characters of A-Z a-z 0-9 - _ . ~ and not . or .."

// Segment reports whether text can be one segment of an address: SegmentWords.
func Segment(text string) bool {
	return text != "" && len(text) <= MaxSegment && text != "." && text != ".." && !strings.ContainsFunc(text, notInAddress)
}

func notInAddress(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.~", r)
}
