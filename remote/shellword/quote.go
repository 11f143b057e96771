// Package shellword writes words into the commands that messages tell people to run,
// so that they can be pasted into a shell whatever a path holds.
package shellword

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote writes a word so that a shell takes it as one. What a terminal would not show
// is written as its bytes, in the form $'…', which bash, zsh, ksh and POSIX since 2024 know.
func Quote(word string) string {
	switch {
	case !utf8.ValidString(word) || strings.ContainsFunc(word, hidden):
		return bytesQuoted(word)
	case word == "" || strings.ContainsFunc(word, special):
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// hidden reports whether a terminal does something else with a character than showing it.
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
				fmt.Fprintf(&b, `\%03o`, c) // not \x: some shells take any number of digits behind that
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
