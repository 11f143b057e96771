package media

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
	"paperfs/remote"
)

// queuePDF queues the PDF of a paper, as its close does with --write-back.
func queuePDF(s *Store, content string) (*Draft, error) {
	d := s.NewDraft(7, 0, pdfPath)
	if _, err := d.WriteAt([]byte(content), 0); err != nil {
		return d, err
	}
	return d, queueAgain(d)
}

func queueAgain(d *Draft) error {
	return d.Queue(Queuing{Check: func(remote.Content) error { return nil }})
}

const pdfPath = "/papers/a.paper/source.pdf"

// TestAQueuedPDFIsDurable checks that a close with --write-back returns once its PDF is synced, and
// after that its row.
func TestAQueuedPDFIsDurable(t *testing.T) {
	f := makeFixture(t, t.TempDir(), writingBack)
	noted := f.syncing(t) // closed after the store
	t.Cleanup(f.close)
	mark := len(noted.since(0))
	_, err := queuePDF(f.store, "%PDF of one")
	require.NoError(t, err)
	seen := noted.since(mark)
	require.Contains(t, seen, content)
	seen = seen[slices.Index(seen, content):]
	require.Contains(t, seen, rows, "the row that queues it comes after the content")
	require.Contains(t, seen[slices.Index(seen, rows):], database, "the row is synced")
}

// TestAPDFThatCannotBeSyncedIsNotQueued checks that its close fails, whichever sync does.
func TestAPDFThatCannotBeSyncedIsNotQueued(t *testing.T) {
	t.Run("of the PDF", func(t *testing.T) {
		f, _ := brittleFixture(t, writingBack)
		disk.SyncFile = func(*os.File) error { return errDisk }
		t.Cleanup(func() { disk.SyncFile = (*os.File).Sync })
		d, err := queuePDF(f.store, "%PDF of one")
		disk.SyncFile = (*os.File).Sync
		require.ErrorIs(t, err, errDisk)
		require.False(t, d.Queued())
		require.ErrorIs(t, queueAgain(d), errDisk, "the close of a duplicate")
	})
	t.Run("of its row", func(t *testing.T) {
		f, b := brittleFixture(t, writingBack)
		b.broken.Store(true)
		d, err := queuePDF(f.store, "%PDF of one")
		require.ErrorIs(t, err, errDisk)
		require.False(t, d.Queued())
		require.ErrorIs(t, queueAgain(d), errDisk, "the close of a duplicate")
	})
}
