package draft

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/spool"
)

const path = "/papers/a.paper/source.pdf"

// TestWhatIsWrittenOutlivesTheMount checks where the content of a draft is after a kill: queued again if
// a close had queued it, else in failed/ with the reason.
func TestWhatIsWrittenOutlivesTheMount(t *testing.T) {
	t.Run("queued", func(t *testing.T) {
		s := newShelf(t)
		s.queued(path, "%PDF of one", "old")
		for range 2 {
			s.reopen()
			s.holds(map[string]string{})
			require.Len(t, s.Requeued(), 1)
			q := s.Requeued()[0]
			require.Equal(t, []any{int64(7), path, time.Unix(1e9, 0)}, []any{q.Paper, q.Path, q.Written})
		}
	})
	t.Run("written", func(t *testing.T) {
		s := newShelf(t)
		s.written(path, "%PDF")
		s.reopen()
		require.Equal(t, errUnsent.Error(), s.holds(map[string]string{path: "%PDF"})[path])
	})
	t.Run("queued, and written again", func(t *testing.T) {
		s := newShelf(t)
		d := s.queued(path, "%PDF of one", "")
		_, err := d.WriteAt([]byte("%PDF of two"), 0)
		require.NoError(t, err)
		s.reopen()
		require.Len(t, s.Requeued(), 1)
		s.holds(map[string]string{path: "%PDF of two"})
		got := ""
		require.NoError(t, s.Requeued()[0].SendQueued(sends(&got, nil)))
		require.Equal(t, "%PDF of one", got, "later writes do not change what a close has queued")
	})
	t.Run("taken out of the queue", func(t *testing.T) {
		s := newShelf(t)
		s.queued(path, "%PDF", "").Unqueue()
		s.reopen()
		require.Empty(t, s.Requeued(), "nothing is sent whose name was removed")
		s.holds(map[string]string{path: "%PDF"})
	})
	t.Run("dropped", func(t *testing.T) {
		s := newShelf(t)
		d := s.queued(path, "%PDF", "")
		d.Unqueue()
		d.DropContent()
		s.reopen()
		require.Empty(t, s.Requeued())
		s.holds(map[string]string{})
	})
}

// TestQueuedContentThatIsNotWholeIsNotSent checks that content which the disk has lost is in failed/,
// whatever is left of it.
func TestQueuedContentThatIsNotWholeIsNotSent(t *testing.T) {
	for name, lose := range map[string]func(file string) error{
		"cut":  func(file string) error { return os.Truncate(file, 2) },
		"gone": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			d := s.queued(path, "%PDF", "")
			require.NoError(t, lose(filepath.Join(s.o.Spools.Path, spool.Name(d.Ino(), d.record.spool))))
			left := map[string]string{"cut": "%P", "gone": ""}[name]
			s.reopen()
			require.Empty(t, s.Requeued())
			s.holds(map[string]string{path: left})
		})
	}
}

// TestAFailedWriteIsNotRepairedByALaterOne checks that a PDF with a hole is never sent, and that one
// whose writer was killed is sent only after more was written.
func TestAFailedWriteIsNotRepairedByALaterOne(t *testing.T) {
	s := newShelf(t)
	full, killed, got := errors.New("no room"), errors.New("killed"), ""
	d := s.written(path, "%PDF")
	d.changed(full)
	_, err := d.WriteAt([]byte(" more"), 4)
	require.NoError(t, err)
	require.ErrorIs(t, d.Send(sends(&got, nil)), full)
	require.Empty(t, got)
	d.Close()
	s.holds(map[string]string{path: "%PDF more"})

	other := "/papers/b.paper/source.pdf"
	d = s.written(other, "%PDF")
	d.Spoil(killed)
	require.ErrorIs(t, d.Send(sends(&got, nil)), killed)
	require.Empty(t, got)
	_, err = d.WriteAt([]byte(" more"), 4)
	require.NoError(t, err)
	require.NoError(t, d.Send(sends(&got, nil)))
	require.Equal(t, "%PDF more", got)
	require.True(t, d.Clean())
}
