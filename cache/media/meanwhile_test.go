package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestATreeInTheMiddle checks that a GetTree between a deletion or move at the service and the moment
// when the store knows of it does not affect the change, even if the last program closes the
// file in the meantime.
func TestATreeInTheMiddle(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]string{"a move": "b", "a rename to scratch": ".a"} {
		for _, used := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", used"}[used], func(t *testing.T) {
				f, reply := newFixture(t, deleting), "the deletion's reply"
				if name == "a move" {
					f.service.tell(func(s *fakeService) { s.moves = true })
					reply = "the move's reply"
				}
				a, err := f.create(Root, "a", "content")
				require.NoError(t, err)
				require.NoError(t, f.store.Refresh(ctx))
				end := func() {}
				if used {
					h, err := f.store.Open(a.Ino, false)
					require.NoError(t, err)
					end = h.ReleaseInBackground
				}
				open := f.service.hold(reply)
				done := make(chan error)
				go func() { done <- f.rename(Root, "a", Root, to) }()
				<-f.service.entered
				require.NoError(t, f.store.Refresh(ctx))
				end()
				open()
				require.NoError(t, <-done)
				for range 2 {
					f.absent(Root, "a")
					require.Equal(t, a.Ino, f.lookup(Root, to).Ino)
					content, err := f.read(a.Ino)
					require.NoError(t, err)
					require.Equal(t, "content", content)
					require.NoError(t, f.store.Refresh(ctx))
					f.reopen()
				}
				f.service.set(0, to, "a colleague's")
				require.NoError(t, f.store.Refresh(ctx))
				if to != ".a" { // its next read compares again
					require.EqualValues(t, len("a colleague's"), f.lookup(Root, to).Size)
				}
			})
		}
	}
}

// TestATreeInTheMiddleOfARemoval checks that a program that writes a locally removed file is
// not told that others removed it.
func TestATreeInTheMiddleOfARemoval(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	a, err := f.create(Root, "a", "content")
	require.NoError(t, err)
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	open := f.service.hold("the deletion's reply")
	done := make(chan error)
	go func() { done <- f.store.Unlink(ctx, Root, "a") }()
	<-f.service.entered
	require.NoError(t, f.store.Refresh(ctx))
	open()
	require.NoError(t, <-done)
	require.NoError(t, f.finish(h, "for nobody"))
	require.Empty(t, f.store.Failed())
	require.Empty(t, f.service.all())
}

// TestADeletionWhoseReplyIsLost checks that the local content is sent again after such a
// deletion of a file that becomes scratch, because the service may have deleted the file.
func TestADeletionWhoseReplyIsLost(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]func(*Options){"direct": func(*Options) {}, "write-back": writingBack} {
		for _, again := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", mounted again"}[again], func(t *testing.T) {
				f := newFixture(t, deleting, options)
				a, err := f.create(Root, "a", "content")
				require.NoError(t, err)
				f.drain()
				require.NoError(t, f.store.Refresh(ctx))
				f.service.tell(func(s *fakeService) {
					s.lost = &remote.Error{Op: "DeleteFile", Kind: remote.Unreachable, Ambiguous: true}
				})
				require.Error(t, f.rename(Root, "a", Root, ".a"))
				if again {
					f.reopen()
				}
				require.NoError(t, f.store.Refresh(ctx))
				f.drain()
				f.published("a", "content")
				require.Equal(t, a.Ino, f.lookup(Root, "a").Ino)
				f.eventually(func() bool { return f.store.Status().SpoolBytes == 0 })
			})
		}
	}
}

// TestAColleagueTakesTheNameOfWhatIsSent has a colleague move the file to a name that the
// mount cannot show, and give its name to another file, while an upload waits for its answer.
// The upload replaces that other file, which has the name from then on, even for programs that
// write the first file.
func TestAColleagueTakesTheNameOfWhatIsSent(t *testing.T) {
	t.Parallel()
	f := newFixture(t, deleting)
	_, err := f.create(Root, "a", "one")
	require.NoError(t, err)
	require.NoError(t, f.store.Refresh(ctx))
	a := f.lookup(Root, "a")
	h, err := f.store.Open(a.Ino, true)
	require.NoError(t, err)
	f.writeAll(h, "two")
	open := f.service.hold("its reply")
	done := make(chan error)
	go func() { done <- h.Flush(ctx) }()
	<-f.service.entered
	f.service.mu.Lock()
	f.service.files[a.ID].name = "no/name"
	f.service.mu.Unlock()
	f.service.set(0, "a", "theirs")
	require.NoError(t, f.store.Refresh(ctx))
	open()
	require.NoError(t, <-done)
	h.Release()
	for range 2 {
		require.NoError(t, f.store.Refresh(ctx))
		require.NoError(t, f.store.check())
		now := f.lookup(Root, "a")
		require.NotEqual(t, a.Ino, now.Ino)
		content, err := f.read(now.Ino)
		require.NoError(t, err)
		require.Equal(t, "two", content)
	}
	require.NoError(t, f.overwrite(f.lookup(Root, "a").Ino, "three"))
	f.published("a", "three")
	require.Empty(t, f.store.Failed())
}
