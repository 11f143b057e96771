package catalogue

import (
	"crypto/rand"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gosimple/slug"

	"paperfs/remote/rules"
)

func checkName(name string) error {
	switch rules.NodeName(name) {
	case rules.None:
		return nil
	case rules.NotUTF8:
		return invalid("the name %q is not valid UTF-8", name)
	case rules.Control:
		return invalid("the name %q contains a control character", name)
	case rules.Blank:
		return invalid("a name must not be blank")
	case rules.TooLong:
		return invalid("the name has %d characters, and the service allows %d", utf8.RuneCountInString(name), rules.MaxName)
	}
	return invalid("the service would trim the white space around %q", name)
}

func checkSegment(segment string) error {
	if !rules.Segment(segment) {
		return invalid("%q cannot be in an address: the service allows %s", segment, rules.SegmentWords)
	}
	return nil
}

// segmentFor returns the last segment of a new node's address below the address parent: a
// slug of the name that no known node uses.
func segmentFor(s *Snapshot, parent, name string) string {
	first := slugOf(name)
	segment := first
	for n := 2; ; n++ {
		at := parent + segment + "/"
		if _, taken := s.ByURL(at); !taken && !rules.ReservedAddress(at) {
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
	if len(segment) > rules.MaxSegment {
		segment = strings.TrimRight(segment[:rules.MaxSegment], "-_")
	}
	if checkSegment(segment) != nil {
		return "p-" + random()
	}
	return segment
}

func withSuffix(segment, suffix string) string {
	room := rules.MaxSegment - len(suffix) - 1
	if len(segment) > room {
		segment = strings.TrimRight(segment[:room], "-_")
	}
	return segment + "-" + suffix
}

func random() string { return strings.ToLower(rand.Text()[:8]) }
