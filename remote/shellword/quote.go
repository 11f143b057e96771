// Package shellword writes words into the commands that messages tell people to run,
// so that they can be pasted into a shell whatever a path holds.
package shellword

import "strings"

// Quote writes a word so that a shell takes it as one.
func Quote(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+,:@%=", r) || r > 127)
	}) || word == "" {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
