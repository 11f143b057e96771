// Package shellword quotes words in the commands that messages suggest, so that people can
// paste them into a shell, whatever a path contains.
package shellword

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote quotes a word so that a shell reads it as one word. It writes characters that a
// terminal would not show as their bytes, in the form $'…' of bash, zsh, ksh and POSIX
// since 2024.
func Quote(word string) string {
	switch {
	case !utf8.ValidString(word) || strings.ContainsFunc(word, hidden):
		return bytesQuoted(word)
	case word == "" || strings.ContainsFunc(word, special):
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// hidden reports whether a terminal does anything but show a character.
func hidden(r rune) bool { return !unicode.IsPrint(r) }

// special reports whether a character may mean something to a shell.
func special(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+,:@%=", r) || r > 127)
}

func bytesQuoted(word string) string {
	var b strings.Builder
	for len(word) > 0 {
		r, size := utf8.DecodeRuneInString(word)
		switch {
		case hidden(r) || r == utf8.RuneError && size == 1:
			for _, c := range []byte(word[:size]) {
				fmt.Fprintf(&b, `\%03o`, c) // not \x, after which some shells read any number of digits
			}
		case r == '\'' || r == '\\':
			b.WriteString(`\` + word[:size])
		default:
			b.WriteString(word[:size])
		}
		word = word[size:]
	}
	return "$'" + b.String() + "'"
}
