package media

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/recovery"
	"paperfs/remote"
)

// TestAPDFOutlivesAKill checks where the content of a PDF is after a kill: queued again with what is known of it if a close had queued
// it, sent content in the cache, other content in failed/ with the reason.
func TestAPDFOutlivesAKill(t *testing.T) {
	t.Parallel()
	t.Run("queued", func(t *testing.T) {
		f, papers := withPapers(t, writingBack)
		papers.seen = "pages"
		papers.goAway(unreachable)
		require.NoError(t, f.put("%PDF of one"))
		written := time.Unix(1e9, 0)
		_, err := f.store.SetAttr(f.pdfIno(), Change{Mtime: &written})
		require.NoError(t, err)
		require.NoError(t, f.store.WaitWritten())
		want := queuedPDF{PDF{Paper: 7, Path: pdfPath, Seen: "pages"}, written, "%PDF of one"}
		require.Equal(t, []queuedPDF{want}, f.queuedPDFs())
		g := f
		for range 2 {
			g = g.killed(t, false)
			require.Empty(t, g.inFailed())
			require.Equal(t, []queuedPDF{want}, g.queuedPDFs())
			a, err := g.store.PDF(7, time.Unix(1, 0))
			require.NoError(t, err)
			require.Equal(t, []any{Pending, int64(11), written}, []any{a.Where, a.Size, a.Mtime})
		}
		g.sendTo(papers) // before the service answers: the queue of the killed mount is still running
		papers.goAway(nil)
		g.drain()
		require.Equal(t, []string{"7: %PDF of one"}, papers.arrived())
	})
	t.Run("queued, of a paper that is to be created", func(t *testing.T) {
		f, papers := withPapers(t, writingBack)
		papers.goAway(unreachable)
		_, h := f.beside("Spring.PDF")
		require.NoError(t, f.finish(h, "%PDF of one"))
		g := f.killed(t, false)
		want := PDF{Dir: 3, Path: "/papers/Spring.PDF", New: true, MayBeThere: true}
		require.Equal(t, want, g.queuedPDFs()[0].PDF)
		a := g.lookup(g.store.Twin(3), "Spring.pdf")
		require.Equal(t, Pending, a.Where)
		papers.goAway(nil)
		g.sendTo(papers)
		g.drain()
		require.Equal(t, []string{"101: %PDF of one"}, papers.arrived())
		g.isPDFOf(101, a.Ino)
	})
	t.Run("written", func(t *testing.T) {
		f, _ := withPapers(t, writingBack)
		h := f.pdf()
		f.writeAll(h, "%PDF")
		g := f.killed(t, false)
		require.Equal(t, map[string]string{pdfPath: "%PDF"}, g.inFailed())
		require.Equal(t, recovery.Unfinished.Reason.Error(), g.store.Failed()[0].Reason)
		require.EqualValues(t, 7, g.store.Failed()[0].Paper)
		h.Release()
	})
	t.Run("queued, and written again", func(t *testing.T) {
		f, papers := withPapers(t, writingBack)
		papers.goAway(unreachable)
		require.NoError(t, f.put("%PDF of one"))
		h := f.pdf()
		f.writeAll(h, "%PDF of two")
		g := f.killed(t, false)
		require.Equal(t, map[string]string{pdfPath: "%PDF of two"}, g.inFailed())
		papers.goAway(nil)
		g.sendTo(papers)
		g.drain()
		require.Equal(t, []string{"7: %PDF of one"}, papers.arrived(), "later writes do not change what a close has queued")
		h.Release()
	})
	t.Run("sent, and open", func(t *testing.T) {
		f, _ := withPapers(t)
		h := f.pdf()
		f.writeAll(h, "%PDF")
		require.NoError(t, h.Flush(ctx))
		g := f.killed(t, false)
		g.failedWith(false, "")
		require.Equal(t, "%PDF", g.sentBefore("%PDF"))
		h.Release()
	})
	t.Run("sent, and written again", func(t *testing.T) {
		f, _ := withPapers(t)
		h := f.pdf()
		f.writeAll(h, "%PDF of one")
		require.NoError(t, h.Flush(ctx))
		f.writeAll(h, "%PDF of two")
		g := f.killed(t, false)
		g.failedWith(true, "%PDF of two")
		require.Equal(t, "%PDF of one", g.sentBefore("%PDF of one"))
		h.Release()
	})
	t.Run("in the middle of its answer", func(t *testing.T) {
		f, papers := withPapers(t, writingBack)
		var g *fixture
		papers.whole = func(context.Context, *Sending, remote.Content) {
			papers.tell(func(p *fakePapers) { p.whole = nil })
			g = f.killed(t, false)
		}
		require.NoError(t, f.put("%PDF of one"))
		f.drain()
		g.sendTo(papers)
		g.drain()
		require.Equal(t, []string{"7: %PDF of one", "7: %PDF of one"}, papers.arrived(), "nobody knows whether it was sent")
		g.reopen()
		g.failedWith(false, "")
		require.Equal(t, "%PDF of one", g.sentBefore("%PDF of one"))
	})
}

// TestAQueuedPDFOutlivesATorso checks that a PDF is sent that was queued before a program was killed that wrote over
// it, also if its request was under way, or by the next mount, and that the torso goes to failed/.
func TestAQueuedPDFOutlivesATorso(t *testing.T) {
	t.Parallel()
	killed := errors.New("killed")
	t.Run("while it is sent", func(t *testing.T) {
		f, papers := withPapers(t, writingBack)
		papers.during = func(context.Context, *Sending, remote.Content) {
			papers.tell(func(p *fakePapers) { p.during = nil })
			h := f.pdf()
			f.writeAll(h, "torso")
			h.Abandon(killed)
			h.ReleaseInBackground()
		}
		require.NoError(t, f.put("%PDF of one"))
		f.drain()
		require.Equal(t, []string{"7: %PDF of one"}, papers.arrived())
		f.failedWith(true, "torsoof one")
		require.Equal(t, "%PDF of one", f.sentBefore("%PDF of one"))
	})
	t.Run("while its paper is created", func(t *testing.T) {
		f, papers := withPapers(t, writingBack)
		a, h := f.beside("Spring.pdf")
		papers.during = func(context.Context, *Sending, remote.Content) {
			papers.tell(func(p *fakePapers) { p.during = nil })
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			f.writeAll(h, "torso")
			h.Abandon(killed)
			h.ReleaseInBackground()
		}
		require.NoError(t, f.finish(h, "%PDF of one"))
		f.drain()
		require.Equal(t, []string{"101: %PDF of one"}, papers.arrived())
		f.failedWith(true, "torsoof one")
		require.EqualValues(t, 101, f.store.Failed()[0].Paper)
		kept, err := f.store.PDF(101, time.Unix(1, 0))
		require.NoError(t, err)
		content, err := f.read(kept.Ino)
		require.NoError(t, err)
		require.Equal(t, "%PDF of one", content)
	})
	t.Run("by the next mount", func(t *testing.T) {
		f, papers := withPapers(t, writingBack)
		papers.goAway(unreachable)
		require.NoError(t, f.put("%PDF of one"))
		h := f.pdf()
		f.writeAll(h, "torso")
		h.Abandon(killed)
		require.Equal(t, "%PDF of one", f.queuedPDFs()[0].content)
		require.NoError(t, f.store.Sync())
		g := f.killed(t, true)
		require.Equal(t, map[string]string{pdfPath: "torsoof one"}, g.inFailed())
		h.Release()
		require.Equal(t, map[string]string{pdfPath: "torsoof one"}, f.inFailed())
		g.sendTo(papers) // before the service answers: the queue of the killed mount is still running
		papers.goAway(nil)
		g.drain()
		require.Equal(t, []string{"7: %PDF of one"}, papers.arrived())
	})
}
