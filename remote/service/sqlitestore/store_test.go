package sqlitestore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
)

func openNew(t *testing.T) (*Store, string) {
	file := filepath.Join(t.TempDir(), "a ?%#b.db") // a path may contain characters with a meaning in URIs
	s, err := Open(context.Background(), file)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	require.FileExists(t, file)
	return s, file
}

func TestEngine(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store {
		s, _ := openNew(t)
		s.ExternalContent = true
		s.Dropped = func(key string) { t.Errorf("%s must not be dropped as a file", key) }
		return s
	})
}

func TestReaderCannotWrite(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	err := s.Read(context.Background(), func(r store.Reader) error { return r.(*tx).SetReadOnly(true) })
	require.ErrorContains(t, err, "readonly")
}

// TestIDsAreUsedUp checks that no id is reused.
func TestIDsAreUsedUp(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	_, err := s.writer.Exec(`UPDATE sqlite_sequence SET seq = ? WHERE name = 'node'`, store.MaxID)
	require.NoError(t, err)
	require.Error(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		k, err := tx.TenantByName("a")
		require.NoError(t, err)
		_, err = tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: "n", URLName: "last"})
		return err
	}))
}

func TestSchemaVersions(t *testing.T) {
	t.Parallel()
	s, file := openNew(t)
	ctx := context.Background()
	var latest int64
	require.NoError(t, s.writer.QueryRow(`SELECT max(version_id) FROM goose_db_version`).Scan(&latest))
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "kept", RootURL: "/"})
		return err
	}))
	_, err := s.writer.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)`, latest+1)
	require.NoError(t, err)
	for _, open := range []func(context.Context, string) (*Store, error){Open, OpenExisting} {
		_, err = open(ctx, file)
		require.ErrorContains(t, err, "newer paperfs")
	}
}

// TestOlderSchemaIsCopiedFirst creates a database of the first version.
func TestOlderSchemaIsCopiedFirst(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "old.db")
	ctx := context.Background()
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	old := connect(file)
	p, err := goose.NewProvider(goose.DialectSQLite3, old.writer, migrations())
	require.NoError(t, err)
	_, err = p.UpTo(ctx, 1)
	require.NoError(t, err)
	_, err = old.writer.Exec(`INSERT INTO tenant (name, root_url, public_url, orders) VALUES ('kept', '/', '', 1)`)
	require.NoError(t, err)
	_, err = old.writer.Exec(`INSERT INTO media_file (tenant, dir, name, folded_name, size, sha256, content) VALUES
		(1, 0, 'kept', 'kept', 1, zeroblob(32), 'key'), (1, 0, 'gone', 'gone', 1, zeroblob(32), 'other')`)
	require.NoError(t, err)
	_, err = old.writer.Exec(`INSERT INTO node (tenant, kind, name, folded_name, url_name) VALUES (1, 2, 'paper', 'paper', 'paper')`)
	require.NoError(t, err)
	_, err = old.writer.Exec(`DELETE FROM media_file WHERE name = 'gone'`)
	require.NoError(t, err)
	require.NoError(t, old.Close())

	_, err = OpenExisting(ctx, file)
	require.ErrorContains(t, err, "start the service once")
	s, err := Open(ctx, file)
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		kept, err := tx.FileByName(1, 0, "kept")
		require.NoError(t, err)
		require.NotZero(t, kept.Version)
		require.Equal(t, store.File{ID: 1, Name: "kept", Size: 1, Content: "key", Version: kept.Version}, kept)
		used, err := tx.Usage(1, time.Now())
		require.NoError(t, err)
		require.Equal(t, store.Usage{MediaBytes: 1, Papers: 1}, used, "existing records are counted")
		edition, err := tx.Edition(1)
		require.NoError(t, err)
		require.NotZero(t, edition, "an existing paper may already have pages")
		id, err := tx.AddFile(1, store.File{Name: "new", Small: []byte("new")})
		require.EqualValues(t, 3, id, "ids are not reused")
		return err
	}))
	for _, db := range []*Store{s, connect(fmt.Sprintf("%s.before-1", file))} {
		var name string
		require.NoError(t, db.reader.QueryRow(`SELECT name FROM tenant WHERE id > 0`).Scan(&name))
		require.Equal(t, "kept", name)
		require.NoError(t, db.Close())
	}
}

// TestCloseLeavesOneFile checks that everything is then in the database itself.
func TestCloseLeavesOneFile(t *testing.T) {
	t.Parallel()
	s, file := openNew(t)
	ctx := context.Background()
	require.NoError(t, s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		_, err := tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"})
		return err
	}))
	require.NoError(t, s.Read(ctx, func(tx store.Reader) error {
		_, err := tx.TenantByName("a")
		return err
	}))
	require.NoError(t, s.Close())
	entries, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}
