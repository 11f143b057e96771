package service

import (
	"strings"
	"unicode"
)

// How many bytes are told of a path, and of a name in a request.
const (
	pathTextMost = 500
	nameTextMost = 100
)

// pathText is what the log and answers tell of a path. A client that escapes
// the ? of its query, once or twice, or begins it with another sign, has its key
// in the path: what is told ends there.
func pathText(path string) string {
	if i := strings.IndexFunc(path, func(r rune) bool { return strings.ContainsRune("?&;=%", r) || unicode.IsControl(r) }); i >= 0 {
		path = path[:i]
	}
	return cutText(path, pathTextMost)
}

// nameText cuts what a request names.
func nameText(name string) string { return cutText(name, nameTextMost) }

func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
