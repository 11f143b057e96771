package tree

import (
	"strings"
	"unicode/utf8"

	"paperfs/cache/content/refusal"
	"paperfs/remote/rules"
)

// LongestName is the maximum length of a name, in bytes, on Linux.
const LongestName = 255

// CheckName refuses names that the service would refuse or alter, or that local programs could
// not handle.
func CheckName(name string) error {
	reason := ""
	switch fault := rules.MediaName(name); {
	case name == "" || fault == rules.Reserved:
		reason = "is not a name"
	case fault == rules.NotUTF8:
		reason = "is not valid UTF-8"
	case fault == rules.Separator:
		reason = `contains "/" or "\"`
	case fault == rules.Control:
		reason = "contains a control character"
	case fault == rules.Blank, fault == rules.BlankAtEnd:
		reason = "begins or ends with a blank"
	case len(name) > LongestName:
		return &refusal.Error{Kind: refusal.TooLong, Name: name, Detail: "the name is longer than 255 bytes"}
	default:
		return nil
	}
	return &refusal.Error{Kind: refusal.Invalid, Name: name, Detail: "the name " + reason + ", which the service does not accept"}
}

// Fold maps names that differ only in case to the same string, because the service treats them
// as equal. A name of lower-case ASCII letters is mapped to itself.
func Fold(name string) string { return rules.Fold(name) }

// MountPath returns a path relative to the mount's root. A leading slash marks a path outside
// media/.
func MountPath(path string) string {
	if place, ok := strings.CutPrefix(path, "/"); ok {
		return place
	}
	if path == "" {
		return "media"
	}
	return "media/" + path
}

// Shorten returns the beginning of a name, at most room bytes of whole characters.
func Shorten(name string, room int) string {
	if room = max(room, 0); len(name) <= room {
		return name
	}
	for room > 0 && !utf8.RuneStart(name[room]) {
		room--
	}
	return name[:room]
}
