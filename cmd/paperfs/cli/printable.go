package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text from elsewhere, such as a name, in a form that is safe to print. It
// shows characters that would control the terminal, end the line, or change the writing
// direction as their number, \x1b or \u202e.
func Printable(text string) string { return escaped(text, "") }

// PrintableLines is Printable for text whose line ends are paperfs's own.
func PrintableLines(text string) string { return escaped(text, "\n") }

// PrintableError returns an error's message, which may contain names from args. The message
// may have several lines, but a name in it stays on one.
func PrintableError(err error, args []string) string {
	text := err.Error()
	for _, arg := range args {
		for name := range strings.SplitSeq(arg, "/") {
			if strings.Contains(name, "\n") {
				text = strings.ReplaceAll(text, name, Printable(name))
			}
		}
	}
	return PrintableLines(text)
}

func escaped(text, allowed string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && text[i] != "\uFFFD"[0]:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case strings.ContainsRune(allowed, r) || !steers(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// steers reports whether a character does more than display: a control character, a line
// separator, or one that changes the writing direction.
func steers(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// WriteJSON writes JSON with such characters as escapes, which mean the same to a
// program.
func WriteJSON(w io.Writer, text []byte) error {
	var b strings.Builder
	for _, r := range string(text) {
		if r >= 0x7f && steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
