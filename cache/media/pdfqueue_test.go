package media

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/queue"
	"paperfs/cache/state"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestWhatWasSeenOfAPaper checks that Seen is valid until a whole request was sent, even after a kill, is valid again after the service
// refuses the request, and stays so where the service refuses before it has all, or where Seen is an edition.
func TestWhatWasSeenOfAPaper(t *testing.T) {
	t.Parallel()
	maybe := &remote.Error{Kind: remote.Unreachable, Ambiguous: true}
	for name, c := range map[string]struct {
		seen        string
		answer      error
		whole, then string // what is known once all was sent, and after the answer
		unsure      bool   // after the answer
	}{
		"an answer":                    {"pages", unreachable, "", "pages", false},
		"no answer":                    {"pages", maybe, "", "", true},
		"a refusal before all is sent": {"pages", errEarly, "", "pages", false},
		"no answer, of an edition":     {SeenEdition + "4", maybe, SeenEdition + "4", SeenEdition + "4", true},
	} {
		t.Run(name, func(t *testing.T) {
			f, papers := withPapers(t, writingBack)
			seen := func(want string, unsure bool) {
				now := f.queuedPDFs()
				require.Len(t, now, 1)
				require.Equal(t, []any{want, unsure}, []any{now[0].Seen, now[0].MayBeThere})
				left := f.killed(t, false).queuedPDFs()
				require.Len(t, left, 1)
				require.Equal(t, []any{want, want == ""}, []any{left[0].Seen, left[0].MayBeThere})
			}
			papers.seen = c.seen
			papers.answers = []error{c.answer}
			wholes := 0
			papers.during = func(context.Context, *Sending, remote.Content) {
				papers.tell(func(p *fakePapers) { p.during, p.away = nil, unreachable })
				seen(c.seen, false)
			}
			papers.whole = func(context.Context, *Sending, remote.Content) { wholes++; seen(c.whole, true) }
			require.NoError(t, f.put("%PDF of one"))
			f.eventually(func() bool { q := f.store.Queue(); return len(q) == 0 || q[0].Attempts > 1 })
			if c.answer == errEarly { // it goes to failed/: there is nothing left to know
				f.eventually(func() bool { return len(f.store.Failed()) == 1 })
				f.failedWith(true, "%PDF of one")
				require.Zero(t, wholes)
				return
			}
			require.Equal(t, 1, wholes)
			seen(c.then, c.unsure)
		})
	}
}

// TestARemovedPDFIsNotSent checks that nothing remains of a PDF whose name is removed before its close, or while
// it is queued, written again or not, or being sent, and that it does not come back.
func TestARemovedPDFIsNotSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ queued, again, sending bool }{
		"written":                   {},
		"queued":                    {queued: true},
		"queued, and written again": {queued: true, again: true},
		"being sent":                {queued: true, sending: true},
	} {
		for _, beside := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				f, papers := withPapers(t, writingBack)
				sending := make(chan struct{})
				papers.during = func(ctx context.Context, _ *Sending, _ remote.Content) { close(sending); <-ctx.Done() }
				if !c.sending {
					papers.goAway(unreachable)
				}
				h, twin, as := (*Handle)(nil), Ino(0), Source
				if beside {
					_, h = f.beside("Spring.pdf")
					twin, as = f.store.Twin(3), "Spring.pdf"
				} else {
					h = f.pdf()
					twin = f.store.Twin(7)
				}
				f.writeAll(h, "%PDF of one")
				if c.queued {
					require.NoError(t, h.Flush(ctx))
				}
				if c.again {
					f.writeAll(h, "%PDF of two")
				}
				if c.sending {
					h.Release()
					<-sending
					if beside { // it is the paper's by now
						twin, as = f.store.Twin(101), Source
					}
				}
				require.NoError(t, f.store.RemovePDF(twin, as))
				require.NoError(t, h.Flush(ctx))
				require.Empty(t, f.store.WritingPDFs())
				h.Release()
				f.eventually(f.store.Idle)
				f.failedWith(false, "")
				require.Empty(t, f.store.Queue())
				papers.tell(func(p *fakePapers) { p.away, p.during = nil, nil })
				g := f.killed(t, false)
				g.sendTo(papers)
				g.drain()
				require.Empty(t, papers.arrived())
				g.failedWith(false, "")
				f.reopen()
				f.drain()
				require.Empty(t, papers.arrived())
			})
		}
	}
}

// TestAPDFThatIsRemovedOnceAllOfItIsSent checks that its request goes on, and that the PDF, which the paper has then, is kept.
func TestAPDFThatIsRemovedOnceAllOfItIsSent(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t, writingBack)
	removed := make(chan error, 1)
	papers.whole = func(context.Context, *Sending, remote.Content) {
		removed <- f.store.RemovePDF(f.store.Twin(7), Source)
	}
	require.NoError(t, f.put("%PDF of one"))
	f.eventually(f.store.Idle)
	require.NoError(t, <-removed)
	require.Equal(t, []string{"7: %PDF of one"}, papers.arrived())
	f.failedWith(false, "")
	f.reopen()
	require.Equal(t, "%PDF of one", f.sentBefore("%PDF of one"))
	f.failedWith(false, "")
}

// TestDiscardingAPDFWaitsForNoAnswer checks that a queued PDF which the service has, without having
// answered, can be discarded.
func TestDiscardingAPDFWaitsForNoAnswer(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t, writingBack)
	waits, answers := make(chan struct{}), make(chan struct{})
	papers.whole = func(ctx context.Context, _ *Sending, _ remote.Content) {
		close(waits)
		select {
		case <-ctx.Done():
		case <-answers:
		}
	}
	require.NoError(t, f.put("%PDF"))
	<-waits
	discarded := make(chan error, 1)
	go func() { discarded <- f.store.DiscardQueued(pdfPath) }()
	select {
	case err := <-discarded:
		require.NoError(t, err)
	case <-time.After(testrun.Patience()):
		close(answers)
		require.NoError(t, <-discarded)
		t.Fatal("discard waits for the answer of the service")
	}
	f.eventually(f.store.Idle)
	require.Equal(t, map[string]string{pdfPath: "%PDF"}, f.inFailed())
	require.Contains(t, f.store.Failed()[0].Reason, queue.ErrDiscarded.Error())
}

// TestARetriedPDFReplacesWhatIsOlder checks that an entry of failed/ is sent to the paper that it names, that the entry is gone then,
// and that what waited for that paper is not sent after it.
func TestARetriedPDFReplacesWhatIsOlder(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t, writingBack, func(o *Options) { o.Pause = func(int, error) time.Duration { return time.Hour } })
	papers.answer(errNo)
	require.NoError(t, f.put("%PDF of one"))
	f.eventually(func() bool { return len(f.store.Failed()) == 1 })
	papers.goAway(errBusy)
	require.NoError(t, f.put("%PDF of two"))
	f.eventually(func() bool { q := f.store.Queue(); return len(q) == 1 && q[0].Attempts > 0 && !q[0].Sending })
	entry := f.store.Failed()[0].Name
	_, err := f.store.RetryPDF(ctx, entry, PDF{Paper: 7, Path: pdfPath})
	require.ErrorIs(t, err, errBusy)
	require.Len(t, f.store.Failed(), 1)
	papers.goAway(nil)
	paper, err := f.store.RetryPDF(ctx, entry, PDF{Paper: 7, Path: pdfPath})
	require.NoError(t, err)
	require.EqualValues(t, 7, paper)
	f.eventually(f.store.Idle)
	require.Equal(t, []string{"7: %PDF of one"}, papers.arrived())
	f.failedWith(false, "")
}

// TestAPDFThatIsQueuedOnceMore checks that a sent PDF, which a program keeps open on a full disk and queues again, is queued after
// a kill, although the row could not record that it was sent.
func TestAPDFThatIsQueuedOnceMore(t *testing.T) {
	t.Parallel()
	papers := newFakePapers()
	f, disk := onFullDisk(t, writingBack, papers.known)
	f.sendTo(papers)
	h := f.pdf()
	defer h.Release()
	papers.whole = func(context.Context, *Sending, remote.Content) { disk.full.Store(true) }
	f.writeAll(h, "%PDF of one")
	require.NoError(t, h.Flush(ctx))
	reader, err := f.store.Open(h.Ino(), false)
	require.NoError(t, err)
	defer reader.Release()
	h.Release()
	f.eventually(func() bool { return len(f.store.Queue()) == 0 })
	papers.tell(func(p *fakePapers) { p.whole, p.away = nil, unreachable })
	disk.full.Store(false)
	h = f.pdf()
	f.writeAll(h, "%PDF of two")
	require.NoError(t, h.Flush(ctx))
	papers.goAway(nil)
	require.Equal(t, "%PDF of one", f.sentBefore("%PDF of one"))
	g := f.killed(t, false)
	require.Empty(t, g.store.Failed())
	g.sendTo(papers)
	g.drain()
	require.Equal(t, []string{"7: %PDF of one", "7: %PDF of two"}, papers.arrived())
	require.Equal(t, "%PDF of two", g.sentBefore("%PDF of two"))
}

// TestARemovedPDFStaysRemoved checks that a removed PDF does not come back, although the row could not be written, and although the
// next start ends before it handles that, because the disk may still be full.
func TestARemovedPDFStaysRemoved(t *testing.T) {
	t.Parallel()
	papers := newFakePapers()
	f, disk := onFullDisk(t, writingBack, papers.known)
	f.sendTo(papers)
	papers.goAway(unreachable)
	require.NoError(t, f.put("%PDF of one"))
	disk.full.Store(true)
	require.NoError(t, f.store.RemovePDF(f.store.Twin(7), Source))
	g := f.left(t)
	disk.full.Store(false)
	f.eventually(func() bool { return f.store.Sync() == nil }) // one that meets a write of before hears of the full disk
	g.inState(t, "ALTER TABLE media_draft RENAME TO away")
	var err error
	g.state, err = state.Open(g.dirs, "/mnt")
	require.NoError(t, err)
	options := g.options
	options.State = g.state
	_, err = Open(options)
	require.ErrorContains(t, err, "media_draft")
	require.NoError(t, g.state.Close())
	g.inState(t, "ALTER TABLE away RENAME TO media_draft")
	papers.goAway(nil)
	g.open()
	t.Cleanup(g.close)
	g.sendTo(papers)
	g.drain()
	require.Empty(t, papers.arrived())
	for _, e := range g.store.Failed() {
		require.NotContains(t, e.Reason, "bytes were found")
	}
}
