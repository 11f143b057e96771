package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

// TestWarningsAreToldWithACompletedJob checks that a PDF with a damaged page is a paper, and that its page is named.
func TestWarningsAreToldWithACompletedJob(t *testing.T) {
	t.Parallel()
	s, _, one, _ := published(t)
	const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Check the price)>>]>>"
	status, reason := s.ended(s.queue(one, pdftest.Objects("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 2/Kids[4 0 R 3 0 R]>>", page, "null"), ""))
	require.Equal(t, remote.JobCompleted, status)
	require.Equal(t, "Page 1: it is blank, because the PDF has something else in its place. Page 2: the notes of reviewers (1) are not shown.", reason)
	require.Len(t, s.pages(one), 2)
}
