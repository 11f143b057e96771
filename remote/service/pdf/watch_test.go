package pdf

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestOnlyAWorkersOwnTimeCounts checks that the limit of a page does not pass while a
// worker waits: for a processor of a busy machine, or for a sink that has given the place
// to another PDF.
func TestOnlyAWorkersOwnTimeCounts(t *testing.T) {
	t.Parallel()
	f := testrun.Must(os.Open(write(t, pdftest.Text("one", "two", "three"))))(t)
	defer f.Close()
	const limit = 2 * time.Second
	r := &result{begin: func() error {
		time.Sleep(limit + limit/10) // is the matter of this test
		return nil
	}}
	require.NoError(t, processor(Limits{Page: limit}).Process(t.Context(), Job{}, f, r))
	require.Len(t, r.pages, 3)
}
