package service

import (
	"strings"
	"unicode"
)

// How many bytes of a path, and of a name in a request, the log and answers show.
const (
	pathTextMost = 500
	nameTextMost = 100
)

// pathText returns the part of a path that the log and answers show. If a client escapes
// the ? of its query, once or twice, or begins the query with another character, its key
// is in the path: the text ends before that character.
func pathText(path string) string {
	if i := strings.IndexFunc(path, func(r rune) bool { return strings.ContainsRune("?&;=%", r) || unicode.IsControl(r) }); i >= 0 {
		path = path[:i]
	}
	return cutText(path, pathTextMost)
}

// nameText returns the part of a name in a request that answers show.
func nameText(name string) string { return cutText(name, nameTextMost) }

func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
