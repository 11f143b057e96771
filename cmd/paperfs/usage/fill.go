package usage

import (
	"strings"
	"unicode/utf8"
)

// fill breaks the paragraphs of a text into lines of at most width columns. Indented lines stay as
// they are.
func fill(text string, width int) string {
	var lines []string
	column := 0 // of the last line; 0: the next word begins a line
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, " ") || strings.TrimSpace(line) == "" {
			lines, column = append(lines, line), 0
			continue
		}
		for word := range strings.FieldsSeq(line) {
			n := utf8.RuneCountInString(word)
			if column == 0 || column+1+n > width {
				lines, column = append(lines, word), n
				continue
			}
			lines[len(lines)-1] += " " + word
			column += 1 + n
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
