package media

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
	"paperfs/cache/state"
)

// makeOld converts the state to the format before blocks.
func makeOld(t *testing.T, dir string, statements ...string) {
	require.NoError(t, os.MkdirAll(dir, 0o700))
	db, err := sql.Open("sqlite", filepath.Join(dir, "state.db"))
	require.NoError(t, err)
	defer db.Close()
	const migrations = "../state/migration"
	old := make(fstest.MapFS)
	for _, name := range []string{"0001_state.sql", "0002_media.sql", "0003_library.sql", "0004_source.sql", "0005_media_copy.sql", "0006_media_spool.sql", "0007_media_move.sql"} {
		content, err := os.ReadFile(filepath.Join(migrations, name))
		require.NoError(t, err)
		old[name] = &fstest.MapFile{Data: content}
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, old, goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = provider.Up(t.Context())
	require.NoError(t, err)
	for _, statement := range statements {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
}

// TestOlderStateIsTakenOver checks that the state of an older paperfs is complete after each
// migration.
func TestOlderStateIsTakenOver(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dirs := state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}
	const row = `INSERT INTO media_inode (ino, kind, local, queued, service_id, size, size_kb, sha256, url,
		sent_mtime, mode, uid, gid, atime, mtime, ctime, target) VALUES `
	digest := sum([]byte("a"))
	makeOld(t, dirs.State,
		row+"(1, 1, 0, 0, 0, 0, 0, '', '', 0, 448, -1, 7, 5, 6, 7, '')",
		row+"(2, 1, 0, 0, 31, 0, 0, '', '', 0, 493, -1, -1, 2000000001, 2000000002, 2000000003, '')",
		row+"(40, 2, 0, 0, 77, 12345, 12, '"+digest+"', 'http://x/77/y', 3000000000, 420, 5, -1, 3000000000, 3000000000, 3000000001, '')",
		row+"(41, 2, 1, 0, 0, 0, 0, '', '', 0, 384, -1, -1, 0, 9, 8, '')",
		row+"(42, 3, 1, 0, 0, 0, 0, '', '', 0, 511, -1, -1, 1, 1, 1, '../away')",
		row+"(90, 2, 1, 0, 0, 0, 0, '', '', 0, 384, -1, -1, 1, 1, 1, '')",
		"INSERT INTO media_name VALUES (1, 'Döner \" d', 2), (2, 'a.jpg', 40), (1, '.one', 41), (2, '.two'||x'ff', 41), (2, '.link', 42)",
		"DELETE FROM media_inode WHERE ino = 90",
	)
	open := func() (*state.State, *Store) {
		st, err := state.Open(dirs, home)
		require.NoError(t, err)
		s, err := Open(Options{Service: newFakeService(), State: st, Reserve: -1})
		require.NoError(t, err)
		return st, s
	}
	for range 2 {
		st, s := open()
		root, dir := s.nodes[Root], s.nodes[2]
		require.Len(t, s.nodes, 5)
		require.Equal(t, []any{uint16(448), int64(Owner), int64(7)}, []any{root.Mode, root.UID, root.GID})
		require.Equal(t, []inode.Instant{5, 6, 7}, []inode.Instant{root.Atime, root.Mtime, root.Ctime})
		require.Same(t, dir, root.Children[`Döner " d`])
		require.EqualValues(t, 31, dir.ID)
		require.Equal(t, []inode.Instant{2000000001, 2000000002, 2000000003}, []inode.Instant{dir.Atime, dir.Mtime, dir.Ctime})
		file := dir.Children["a.jpg"]
		require.EqualValues(t, 40, file.Ino)
		require.Equal(t, tree.Version{ID: 77, Size: 12345, KB: 12, SHA256: inode.DigestOf(digest), URL: tree.AddressOf("http://x/77/y", 77, "a.jpg"), ModTime: 3000000000}, file.Pub)
		require.Equal(t, "http://x/77/y", file.Pub.Address())
		require.Equal(t, []any{uint16(420), int64(5), int64(Owner)}, []any{file.Mode, file.UID, file.GID})
		require.Same(t, file, s.files[77])
		scratch := root.Children[".one"]
		require.Same(t, scratch, dir.Children[".two\xff"])
		require.True(t, scratch.Local())
		require.Zero(t, scratch.Atime)
		require.Equal(t, "../away", dir.Children[".link"].Target)
		require.Greater(t, s.lastIno, Ino(90), "an inode number would be reused")
		require.NoError(t, s.Sync())
		s.mu.Lock()
		for _, n := range s.nodes { // the second time, rows are written and read as blocks
			s.saveLocked(n)
		}
		s.mu.Unlock()
		require.NoError(t, s.Close())
		require.NoError(t, st.Close())
	}
}
