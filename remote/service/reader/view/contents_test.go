package view

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContentsAreListsInLists checks the nesting, also with skipped levels and with a first
// chapter that does not have the highest level.
func TestContentsAreListsInLists(t *testing.T) {
	for _, c := range []struct {
		levels []int
		want   string
	}{
		{[]int{0}, "<ol><li>0</li></ol>"},
		{[]int{0, 1, 1, 0}, "<ol><li>0<ol><li>1</li><li>2</li></ol></li><li>3</li></ol>"},
		{[]int{0, 1, 2, 0}, "<ol><li>0<ol><li>1<ol><li>2</li></ol></li></ol></li><li>3</li></ol>"},
		{[]int{2, 1, 4, 4}, "<ol><li>0</li><li>1<ol><li>2</li><li>3</li></ol></li></ol>"},
	} {
		p := Paper{}
		for i, level := range c.levels {
			p.Contents = append(p.Contents, Chapter{Level: level, Page: i})
		}
		require.Equal(t, c.want, chapterLink.ReplaceAllString(string(p.Tree()), "$1"), c.levels)
	}
}

var chapterLink = regexp.MustCompile(`<a href="" data-page="\d+"><bdi></bdi> <span>(\d+)</span></a>`)
