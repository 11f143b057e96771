package media

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAConflictOfAFileThatWasOpen checks that with CopyBeside what a program writes to a file that others
// have replaced since it was opened is published beside it, once it is whole.
func TestAConflictOfAFileThatWasOpen(t *testing.T) {
	t.Parallel()
	for mode, option := range map[string]func(*Options){"direct": func(*Options) {}, "write-back": writingBack} {
		for name, c := range map[string]struct {
			close  func(f *fixture, h *Handle)
			beside string
			failed map[string]string
		}{
			"a close": {func(f *fixture, h *Handle) { require.NoError(f.t, h.Flush(ctx)) }, "mine and more", map[string]string{}},
			"two closes": {func(f *fixture, h *Handle) {
				require.NoError(f.t, h.Flush(ctx))
				f.appendAll(h, "!")
				require.NoError(f.t, h.Flush(ctx))
			}, "mine and more!", map[string]string{}},
			"no close":        {func(f *fixture, h *Handle) { require.NoError(f.t, h.Unreported()) }, "mine and more", map[string]string{}},
			"a killed writer": {func(_ *fixture, h *Handle) { h.Abandon(errors.New("killed")) }, "", map[string]string{"a": "mine and more"}},
			"another close after a killed writer": {func(f *fixture, h *Handle) {
				h.Abandon(errors.New("killed"))
				require.ErrorContains(f.t, h.Flush(ctx), "killed")
			}, "", map[string]string{"a": "mine and more"}},
			"a failed write": {func(f *fixture, h *Handle) {
				h.Break(errNo)
				require.ErrorIs(f.t, h.Flush(ctx), errNo)
			}, "", map[string]string{"a": "mine and more"}},
		} {
			t.Run(mode+", "+name, func(t *testing.T) {
				f := newFixture(t, option, func(o *Options) { o.CopyBeside = true })
				a, err := f.create(Root, "a", "mine")
				require.NoError(t, err)
				f.drain()
				h, err := f.store.Open(a.Ino, true)
				require.NoError(t, err)
				f.superseded()
				require.NoError(t, load(f.store, h))
				f.appendAll(h, " and more")
				c.close(f, h)
				h.Release()
				f.drain()
				f.eventually(func() bool { return f.store.Status().Writing == 0 })
				want := map[string]string{"a": "theirs"}
				if c.beside != "" {
					want["a (conflict 2026-12-01)"] = c.beside
					require.Equal(t, Published, f.lookup(Root, "a (conflict 2026-12-01)").Where)
				}
				require.Equal(t, want, f.service.all())
				require.Equal(t, c.failed, f.inFailed())
				for _, e := range f.store.Failed() {
					require.True(t, e.Unfinished)
				}
			})
		}
	}
}
