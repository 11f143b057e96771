package sqlitestore

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestADamagedDatabaseIsNotChanged checks that the first answer of SQLite that shows damage ends all
// changes, those of workers as well as those of callers, also in a part that is whole: what is added to
// damaged records is lost when they are restored.
func TestADamagedDatabaseIsNotChanged(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "service.db")
	s := testrun.Must(Open(t.Context(), file))(t)
	require.NoError(t, s.Close())
	db := testrun.Must(sql.Open("sqlite", file))(t)
	var page int64
	require.NoError(t, db.QueryRow(`SELECT rootpage FROM sqlite_master WHERE name = 'media_dir'`).Scan(&page))
	require.NoError(t, db.Close())
	f := testrun.Must(os.OpenFile(file, os.O_WRONLY, 0))(t)
	testrun.Must(f.WriteAt(make([]byte, 4096), (page-1)*4096))(t)
	require.NoError(t, f.Close())

	s = testrun.Must(Open(t.Context(), file))(t)
	defer func() { require.NoError(t, s.Close()) }()
	add := func(name string) error {
		return s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
			_, err := tx.AddTenant(store.Tenant{Name: name, RootURL: "/"})
			return err
		})
	}
	require.NoError(t, add("before"), "nobody knows yet")
	require.NoError(t, s.Damaged())
	err := s.Read(t.Context(), func(tx store.Reader) error {
		_, err := tx.Dir(1, 1)
		return err
	})
	require.ErrorIs(t, err, store.ErrDamaged)
	require.ErrorIs(t, s.Damaged(), store.ErrDamaged)
	require.ErrorIs(t, add("after"), store.ErrDamaged)
	require.ErrorIs(t, s.Intend(t.Context(), "key"), store.ErrDamaged)
	_, err = s.Claim(t.Context(), "owner", time.Minute)
	require.True(t, store.IsNotFound(err), "there is no work: %v", err)
	require.ErrorIs(t, s.Ready(t.Context()), store.ErrDamaged)
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		_, err := tx.TenantByName("before")
		return err
	}), "what can be read is read")
}

// TestExamineMeetsAnyDamage empties the first page of each table and index, one after the other.
func TestExamineMeetsAnyDamage(t *testing.T) {
	t.Parallel()
	whole, file := openNew(t)
	require.NoError(t, whole.Write(t.Context(), store.AllTenants, addTenant("a")))
	all := func(s *Store) (err error) {
		for part, first := "", true; err == nil && (first || part != ""); first = false {
			part, err = s.Examine(t.Context(), part)
		}
		return err
	}
	require.NoError(t, all(whole))
	require.NoError(t, whole.Damaged())
	pages := map[string]int64{}
	rows := testrun.Must(whole.reader.Query(`SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0`))(t)
	for rows.Next() {
		var name string
		var page int64
		require.NoError(t, rows.Scan(&name, &page))
		pages[name] = page
	}
	require.NoError(t, rows.Err())
	require.NoError(t, whole.Close())
	text := testrun.Must(os.ReadFile(file))(t)
	for name, page := range pages {
		damaged := bytes.Clone(text)
		clear(damaged[(page-1)*4096 : page*4096])
		require.NoError(t, os.WriteFile(file, damaged, 0o600))
		s := connect(file)
		require.ErrorIs(t, all(s), store.ErrDamaged, name)
		require.ErrorIs(t, s.Damaged(), store.ErrDamaged, name)
		require.NoError(t, s.Close())
	}
}

// TestARemovedDatabaseIsNotChangedOrMadeAgain removes the database of an open store, and puts it back.
func TestARemovedDatabaseIsNotChangedOrMadeAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "service.db")
	s := testrun.Must(Open(t.Context(), file))(t)
	defer func() { require.NoError(t, s.Close()) }()
	change := func() error {
		return s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.SetReadOnly(true) })
	}
	look := func() error {
		return s.Read(t.Context(), func(tx store.Reader) error { _, err := tx.ReadOnly(); return err })
	}
	require.NoError(t, change())
	require.NoError(t, os.Rename(file, file+".away"))
	require.ErrorIs(t, change(), store.ErrDamaged)
	require.ErrorIs(t, s.Ready(t.Context()), store.ErrDamaged)
	require.Error(t, look(), "nothing is read that nobody has written")
	require.NoFileExists(t, file)
	require.NoError(t, os.Rename(file+".away", file))
	require.NoError(t, change())
	require.NoError(t, look())
}
