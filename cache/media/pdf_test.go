package media

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestThePDFOfANewPaperKeepsItsInode checks that a PDF in a category becomes that of the paper that is created for it, with its
// inode, also while a program has it open, and that nothing is left in the category.
func TestThePDFOfANewPaperKeepsItsInode(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f, papers := withPapers(t, options...)
			a, h := f.beside("Spring.pdf")
			f.writeAll(h, "%PDF of one")
			require.NoError(t, h.Flush(ctx))
			if name == "direct" { // the queue sends nothing that a program may still write
				require.Equal(t, []string{"101: %PDF of one"}, papers.arrived())
				f.isPDFOf(101, a.Ino)
			}
			h.Release()
			f.drain()
			require.Equal(t, []string{"101: %PDF of one"}, papers.arrived())
			f.isPDFOf(101, a.Ino)
			f.absent(f.store.Twin(3), "Spring.pdf")
			content, err := f.read(a.Ino)
			require.NoError(t, err)
			require.Equal(t, "%PDF of one", content)
		})
	}
}

// isPDFOf checks which inode a paper's PDF has, and that it is known as that.
func (f *fixture) isPDFOf(paper int64, ino Ino) {
	a, err := f.store.PDF(paper, time.Unix(1, 0))
	require.NoError(f.t, err)
	require.Equal(f.t, []any{ino, paper, Published, true}, []any{a.Ino, a.ID, a.Where, a.PDF})
}

// TestThePDFOfANewPaperIsWrittenWhileThePaperIsCreated checks that what a program writes to it meanwhile goes to the
// paper as well, and not to another one.
func TestThePDFOfANewPaperIsWrittenWhileThePaperIsCreated(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t)
	a, h := f.beside("Spring.pdf")
	papers.during = func(context.Context, *Sending, remote.Content) {
		papers.tell(func(p *fakePapers) { p.during = nil })
		f.writeAll(h, "%PDF of two")
	}
	require.NoError(t, f.finish(h, "%PDF of one"))
	f.drain()
	require.Equal(t, []string{"101: %PDF of one", "101: %PDF of two"}, papers.arrived())
	f.isPDFOf(101, a.Ino)
}

// TestALinkToAPDFDoesNotWaitForItsUpload checks that it is refused while the PDF is being sent, which can take minutes.
func TestALinkToAPDFDoesNotWaitForItsUpload(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t)
	a, h := f.beside("Spring.pdf")
	refused := make(chan error, 1)
	papers.during = func(context.Context, *Sending, remote.Content) {
		go func() {
			_, err := f.store.Link(a.Ino, f.store.Twin(3), "Spring.pdf~", "")
			refused <- err
		}()
		select {
		case err := <-refused:
			require.True(t, Is(err, LocalOnly), "%v", err)
		case <-time.After(testrun.Patience()):
			require.Fail(t, "the link waits")
		}
	}
	require.NoError(t, f.finish(h, "%PDF of one"))
	require.Equal(t, []string{"101: %PDF of one"}, papers.arrived())
}

// TestAPDFDuringAJobWaitsForItsEnd checks that the close of a PDF, whose paper has another one in processing, queues it,
// with or without Options.WriteBack, and that it is sent when the service takes it.
func TestAPDFDuringAJobWaitsForItsEnd(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t, func(o *Options) { o.Pause = func(int, error) time.Duration { return time.Hour } })
	require.NoError(t, f.put("%PDF of one"))
	papers.goAway(errBusy)
	require.NoError(t, f.put("%PDF of two"))
	f.eventually(func() bool { q := f.store.Queue(); return len(q) == 1 && q[0].Attempts > 0 && !q[0].Sending })
	require.Equal(t, pdfPath[1:], f.store.Queue()[0].Path)
	require.NoError(t, f.put("%PDF of three"), "it replaces what waits")
	papers.goAway(nil)
	f.store.JobEnded(8)
	f.store.JobEnded(7)
	f.eventually(f.store.Idle)
	require.Equal(t, []string{"7: %PDF of one", "7: %PDF of three"}, papers.arrived())
	require.Empty(t, f.store.Failed())
	require.Zero(t, f.store.Status().SpoolBytes)
	require.Equal(t, "%PDF of three", f.sentBefore("%PDF of three"))
}

// TestARefusedPDFIsLetGo checks that the paper has the PDF of before once the close was refused, also for a program that has it
// open, that later writes of its writer are not sent, that these are in failed/ after the last release, and
// that the next PDF is sent.
func TestARefusedPDFIsLetGo(t *testing.T) {
	t.Parallel()
	f, papers := withPapers(t)
	require.NoError(t, f.put("%PDF of one"))
	h := f.pdf()
	require.NoError(t, h.Truncate(0))
	f.writeAll(h, "%PDF of t")
	papers.answer(errNo)
	require.ErrorIs(t, h.Flush(ctx), errNo)
	require.NotEqual(t, h.Ino(), f.pdfIno())
	content, err := f.read(f.pdfIno())
	require.NoError(t, err)
	require.Equal(t, "%PDF of one", content)
	f.appendAll(h, "wo")
	require.ErrorIs(t, h.Flush(ctx), errNo)
	h.Release()
	f.failedWith(true, "%PDF of two")
	require.EqualValues(t, 7, f.store.Failed()[0].Paper)
	require.Equal(t, pdfPath, f.store.Failed()[0].Path)
	require.Equal(t, []string{"7: %PDF of one"}, papers.arrived())
	require.NoError(t, f.put("%PDF of three"))
	require.Equal(t, []string{"7: %PDF of one", "7: %PDF of three"}, papers.arrived())
}

// pdfIno returns the inode of the PDF of paper 7.
func (f *fixture) pdfIno() Ino {
	a, err := f.store.PDF(7, time.Unix(1, 0))
	require.NoError(f.t, err)
	return a.Ino
}

// TestWhatSeveralOpensAppendBecomesOnePDF checks that each close adds to what the ones before have sent or queued, as scanners
// and FTP programs write.
func TestWhatSeveralOpensAppendBecomesOnePDF(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		for _, busy := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				f, papers := withPapers(t, options...)
				for i, part := range []string{"%PDF ", "of ", "one"} {
					if i == 1 && busy {
						papers.goAway(errBusy)
					}
					h := f.pdf()
					f.appendAll(h, part)
					require.NoError(t, h.Flush(ctx))
					h.Release()
				}
				papers.goAway(nil)
				f.drain()
				all := papers.arrived()
				require.Equal(t, "7: %PDF of one", all[len(all)-1], "%q", all)
				require.Empty(t, f.store.Failed())
				content, err := f.read(f.pdfIno())
				require.NoError(t, err)
				require.Equal(t, "%PDF of one", content)
			})
		}
	}
}

// TestASentPDFCanBeReadWhateverIsWritten checks that a PDF that was sent can be read at any moment since its close: while it is open,
// while a program writes over it, removes its name or is killed, and after the last release.
func TestASentPDFCanBeReadWhateverIsWritten(t *testing.T) {
	t.Parallel()
	const one = "%PDF of one"
	for name, then := range map[string]func(f *fixture, h *Handle){
		"released":    func(*fixture, *Handle) {},
		"overwritten": func(f *fixture, h *Handle) { f.writeAll(h, "torso") },
		"emptied": func(f *fixture, h *Handle) {
			require.NoError(f.t, h.Truncate(0))
			require.Equal(f.t, one, f.sentBefore(one))
			f.writeAll(h, "torso")
		},
		"overwritten, and abandoned": func(f *fixture, h *Handle) { f.writeAll(h, "torso"); h.Abandon(errors.New("killed")) },
		"removed":                    func(f *fixture, _ *Handle) { require.NoError(f.t, f.store.RemovePDF(f.store.Twin(7), Source)) },
		"overwritten, and removed": func(f *fixture, h *Handle) {
			f.writeAll(h, "torso")
			require.NoError(f.t, f.store.RemovePDF(f.store.Twin(7), Source))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, _ := withPapers(t)
			h := f.pdf()
			f.writeAll(h, one)
			require.NoError(t, h.Flush(ctx))
			require.Equal(t, one, f.sentBefore(one))
			then(f, h)
			require.Equal(t, one, f.sentBefore(one))
			stop, ended := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(ended)
				for {
					require.Equal(t, one, f.sentBefore(one))
					select {
					case <-stop:
						return
					default:
					}
				}
			}()
			h.Release()
			f.eventually(f.store.Idle)
			close(stop)
			<-ended
			f.reopen()
			require.Equal(t, one, f.sentBefore(one))
		})
	}
}

// TestAPDFThatIsWrittenWhileItIsSent checks that the content being sent does not change, and that its outcome does not
// affect content written in the meantime.
func TestAPDFThatIsWrittenWhileItIsSent(t *testing.T) {
	t.Parallel()
	killed := errors.New("killed")
	for name, c := range map[string]struct{ outcome, spoilt error }{
		"sent":                {nil, nil},
		"refused":             {errNo, nil},
		"sent, and spoilt":    {nil, killed},
		"refused, and spoilt": {errNo, killed},
	} {
		t.Run(name, func(t *testing.T) {
			f, papers := withPapers(t)
			h := f.pdf()
			f.writeAll(h, "one and all")
			papers.answer(c.outcome)
			papers.during = func(context.Context, *Sending, remote.Content) {
				papers.tell(func(p *fakePapers) { p.during = nil })
				_, err := h.WriteAt([]byte(", two"), 3)
				require.NoError(t, err)
				require.NoError(t, h.Truncate(8))
				if c.spoilt != nil {
					h.Abandon(c.spoilt)
				}
				require.False(t, h.Clean())
			}
			err := h.Flush(ctx)
			if c.outcome != nil {
				require.ErrorIs(t, err, c.outcome)
			}
			if c.spoilt == nil {
				require.Equal(t, c.outcome, err)
				require.ErrorIs(t, h.Flush(ctx), c.outcome)
			}
			h.Release()
			f.drain()
			sent := []string{}
			if c.outcome == nil {
				require.Equal(t, "one and all", f.sentBefore("one and all"))
				sent = append(sent, "7: one and all")
			} else {
				require.Empty(t, f.sentBefore("one and all"))
			}
			if c.spoilt != nil || c.outcome != nil {
				require.Equal(t, sent, papers.arrived())
				f.failedWith(true, "one, two")
				return
			}
			require.Equal(t, append(sent, "7: one, two"), papers.arrived())
			f.failedWith(false, "")
		})
	}
}

// TestASentPDFThatCannotBeKept checks that a sent PDF moves to failed/, under its path, where the cache takes nothing.
func TestASentPDFThatCannotBeKept(t *testing.T) {
	t.Parallel()
	const one = "%PDF that was sent"
	for name, then := range map[string]func(f *fixture) error{
		"released": func(*fixture) error { return nil },
		"removed":  func(f *fixture) error { return f.store.RemovePDF(f.store.Twin(7), Source) },
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := withPapers(t)
			h := f.pdf()
			f.writeAll(h, one)
			require.NoError(t, h.Flush(ctx))
			cache := f.state.CacheDir("media")
			require.NoError(t, os.RemoveAll(cache))
			require.NoError(t, os.WriteFile(cache, nil, 0o600))
			require.NoError(t, then(f))
			h.Release()
			f.failedWith(true, one)
			require.EqualValues(t, 7, f.store.Failed()[0].Paper)
			require.Equal(t, pdfPath, f.store.Failed()[0].Path)
		})
	}
}
