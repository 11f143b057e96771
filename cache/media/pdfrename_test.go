package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestARenameToAPDF checks what a rename of a temporary file to the name of a PDF does: it sends the PDF, or queues it with --write-back
// or during a job; if it is refused, the file keeps its name and the paper its PDF; while a program has it open, the close
// of that program sends it. The inode stays the same.
func TestARenameToAPDF(t *testing.T) {
	t.Parallel()
	const temp = ".source.pdf.aBcDeF"
	for name, c := range map[string]struct {
		options []func(*Options)
		answer  error
		held    bool
		beside  bool
	}{
		"direct":                     {},
		"write-back":                 {options: []func(*Options){writingBack}},
		"during a job":               {answer: errBusy},
		"refused":                    {answer: errNo},
		"held":                       {held: true},
		"direct, to a new paper":     {beside: true},
		"write-back, to a new paper": {options: []func(*Options){writingBack}, beside: true},
		"held, to a new paper":       {held: true, beside: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, papers := withPapers(t, c.options...)
			require.NoError(t, f.put("%PDF of one"))
			f.drain()
			twin, as, pdf, paper := f.store.Twin(7), Source, PDF{Paper: 7, Path: pdfPath}, int64(7)
			if c.beside {
				twin, as, pdf, paper = f.store.Twin(3), "Spring.pdf", PDF{Dir: 3, Path: "/papers/Spring.pdf", New: true}, 101
			}
			a, h, err := f.store.Create(twin, temp, New{Mode: 0o644, UID: Owner, GID: Owner})
			require.NoError(t, err)
			require.Equal(t, Local, a.Where)
			f.writeAll(h, "%PDF of two")
			require.NoError(t, h.Flush(ctx))
			if !c.held {
				h.Release()
			}
			if c.answer != nil {
				papers.answer(c.answer)
			}
			err = f.store.RenamePDF(ctx, twin, temp, twin, as, pdf, func() bool { return c.held })
			if c.answer == errNo {
				require.ErrorIs(t, err, errNo)
				require.Equal(t, a.Ino, f.lookup(twin, temp).Ino)
				require.Equal(t, Local, f.lookup(twin, temp).Where)
				require.Equal(t, "%PDF of one", f.sentBefore("%PDF of one"))
				content, err := f.read(f.pdfIno())
				require.NoError(t, err)
				require.Equal(t, "%PDF of one", content)
				return
			}
			require.NoError(t, err)
			f.absent(twin, temp)
			if c.held {
				require.Len(t, papers.arrived(), 1)
				f.appendAll(h, ", and more")
				require.NoError(t, h.Flush(ctx))
				h.Release()
			}
			f.drain()
			want := "%PDF of two"
			if c.held {
				want += ", and more"
			}
			all := papers.arrived()
			require.Len(t, all, 2)
			require.Contains(t, all[1], ": "+want)
			f.isPDFOf(paper, a.Ino)
			if c.beside {
				f.absent(f.store.Twin(3), "Spring.pdf")
			}
			f.failedWith(false, "")
			f.reopen()
			require.Equal(t, want, f.sentBefore(want))
			f.failedWith(false, "")
		})
	}
}

// TestNoPDFIsMadeOfATorso checks that a temporary file of papers/ that lacks a write is not sent by its rename, while it is open or
// afterwards, until a program writes it anew.
func TestNoPDFIsMadeOfATorso(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": {ten}, "write-back": {ten, writingBack}} {
		t.Run(name, func(t *testing.T) {
			f, _ := withPapers(t, options...)
			twin := f.store.Twin(7)
			a, h, err := f.store.Create(twin, "x.part", New{Mode: 0o644, UID: Owner, GID: Owner})
			require.NoError(t, err)
			f.appendAll(h, "%PDF")
			_, err = h.Append(make([]byte, 11))
			require.True(t, Is(err, Full), "%v", err)
			require.True(t, Is(h.Flush(ctx), Full))
			rename := func() error {
				return f.store.RenamePDF(ctx, twin, "x.part", twin, Source, PDF{Paper: 7, Path: pdfPath}, func() bool { return false })
			}
			require.True(t, Is(rename(), Full))
			h.Release()
			require.True(t, Is(rename(), Full))
			require.Equal(t, Local, f.lookup(twin, "x.part").Where)
			h, err = f.store.Open(a.Ino, true)
			require.NoError(t, err)
			require.NoError(t, h.Truncate(0))
			f.appendAll(h, "%PDF two")
			require.NoError(t, h.Flush(ctx))
			h.Release()
			require.NoError(t, rename())
			f.drain()
			require.Equal(t, "%PDF two", f.sentBefore("%PDF two"))
		})
	}
}
