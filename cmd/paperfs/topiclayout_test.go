package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLayout(t *testing.T) {
	page := "# Title\n\nA paragraph whose\nlines are filled.\n\n    as  it  is\n\n- An entry of a list\n  that goes on\n- another\n\n1. The first of all the steps\n2. The second\n\n" +
		"| name | what it says        |\n|------|---------------------|\n| `a`  | one two three four five |\n| `bc` |                     |\n\nEnd\n"
	require.Equal(t, `# Title

A paragraph whose lines
are filled.

    as  it  is

- An entry of a list
  that goes on
- another

1. The first of all the
   steps
2. The second

name  what it says
------------------------
`+"`a`"+`   one two three four
      five
`+"`bc`"+`

End
`, layOut(page, 24))
}

// TestLayoutKeepsTheWords checks that the layout keeps all words of each page, in lines that fit.
func TestLayoutKeepsTheWords(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^\|[-|]+\|$|^-+$`)
	words := func(text string) []string {
		all := strings.Fields(strings.ReplaceAll(lines.ReplaceAllString(text, ""), "|", " "))
		slices.Sort(all) // lines of neighboring cells alternate
		return all
	}
	for _, p := range allTopics() {
		for _, width := range []int{60, 80, 100} {
			text := layOut(topicText(p.name), width)
			assert.Equal(t, words(topicText(p.name)), words(text), p.name)
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				long := slices.ContainsFunc(strings.Fields(line), func(word string) bool { return len(word) > width/4 })
				assert.True(t, runewidth.StringWidth(line) <= width || long || strings.HasPrefix(line, "    "), "%s: %s", p.name, line)
			}
		}
	}
}
