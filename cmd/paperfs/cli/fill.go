package cli

import (
	"strings"
)

// fill breaks the paragraphs of a text into lines of at most width columns. Indented lines stay as
// they are.
func fill(text string, width int) string {
	var lines, paragraph []string
	end := func() {
		lines = append(lines, Wrap(strings.Join(paragraph, " "), width)...)
		paragraph = nil
	}
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, " ") {
			end()
			lines = append(lines, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return strings.Join(lines, "\n")
}
