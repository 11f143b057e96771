package storetest

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// mediaHaveVersions checks which changes of media replace which versions.
func mediaHaveVersions(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	write := func(f func(tx store.Writer)) {
		require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) error { f(tx); return nil }))
	}
	versions := map[int64]bool{}
	isNew := func(version int64, err error) int64 {
		require.NoError(t, err)
		require.False(t, versions[version])
		versions[version] = true
		return version
	}
	write(func(tx store.Writer) {
		top, err := tx.AddDir(a.ID, store.Dir{Name: "top"})
		require.NoError(t, err)
		below, err := tx.AddDir(a.ID, store.Dir{Parent: top, Name: "below"})
		require.NoError(t, err)
		file, err := tx.AddFile(a.ID, store.File{Dir: below, Name: "f", Small: []byte("1"), Version: 5})
		require.NoError(t, err)
		f, err := tx.File(a.ID, file)
		require.NoError(t, err)
		require.EqualValues(t, 5, isNew(f.Version, nil))

		for id, is := range map[int64]bool{0: false, top: true, below: true} {
			found, err := tx.DirBelow(id, top)
			require.NoError(t, err)
			require.Equal(t, is, found)
		}
		moved := isNew(tx.MoveDir(below, 0, "Below"))
		d, err := tx.DirByName(a.ID, 0, "bElow")
		require.NoError(t, err)
		require.Equal(t, store.Dir{ID: below, Name: "Below", Version: moved}, d)
		isNew(tx.SetContent(file, store.File{Small: []byte("2")}, time.Now()))
		moved = isNew(tx.MoveFile(file, top, "F"))
		f, err = tx.FileByName(a.ID, top, "f")
		require.NoError(t, err)
		require.Equal(t, store.File{ID: file, Dir: top, Name: "F", Version: moved}, f)
		data, err := tx.SmallContent(file)
		require.NoError(t, err)
		require.Equal(t, "2", string(data))
		_, err = tx.MoveFile(999, top, "x")
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

// filesEnd checks what is known of files that ended.
func filesEnd(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	begin := time.Unix(1_900_000_000, 0)
	require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) error {
		add := func(name, content string) int64 {
			id, err := tx.AddFile(a.ID, store.File{Name: name, Size: int64(len(content)), SHA256: sha256.Sum256([]byte(content)), Small: []byte(content)})
			require.NoError(t, err)
			return id
		}
		successor := func(id int64) int64 {
			f, err := tx.Successor(a.ID, id)
			require.NoError(t, store.IgnoreNotFound(err))
			return f.ID
		}
		heir, one, two, three := add("heir", "x"), add("one", "x"), add("two", "y"), add("three", "x")
		require.NoError(t, tx.DeleteFile(one, heir, begin))
		require.NoError(t, tx.DeleteFile(two, heir, begin.Add(time.Second)))
		require.Equal(t, heir, successor(one))
		require.Zero(t, successor(two), "the successor has other content")
		require.Zero(t, successor(heir))
		require.ErrorIs(t, tx.DeleteFile(one, 0, begin), store.ErrNotFound)
		require.NoError(t, tx.DeleteFile(three, 0, begin.Add(24*time.Hour)))
		require.Equal(t, heir, successor(one))
		require.NoError(t, tx.DeleteFile(add("four", ""), 0, begin.Add(24*time.Hour+time.Second)))
		require.Zero(t, successor(one), "it is forgotten after a day")
		return nil
	}))
}

// replacedContentIsKept checks what is kept of replaced content, and that it keeps its place in the
// ledger until it is forgotten.
func replacedContentIsKept(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	begin := time.Unix(1_900_000_000, 0)
	require.NoError(t, s.Intend(t.Context(), "key"))
	require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) error {
		id, err := tx.AddFile(a.ID, store.File{Name: "f", Size: 1, Small: []byte("1"), Version: 1})
		require.NoError(t, err)
		large := store.File{Size: 9, SHA256: [32]byte{9}, Content: "key"}
		require.NoError(t, tx.KeepContent("key"))
		large.Version, err = tx.SetContent(id, large, begin)
		require.NoError(t, err)
		_, err = tx.SetContent(id, store.File{Small: []byte{}}, begin.Add(time.Minute))
		require.NoError(t, err)
		require.NoError(t, tx.DropContent(""))

		past, err := tx.PastFile(a.ID, id, 1)
		require.NoError(t, err)
		require.Equal(t, store.File{ID: id, Size: 1, Small: []byte("1"), Version: 1}, past)
		past, err = tx.PastFile(a.ID, id, large.Version)
		require.NoError(t, err)
		past.Small = nil
		large.ID = id
		require.Equal(t, large, past)
		_, err = tx.PastFile(a.ID+1, id, 1)
		require.ErrorIs(t, err, store.ErrNotFound)
		used, err := tx.Usage(a.ID, begin)
		require.NoError(t, err)
		require.Zero(t, used.MediaBytes)

		keys, err := tx.ContentKeys("k")
		require.NoError(t, err)
		require.Equal(t, []string{"key"}, keys)
		faults, err := tx.Faults()
		require.NoError(t, err)
		require.Empty(t, faults)
		tenants, err := tx.PastTenants(begin)
		require.NoError(t, err)
		require.Empty(t, tenants)
		tenants, err = tx.PastTenants(begin.Add(time.Second))
		require.NoError(t, err)
		require.Equal(t, []int64{a.ID}, tenants)
		keys, err = tx.ForgetPast(a.ID, begin.Add(time.Second))
		require.NoError(t, err)
		require.Equal(t, []string{""}, keys)
		keys, err = tx.ForgetPast(a.ID, begin.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, []string{"key"}, keys)
		return tx.DropContent("key")
	}))
	left, err := s.Leftovers(t.Context(), 0, 0, store.Leftover{}, 10)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func tenantNamed(t *testing.T, s store.Store, name string) (a store.Tenant) {
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) (err error) {
		a, err = tx.TenantByName(name)
		return err
	}))
	return a
}
