package pdf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestWordsLieWhereTheyAreShown checks that words are located by their own letters, whose widths differ.
func TestWordsLieWhereTheyAreShown(t *testing.T) {
	t.Parallel()
	r, err := process(t, processor(Limits{}), write(t, pdftest.Text("iiiiiiiiii WWWWWWWWWW, i\nsingle")), Job{})
	require.NoError(t, err)
	line := r.pages[0].Lines[0]
	require.Len(t, line.Words, 6)
	narrow, wide := line.Words[1]-line.Words[0], line.Words[3]-line.Words[2]
	require.Greater(t, wide, 3.5*narrow)
	require.InDelta(t, line.X, line.Words[0], .005)
	require.InDelta(t, line.X+line.Width, line.Words[5], .005)
	require.Len(t, r.pages[0].Lines[1].Words, 2)
}

// TestPlacesOfManyWords checks the bound of located words per page, also if words are outside the
// page, where they have no position.
func TestPlacesOfManyWords(t *testing.T) {
	t.Parallel()
	beside := strings.Repeat("word ", 250) + "\n"
	for lines, known := range map[int]bool{19: true, 21: false} {
		r, err := process(t, processor(Limits{}), write(t, pdftest.Text(strings.Repeat(beside, lines)+"the end")), Job{})
		require.NoError(t, err)
		all := r.pages[0].Lines
		require.Len(t, all, lines+1)
		require.Empty(t, all[0].Words)
		require.Equal(t, "the end", all[lines].Text)
		require.Equal(t, known, len(all[lines].Words) == 4, "after %d lines", lines)
	}
}
