package media

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// writtenPDF returns a draft with content.
func writtenPDF(t *testing.T, f *fixture, path, content string) *Draft {
	d := f.store.NewDraft(7, 0, path)
	_, err := d.WriteAt([]byte(content), 0)
	require.NoError(t, err)
	return d
}

// queuedPDF returns a draft whose content is queued, for a paper that was seen in a state.
func queuedPDF(t *testing.T, f *fixture, content, seen string) *Draft {
	d := writtenPDF(t, f, pdfPath, content)
	require.NoError(t, d.SetWritten(time.Unix(1e9, 0)))
	require.NoError(t, d.Queue(Queuing{Seen: seen, Check: func(remote.Content) error { return nil }}))
	return d
}

// sends returns a service that reads all of the content and answers. Unless it refuses early, the
// content is sent completely before that.
func sends(t *testing.T, to *string, answer error) func(remote.Content) (string, error) {
	return func(c remote.Content) (string, error) {
		*to = read(t, c)
		if f, ok := c.(remote.Finisher); ok && !errors.Is(answer, errEarly) {
			require.NoError(t, f.Finish())
		}
		return sum([]byte(*to)), answer
	}
}

// errEarly is the answer of a service that refuses before it has all content.
var errEarly = errors.New("refused before all was sent")

// TestADraftOfAPDFOutlivesAKill checks where the content of a draft is after a kill: queued
// again if a close had queued it, else in failed/ with the reason.
func TestADraftOfAPDFOutlivesAKill(t *testing.T) {
	t.Parallel()
	t.Run("queued", func(t *testing.T) {
		f := newFixture(t, writingBack)
		queuedPDF(t, f, "%PDF of one", "old")
		for range 2 {
			f = f.killed(t, false)
			require.Empty(t, f.inFailed())
			require.Len(t, f.store.QueuedPDFs(), 1)
			q := f.store.QueuedPDFs()[0]
			require.Equal(t, []any{int64(7), pdfPath, time.Unix(1e9, 0)}, []any{q.About().Paper, q.About().Path, q.Written()})
		}
	})
	t.Run("written", func(t *testing.T) {
		f := newFixture(t, writingBack)
		d := writtenPDF(t, f, pdfPath, "%PDF")
		g := f.killed(t, false)
		require.Equal(t, map[string]string{pdfPath: "%PDF"}, g.inFailed())
		require.Equal(t, errUnsent.Error(), g.store.Failed()[0].Reason)
		require.EqualValues(t, 7, g.store.Failed()[0].Paper)
		d.Close()
	})
	t.Run("queued, and written again", func(t *testing.T) {
		f := newFixture(t, writingBack)
		d := queuedPDF(t, f, "%PDF of one", "")
		_, err := d.WriteAt([]byte("%PDF of two"), 0)
		require.NoError(t, err)
		g := f.killed(t, false)
		require.Len(t, g.store.QueuedPDFs(), 1)
		require.Equal(t, map[string]string{pdfPath: "%PDF of two"}, g.inFailed())
		got := ""
		require.NoError(t, g.store.QueuedPDFs()[0].SendQueued(sends(t, &got, nil)))
		require.Equal(t, "%PDF of one", got, "later writes do not change what a close has queued")
	})
	t.Run("taken out of the queue", func(t *testing.T) {
		f := newFixture(t, writingBack)
		queuedPDF(t, f, "%PDF", "").Unqueue(false)
		g := f.killed(t, false)
		require.Empty(t, g.store.QueuedPDFs(), "nothing is sent whose name was removed")
		require.Equal(t, map[string]string{pdfPath: "%PDF"}, g.inFailed())
	})
	t.Run("dropped", func(t *testing.T) {
		f := newFixture(t, writingBack)
		queuedPDF(t, f, "%PDF", "").Unqueue(true)
		g := f.killed(t, false)
		require.Empty(t, g.store.QueuedPDFs())
		require.Empty(t, g.inFailed())
	})
}

// TestAFailedWriteOfAPDFIsNotRepairedByALaterOne checks that a PDF with a hole is never sent, nor one whose
// writer was killed, whatever is written to it later.
func TestAFailedWriteOfAPDFIsNotRepairedByALaterOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	full, killed, got := errors.New("no room"), errors.New("killed"), ""
	d := writtenPDF(t, f, pdfPath, "%PDF")
	d.h.Break(full)
	_, err := d.WriteAt([]byte(" more"), 4)
	require.NoError(t, err)
	require.ErrorIs(t, d.Send(sends(t, &got, nil)), full)
	require.Empty(t, got)
	d.Close()
	require.Equal(t, map[string]string{pdfPath: "%PDF more"}, f.inFailed())

	d = writtenPDF(t, f, "/papers/b.paper/source.pdf", "%PDF")
	d.LetGo(killed)
	require.ErrorIs(t, d.Send(sends(t, &got, nil)), killed)
	require.Empty(t, got)
	_, err = d.WriteAt([]byte(" more"), 4)
	require.NoError(t, err)
	require.ErrorIs(t, d.Send(sends(t, &got, nil)), killed)
	require.Empty(t, got)
	d.Close()
	require.Equal(t, "%PDF more", f.inFailed()["/papers/b.paper/source.pdf"])
}

// TestAQueuedPDFOutlivesASpoiltOne checks that the path of a spoilt PDF has what was queued for it, and that this
// is sent, also if its request was under way, or by the next mount.
func TestAQueuedPDFOutlivesASpoiltOne(t *testing.T) {
	t.Parallel()
	spoilt := errors.New("killed")
	t.Run("while it is sent", func(t *testing.T) {
		f, got := newFixture(t, writingBack), ""
		d := queuedPDF(t, f, "%PDF of one", "old")
		_, err := d.WriteAt([]byte("torso"), 0)
		require.NoError(t, err)
		var heir *Draft
		require.NoError(t, d.SendQueued(func(c remote.Content) (string, error) {
			heir, _ = d.LetGo(spoilt)
			require.NoError(t, d.For(8, 0, pdfPath))
			return sends(t, &got, nil)(c)
		}))
		require.Equal(t, []any{"%PDF of one", int64(8), false, true}, []any{got, heir.About().Paper, heir.Queued(), heir.Clean()})
		heir.Close()
		d.Close()
		require.Equal(t, map[string]string{pdfPath: "torsoof one"}, f.inFailed())
	})
	t.Run("by the next mount", func(t *testing.T) {
		f := newFixture(t, writingBack)
		d := queuedPDF(t, f, "%PDF of one", "old")
		_, err := d.WriteAt([]byte("torso"), 0)
		require.NoError(t, err)
		heir, is := d.LetGo(spoilt)
		require.True(t, is && heir.Queued() && !d.Queued())
		require.ErrorIs(t, d.Send(sends(t, new(string), nil)), spoilt)
		require.NoError(t, f.store.Sync())
		f = f.killed(t, true)
		left, got := f.store.QueuedPDFs(), ""
		require.Len(t, left, 1)
		require.Equal(t, map[string]string{pdfPath: "torsoof one"}, f.inFailed())
		require.NoError(t, left[0].SendQueued(sends(t, &got, nil)))
		require.Equal(t, []any{"%PDF of one", int64(7)}, []any{got, left[0].About().Paper})
		left[0].Close()
	})
}

// TestAnEarlyRefusalChangesNothingKnownOfThePaper checks that a service which refuses before it has all of a queued PDF
// changes nothing in what is known of the paper.
func TestAnEarlyRefusalChangesNothingKnownOfThePaper(t *testing.T) {
	t.Parallel()
	f, got := newFixture(t, writingBack), ""
	d := queuedPDF(t, f, "%PDF", "old")
	require.ErrorIs(t, d.SendQueued(sends(t, &got, errEarly)), errEarly)
	require.Equal(t, []any{"%PDF", "old", false}, []any{got, d.About().Seen, d.About().MayBeThere})
	left := f.killed(t, false).store.QueuedPDFs()
	require.Len(t, left, 1)
	require.Equal(t, "old", left[0].About().Seen, "after a kill")
}
