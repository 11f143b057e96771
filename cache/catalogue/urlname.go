package catalogue

import (
	"context"
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
// slug of the name in a language that no known node uses.
func segmentFor(s *Snapshot, parent, name, language string) string {
	first := slugOf(name, language)
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

// spelling returns the language in which a name in a category is spelled: German spells ä in its own way, and all else is spelled as
// in English. It asks for the category's language only then.
func (c *Catalogue) spelling(ctx context.Context, category int64, name string) string {
	if c.o.Language == nil || slug.MakeLang(name, german) == slug.MakeLang(name, english) {
		return english
	}
	if tag, _, _ := strings.Cut(c.o.Language(ctx, category), "-"); strings.EqualFold(tag, german) {
		return german
	}
	return english
}

const english, german = "en", "de"

func slugOf(name, language string) string {
	segment := strings.Trim(slug.MakeLang(name, language), "-_")
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
