package sqlitestore

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

func openNew(t *testing.T) (*Store, string) {
	file := filepath.Join(t.TempDir(), "a ?%#b.db") // a path may contain characters with a meaning in URIs
	s := testrun.Must(Open(context.Background(), file))(t)
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
	testrun.Must(s.writer.Exec(`UPDATE sqlite_sequence SET seq = ? WHERE name = 'node'`, store.MaxID))(t)
	require.Error(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		k := testrun.Must(tx.TenantByName("a"))(t)
		_, err := tx.AddNode(store.Node{Tenant: k.ID, Parent: k.Root, Kind: remote.PaperNode, Name: "n", URLName: "last"})
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
	require.Len(t, testrun.Must(os.ReadDir(filepath.Dir(file)))(t), 1)
}
