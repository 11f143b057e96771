package cli

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// Wrap breaks the words of a text into lines of at most width columns. A word that is longer has a
// line of its own.
func Wrap(text string, width int) (lines []string) {
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := runewidth.StringWidth(word)
		if len(lines) == 0 || column+1+n > width {
			lines, column = append(lines, word), n
			continue
		}
		lines[len(lines)-1] += " " + word
		column += 1 + n
	}
	return lines
}
