package pdf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestWordsLieWhereTheyAreShown checks that words are located by their own letters, whose widths differ.
func TestWordsLieWhereTheyAreShown(t *testing.T) {
	t.Parallel()
	r := testrun.Must(process(t, processor(Limits{}), write(t, pdftest.Text("iiiiiiiiii WWWWWWWWWW, i\nsingle")), Job{}))(t)
	line := r.pages[0].Lines[0]
	require.Len(t, line.Words, 6)
	narrow, wide := line.Words[1]-line.Words[0], line.Words[3]-line.Words[2]
	require.Greater(t, wide, 3.5*narrow)
	require.InDelta(t, line.X, line.Words[0], .005)
	require.InDelta(t, line.X+line.Width, line.Words[5], .005)
	require.Len(t, r.pages[0].Lines[1].Words, 2)
}
