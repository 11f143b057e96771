package media

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/disk"
)

// TestAQueuedPDFIsDurable checks that a close with --write-back, and one during a job, returns once its PDF is synced, and after that
// its row.
func TestAQueuedPDFIsDurable(t *testing.T) {
	for name, options := range map[string][]func(*Options){"write-back": {writingBack}, "during a job": nil} {
		t.Run(name, func(t *testing.T) {
			papers := newFakePapers()
			f := makeFixture(t, t.TempDir(), append(options, papers.known)...)
			noted := f.syncing(t) // closed after the store
			t.Cleanup(f.close)
			f.sendTo(papers)
			papers.goAway(errBusy)
			mark := len(noted.since(0))
			require.NoError(t, f.put("%PDF of one"))
			seen := noted.since(mark)
			require.Contains(t, seen, content)
			seen = seen[slices.Index(seen, content):]
			require.Contains(t, seen, rows, "the row that queues it comes after the content")
			require.Contains(t, seen[slices.Index(seen, rows):], database, "the row is synced")
		})
	}
}

// TestAPDFThatCannotBeSyncedIsNotQueued checks that its close fails, whichever sync does, and that of a duplicate of its descriptor, too.
func TestAPDFThatCannotBeSyncedIsNotQueued(t *testing.T) {
	for name, fail := range map[string]func(*brittle) (end func()){
		"of the PDF": func(*brittle) func() {
			disk.SyncFile = func(*os.File) error { return errDisk }
			return func() { disk.SyncFile = (*os.File).Sync }
		},
		"of its row": func(b *brittle) func() { b.broken.Store(true); return func() {} },
	} {
		t.Run(name, func(t *testing.T) {
			papers := newFakePapers()
			f, b := brittleFixture(t, writingBack, papers.known)
			f.sendTo(papers)
			papers.goAway(unreachable)
			h := f.pdf()
			f.writeAll(h, "%PDF of one")
			end := fail(b)
			t.Cleanup(end)
			err := h.Flush(ctx)
			end()
			require.ErrorIs(t, err, errDisk)
			require.False(t, h.Clean())
			require.ErrorIs(t, h.Flush(ctx), errDisk, "the close of a duplicate")
			h.Release()
		})
	}
}
