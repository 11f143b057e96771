package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestAnUploadUnderWayIsNoConflict checks that a GetTree that shows what is being sent, before the
// upload is answered, is not taken for a colleague's version: not by a close in the meantime, and not
// by the upload that follows one whose answer is lost.
func TestAnUploadUnderWayIsNoConflict(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]error{"answered": nil, "lost": &remote.Error{Op: "UploadFile", Kind: remote.Unreachable, Ambiguous: true}} {
		for first, before := range map[string]string{"new": "", "published": "old"} {
			t.Run(name+", "+first, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, writingBack)
				require.NoError(t, f.store.Refresh(ctx))
				if before != "" {
					_, err := f.create(Root, "a", before)
					require.NoError(t, err)
					f.drain()
				}
				if lost != nil {
					f.service.tell(func(s *fakeService) { s.late = true })
					f.service.fail("UploadFile", lost)
				}
				reply := f.service.hold("its reply")
				var a Attr
				var err error
				if before == "" {
					a, err = f.create(Root, "a", "one")
				} else {
					a = f.lookup(Root, "a")
					err = f.overwrite(a.Ino, "one")
				}
				require.NoError(t, err)
				<-f.service.entered
				f.service.set(0, "a", "one") // it takes effect
				require.NoError(t, f.store.Refresh(ctx))
				require.NoError(t, f.overwrite(a.Ino, "second"))
				reply()
				f.drain()
				f.published("a", "second")
				require.Empty(t, f.store.Failed())
				require.Equal(t, a.Ino, f.lookup(Root, "a").Ino)
			})
		}
	}
}

// TestAColleagueDuringAnUploadThatFails checks that the queue does not overwrite a version that a
// GetTree showed while the queue was sending.
func TestAColleagueDuringAnUploadThatFails(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	require.NoError(t, f.store.Refresh(ctx))
	f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Unreachable})
	open := f.service.hold("UploadFile")
	_, err := f.create(Root, "a", "mine")
	require.NoError(t, err)
	<-f.service.entered
	f.service.set(0, "a", "theirs")
	require.NoError(t, f.store.Refresh(ctx))
	open()
	f.store.RetryNow()
	f.eventually(func() bool { return len(f.store.Failed()) == 1 })
	f.published("a", "theirs")
}

// TestAnOldAnswerIsNoConflictWithARename checks that a GetTree that began before an upload was recorded
// does not make a colleague's version of what that upload replaced, for a file that is renamed over it.
func TestAnOldAnswerIsNoConflictWithARename(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	a, err := f.create(Root, "a", "old")
	require.NoError(t, err)
	f.drain()
	require.NoError(t, f.store.Refresh(ctx))
	f.service.set(0, "b", "theirs") // so that the answer is not the one before
	answer := f.service.hold("GetTree")
	refreshed := make(chan error, 1)
	go func() { refreshed <- f.store.Refresh(ctx) }()
	<-f.service.entered
	require.NoError(t, f.overwrite(a.Ino, "newer"))
	f.drain()
	_, h, err := f.store.Create(Root, ".a.tmp", New{Mode: 0o644})
	require.NoError(t, err)
	f.writeAll(h, "newest")
	require.NoError(t, h.Flush(ctx))
	require.NoError(t, f.rename(Root, ".a.tmp", Root, "a")) // it is not sent while it is open
	answer()
	require.NoError(t, <-refreshed)
	f.writeAll(h, "Newest")
	require.NoError(t, h.Flush(ctx))
	h.Release()
	f.drain()
	f.published("a", "Newest")
	require.Empty(t, f.store.Failed())
}
