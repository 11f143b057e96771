package media

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/remote"
)

// refreshed refreshes the tree and reports whether the service sent one.
func (f *fixture) refreshed() bool {
	before := f.service.unchanged.Load()
	require.NoError(f.t, f.store.Refresh(ctx))
	return f.service.unchanged.Load() == before
}

func TestAnUnchangedTreeIsNotCompared(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.set(0, "a", "x")
	require.True(t, f.refreshed())
	a := f.lookup(Root, "a")
	noted := func() string {
		require.NoError(t, f.store.WaitWritten())
		text, _, err := f.state.Value(journal.TreeKey)
		require.NoError(t, err)
		return text
	}
	before := noted()
	f.pass(time.Hour)
	require.False(t, f.refreshed())
	require.Equal(t, before, noted(), "the state is not written")
	asked := f.service.count("GetTree")
	f.lookup(Root, "a")
	require.Equal(t, asked, f.service.count("GetTree"), "the tree counts as fresh")

	// Local changes, and versions that the service has reported already, need no new tree.
	content, err := f.read(a.Ino)
	require.NoError(t, err)
	require.Equal(t, "x", content)
	mode := uint32(0o600)
	_, err = f.store.SetAttr(a.Ino, Change{Mode: &mode})
	require.NoError(t, err)
	require.False(t, f.refreshed())

	f.service.set(0, "b", "y")
	require.True(t, f.refreshed())
	require.Equal(t, []string{"a", "b"}, shownNames(t, f, Root))
	require.False(t, f.refreshed())
	f.reopen()
	require.Greater(t, noted(), before)
	require.True(t, f.refreshed(), "an earlier run may not have applied its whole tree")
	require.False(t, f.refreshed())
}

// TestAChangeThatWasUndoneIsSeen has a colleague undo a change of this mount, which restores
// the tree that was known before.
func TestAChangeThatWasUndoneIsSeen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.set(0, "a", "x")
	require.True(t, f.refreshed())
	require.False(t, f.refreshed())
	made, err := f.create(Root, "own", "content")
	require.NoError(t, err)
	made, err = f.store.Stat(made.Ino)
	require.NoError(t, err)
	require.NoError(t, f.service.DeleteFile(ctx, made.ID))
	require.True(t, f.refreshed())
	f.absent(Root, "own")
	require.False(t, f.refreshed())
}

// TestAnAnswerDuringAChangeIsAskedForAgain changes something locally while a tree is being
// fetched. The store does not apply that part of the tree, and has to fetch it again.
func TestAnAnswerDuringAChangeIsAskedForAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.service.set(0, "a", "x")
	require.True(t, f.refreshed())
	f.service.set(0, "a", "theirs")
	open := f.service.hold("GetTree")
	fetched := make(chan error)
	go func() { fetched <- f.store.Refresh(ctx) }()
	<-f.service.entered
	require.NoError(t, f.overwrite(f.lookup(Root, "a").Ino, "ours"))
	open()
	require.NoError(t, <-fetched)
	f.service.set(0, "a", "theirs")
	require.Equal(t, id, f.lookup(Root, "a").ID)
	require.True(t, f.refreshed(), "the answer is unchanged, but the local tree is not")
	content, err := f.read(f.lookup(Root, "a").Ino)
	require.NoError(t, err)
	require.Equal(t, "theirs", content)
	require.False(t, f.refreshed())
}

// TestAHiddenFileIsShownWhenTheLocalOneGoes checks that a file that a local one hides appears when the
// local one is removed, although the service still has the same tree.
func TestAHiddenFileIsShownWhenTheLocalOneGoes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.create(Root, ".x", "mine")
	require.NoError(t, err)
	f.service.set(0, ".x", "theirs")
	require.True(t, f.refreshed())
	require.True(t, f.refreshed(), "a local file hides part of the tree")
	require.NoError(t, f.store.Unlink(ctx, Root, ".x"))
	require.True(t, f.refreshed())
	require.NotZero(t, f.lookup(Root, ".x").ID)
	require.False(t, f.refreshed())
}

func TestNamesThatAreNeverShownAreNoReasonToAskAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.mu.Lock()
	f.service.dirs[1] = remote.MediaDir{ID: 1, Name: strings.Repeat("x", 300)}
	f.service.dirs[2] = remote.MediaDir{ID: 2, Parent: 1, Name: "below"}
	f.service.mu.Unlock()
	f.service.set(2, "file", "x")
	f.service.set(0, "a/b", "x")
	f.service.set(0, "a", "x")
	require.True(t, f.refreshed())
	require.True(t, slices.Equal([]string{"a"}, shownNames(t, f, Root)))
	require.Len(t, f.store.GetTree.Hidden, 2)
	require.False(t, f.refreshed())
	require.Len(t, f.store.GetTree.Hidden, 2)
}
