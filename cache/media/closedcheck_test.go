package media

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/tree"
)

// TestAClosedStoreThatContradictsItself damages a store in each way that the check reports.
// Other tests show that kills and power losses leave no inconsistency.
func TestAClosedStoreThatContradictsItself(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	dir := f.mkdir(Root, "logos")
	_, err := f.create(dir, "acme.svg", "content")
	require.NoError(t, err)
	require.NoError(t, f.store.Close())
	db, state := f.state.DB(), f.dirs.State
	require.NoError(t, checkClosed(db, state))

	stray := filepath.Join(state, "failed", "77")
	require.NoError(t, os.WriteFile(stray, []byte("content"), 0o600))
	require.EqualError(t, checkClosed(db, state), stray+" has no entry")
	require.NoError(t, os.Remove(stray))

	var inodes []byte
	require.NoError(t, db.QueryRow("SELECT inodes FROM media_block WHERE number = 0").Scan(&inodes))
	_, err = db.Exec("UPDATE media_block SET inodes = ? WHERE number = 0", append(inodes, 'x'))
	require.NoError(t, err)
	require.ErrorIs(t, checkClosed(db, state), journal.ErrBlock)
	lost, gone := tree.NewNode(5, File), tree.NewNode(99, Directory)
	lost.Parent, lost.Name = gone, "lost.svg"
	var file journal.Fields
	file.Inode(lost)
	_, err = db.Exec("UPDATE media_block SET inodes = ? WHERE number = 0", []byte(file))
	require.NoError(t, err)
	require.EqualError(t, checkClosed(db, state), `"lost.svg" is in no directory`)
	_, err = db.Exec("DELETE FROM media_block")
	require.NoError(t, err)
	require.NoError(t, f.state.Close())
	f.open() // a consistent store, closed at the end of the test
}
