package media

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/body"
	"paperfs/cache/media/recovery"
)

// rewritings are ways to rewrite a file, each with the resulting content.
var rewritings = map[string]struct {
	do   func(f *fixture, h *Handle)
	then func(was string) string
}{
	"from the start": {func(f *fixture, h *Handle) {
		require.NoError(f.t, h.Truncate(0))
		f.writeAll(h, "newer")
	}, func(string) string { return "newer" }},
	"in part":    {func(f *fixture, h *Handle) { f.writeAll(h, "O") }, func(was string) string { return "O" + was[1:] }},
	"cut":        {func(f *fixture, h *Handle) { require.NoError(f.t, h.Truncate(1)) }, func(was string) string { return was[:1] }},
	"emptied":    {func(f *fixture, h *Handle) { require.NoError(f.t, h.Truncate(0)) }, func(string) string { return "" }},
	"at its end": {func(f *fixture, h *Handle) { f.appendAll(h, "x") }, func(was string) string { return was + "x" }},
}

// TestQueuedContentIsSentUntilItsRewritingIsClosed checks that the closed content of a queued file is sent
// until a program that rewrites the file closes it, whatever happens to that program.
func TestQueuedContentIsSentUntilItsRewritingIsClosed(t *testing.T) {
	t.Parallel()
	for end, come := range map[string]func(f *fixture, h *Handle){
		"closed":         func(f *fixture, h *Handle) { require.NoError(f.t, h.Flush(ctx)); h.Release() },
		"killed":         func(_ *fixture, h *Handle) { h.Abandon(errors.New("killed")); h.Release() },
		"mount killed":   func(f *fixture, _ *Handle) { f.reopen() },
		"machine killed": func(f *fixture, _ *Handle) { f.endMachine() },
		"no room": func(f *fixture, h *Handle) {
			f.store.Room.Quota = 1
			_, err := h.WriteAt([]byte("x"), 1<<20)
			require.True(f.t, Is(err, Full), "%v", err)
			h.Release()
		},
	} {
		for how, rewriting := range rewritings {
			for size, was := range map[string]string{"small": "one", "large": "one" + strings.Repeat("-", body.SmallCopy)} {
				t.Run(strings.Join([]string{size, how, end}, ", "), func(t *testing.T) {
					f := newFixture(t, writingBack)
					f.absent(Root, "a")
					f.service.goAway(unreachable)
					a, err := f.create(Root, "a", was)
					require.NoError(t, err)
					h, err := f.store.Open(a.Ino, true)
					require.NoError(t, err)
					rewriting.do(f, h)
					come(f, h)
					f.service.goAway(nil)
					f.drain()
					then := rewriting.then(was)
					switch end {
					case "closed":
						f.published("a", then)
					default:
						f.published("a", was)
						require.EqualValues(t, len(was), f.lookup(Root, "a").Size)
					}
					f.failedWith(end == "killed" || end == "mount killed" && then != "", then)
				})
			}
		}
	}
}

// endMachine restarts after a power loss, which loses the unsynced parts of the spool.
func (f *fixture) endMachine() {
	require.NoError(f.t, f.store.Close())
	spools, err := filepath.Glob(filepath.Join(f.dirs.State, "spool", "*"))
	require.NoError(f.t, err)
	require.NotEmpty(f.t, spools)
	for _, spool := range spools {
		info, err := os.Stat(spool)
		require.NoError(f.t, err)
		if info.Size() <= body.SmallCopy {
			require.NoError(f.t, os.Truncate(spool, 0))
		}
	}
	require.NoError(f.t, f.state.SetValue(recovery.BootKey, "another"))
	require.NoError(f.t, f.state.Close())
	f.open()
	for _, e := range f.store.Failed() { // the content being written may exist or not
		require.NoError(f.t, f.store.DiscardFailed(e.Name))
	}
}

// failedWith checks that failed/ has one entry with content, or none, and that nothing else
// takes space.
func (f *fixture) failedWith(one bool, content string) {
	entries := f.store.Failed()
	if !one {
		require.Empty(f.t, entries)
		require.Zero(f.t, f.store.Status().SpoolBytes)
		return
	}
	require.Len(f.t, entries, 1)
	file, err := f.store.OpenFailed(entries[0].Name)
	require.NoError(f.t, err)
	defer file.Close()
	held, err := io.ReadAll(file)
	require.NoError(f.t, err)
	require.Equal(f.t, content, string(held))
	require.EqualValues(f.t, len(content), f.store.Status().SpoolBytes)
}

// TestOperationsOnAQueuedFileThatIsRewritten checks that operations on a queued file affect
// the queued content and leave nothing in the spool, while a program writes newer content.
func TestOperationsOnAQueuedFileThatIsRewritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do     func(f *fixture) error
		sent   map[string]string
		failed bool
	}{
		"discarded": {func(f *fixture) error { return f.store.DiscardQueued("a") }, map[string]string{"a": "newer"}, true},
		"removed":   {func(f *fixture) error { return f.store.Unlink(ctx, Root, "a") }, map[string]string{}, false},
		"renamed":   {func(f *fixture) error { return f.rename(Root, "a", Root, "b") }, map[string]string{"b": "newer"}, false},
		"hidden":    {func(f *fixture) error { return f.rename(Root, "a", Root, ".a") }, map[string]string{}, false},
		"replaced": {func(f *fixture) error {
			_, err := f.create(Root, "b", "other")
			return errors.Join(err, f.rename(Root, "b", Root, "a"))
		}, map[string]string{"a": "other"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, writingBack)
			f.absent(Root, "a")
			f.service.goAway(unreachable)
			a, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			f.writeAll(h, "newer")
			require.NoError(t, c.do(f))
			require.NoError(t, h.Flush(ctx))
			h.Release()
			f.service.goAway(nil)
			f.drain()
			if name == "hidden" {
				require.NoError(t, f.store.Unlink(ctx, Root, ".a"))
			}
			require.Equal(t, c.sent, f.service.all())
			f.failedWith(c.failed, "one")
		})
	}
}

// TestRefusedWhileItIsWrittenAgain checks that refused content moves to failed/ while a
// program writes newer content, and that the newer content is sent.
func TestRefusedWhileItIsWrittenAgain(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		f, open := midway(t)
		h, err := f.store.Open(f.lookup(Root, "a").Ino, true)
		require.NoError(t, err)
		f.writeAll(h, "newer")
		f.service.fail("UploadFile", errNo)
		if closed {
			require.NoError(t, h.Flush(ctx))
		}
		open()
		if !closed {
			f.eventually(func() bool { return len(f.store.Failed()) == 1 })
			f.eventually(func() bool { return f.store.Status().Waiting == 0 })
			require.NoError(t, h.Flush(ctx))
		}
		h.Release()
		f.drain()
		f.published("a", "newer")
		f.failedWith(!closed, "one")
	}
}

// TestAWriterKilledWhileOlderContentIsSent checks that a successful upload of the older
// content does not mark the killed writer's content as complete.
func TestAWriterKilledWhileOlderContentIsSent(t *testing.T) {
	t.Parallel()
	f, open := midway(t)
	h, err := f.store.Open(f.lookup(Root, "a").Ino, true)
	require.NoError(t, err)
	require.NoError(t, h.Truncate(0))
	f.writeAll(h, "half")
	h.Abandon(errors.New("killed"))
	open()
	f.eventually(func() bool { return f.store.Status().Waiting == 0 })
	h.Release()
	f.drain()
	f.published("a", "one")
	f.failedWith(true, "half")
}
