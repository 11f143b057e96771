package catalogue

import (
	"crypto/rand"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosimple/slug"
)

// The service's rules for names and for segments of addresses (contract, 3).
const (
	maxName    = 255
	maxSegment = 128
)

func checkName(name string) error {
	switch {
	case !utf8.ValidString(name):
		return invalid("the name %q is not valid UTF-8", name)
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == '\ufffe' || r == '\uffff' }):
		return invalid("the name %q holds a control character", name)
	case strings.TrimSpace(name) == "":
		return invalid("a name must not be blank")
	case strings.TrimSpace(name) != name:
		return invalid("the service would cut the blanks off %q", name)
	case utf8.RuneCountInString(name) > maxName:
		return invalid("the name has %d characters, and the service takes %d", utf8.RuneCountInString(name), maxName)
	}
	return nil
}

func checkSegment(segment string) error {
	if segment == "" || len(segment) > maxSegment || segment == "." || segment == ".." || strings.ContainsFunc(segment, forbidden) {
		return invalid("%q cannot be in an address: the service takes 1 to %d of A-Z a-z 0-9 - _ . ~", segment, maxSegment)
	}
	return nil
}

func forbidden(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.~", r)
}

// segmentFor is a segment for the address of a new node below the address
// parent: a slug of the name that no known node has.
func segmentFor(s *Snapshot, parent, name string) string {
	first := slugOf(name)
	segment := first
	for n := 2; ; n++ {
		if _, taken := s.ByURL(parent + segment + "/"); !taken {
			return segment
		}
		if n > 100 {
			segment = withSuffix(first, random())
		} else {
			segment = withSuffix(first, strconv.Itoa(n))
		}
	}
}

func slugOf(name string) string {
	segment := strings.Trim(slug.Make(name), "-_")
	if len(segment) > maxSegment {
		segment = strings.TrimRight(segment[:maxSegment], "-_")
	}
	if checkSegment(segment) != nil {
		return "p-" + random()
	}
	return segment
}

func withSuffix(segment, suffix string) string {
	room := maxSegment - len(suffix) - 1
	if len(segment) > room {
		segment = strings.TrimRight(segment[:room], "-_")
	}
	return segment + "-" + suffix
}

func random() string { return strings.ToLower(rand.Text()[:8]) }
