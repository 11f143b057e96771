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
		file, err := tx.AddFile(a.ID, store.File{Dir: below, Name: "f", SHA256: sha256.Sum256([]byte("1")), Small: []byte("1"), Version: 5})
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
		isNew(tx.SetContent(file, store.File{SHA256: sha256.Sum256([]byte("2")), Small: []byte("2")}, by(time.Now())))
		moved = isNew(tx.MoveFile(file, top, "F"))
		f, err = tx.FileByName(a.ID, top, "f")
		require.NoError(t, err)
		require.Equal(t, store.File{ID: file, Dir: top, Name: "F", SHA256: sha256.Sum256([]byte("2")), Version: moved}, f)
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
		require.NoError(t, tx.DeleteFile(one, heir, by(begin)))
		require.NoError(t, tx.DeleteFile(two, heir, by(begin)))
		require.Equal(t, heir, successor(one))
		require.Zero(t, successor(two), "the successor has other content")
		require.Zero(t, successor(heir))
		require.ErrorIs(t, tx.DeleteFile(one, 0, by(begin)), store.ErrNotFound)
		require.NoError(t, tx.DeleteFile(three, 0, by(begin.Add(time.Hour))))
		outdated := func(ended time.Time) (ids []int64) {
			entries, err := tx.Outdated(a.ID, store.Outdated{Before: begin, Bytes: 1000, Ended: ended})
			require.NoError(t, err)
			for _, k := range entries {
				require.False(t, k.Holds)
				ids = append(ids, k.ID)
			}
			return ids
		}
		require.Empty(t, outdated(begin))
		require.Len(t, outdated(begin.Add(time.Second)), 2, "what is left of those that became others")
		require.NoError(t, tx.Forget(outdated(begin.Add(time.Second))[0]))
		require.Zero(t, successor(one), "it is forgotten")
		require.Len(t, outdated(begin.Add(2*time.Hour)), 1, "the deleted one holds its content")
		return nil
	}))
}

// by is an account that takes something away.
func by(at time.Time) store.By { return store.By{At: at, Account: "x"} }

// contentIsKept checks what is kept of replaced and deleted files and directories, and that content
// keeps its place in the ledger until it is dropped.
func contentIsKept(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	begin := time.Unix(1_900_000_000, 0).UTC()
	require.NoError(t, s.Intend(t.Context(), "key"))
	require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) error {
		one := sha256.Sum256([]byte("1"))
		dir, err := tx.AddDir(a.ID, store.Dir{Name: "D"})
		require.NoError(t, err)
		id, err := tx.AddFile(a.ID, store.File{Dir: dir, Name: "f", Size: 1, SHA256: one, Small: []byte("1"), Version: 1})
		require.NoError(t, err)
		large := store.File{Size: 9, SHA256: [32]byte{9}, Content: "key"}
		require.NoError(t, tx.KeepContent("key"))
		large.Version, err = tx.SetContent(id, large, by(begin))
		require.NoError(t, err)
		large.ID, large.Dir, large.Name = id, dir, "f"
		empty := store.File{ID: id, Dir: dir, Name: "f", SHA256: sha256.Sum256(nil)}
		empty.Version, err = tx.SetContent(id, store.File{SHA256: empty.SHA256, Small: []byte{}}, by(begin.Add(time.Minute)))
		require.NoError(t, err)
		again, err := tx.SetContent(id, store.File{SHA256: empty.SHA256, Small: []byte{}, Version: empty.Version}, store.By{})
		require.NoError(t, err)
		require.Equal(t, empty.Version, again, "it is the same content")
		require.NoError(t, tx.DeleteFile(id, 0, by(begin.Add(time.Hour))))
		require.NoError(t, tx.DeleteDir(dir, by(begin.Add(time.Hour))))
		require.ErrorIs(t, tx.DeleteDir(dir, by(begin)), store.ErrNotFound)
		require.NoError(t, tx.DropContent(""))

		heldBack(t, tx, a.ID, large)
		all := entriesGoInOrder(t, tx, a.ID, begin, []store.Kept{
			{Kind: store.KeptFile, By: by(begin), Replaced: true, Holds: true, File: store.File{ID: id, Dir: dir, Name: "f", Size: 1, SHA256: one, Version: 1}},
			{Kind: store.KeptFile, By: by(begin.Add(time.Minute)), Replaced: true, Holds: true, File: large},
			{Kind: store.KeptFile, By: by(begin.Add(time.Hour)), Holds: true, File: empty},
			{Kind: store.KeptDir, By: by(begin.Add(time.Hour)), Holds: true, File: store.File{ID: dir, Name: "D"}},
		})
		require.NoError(t, tx.Empty(all[1].ID))
		require.NoError(t, tx.DropContent("key"))
		require.NoError(t, tx.Forget(all[0].ID))
		require.ErrorIs(t, tx.Forget(all[0].ID), store.ErrNotFound)
		_, err = tx.PastFile(a.ID, id, large.Version)
		require.ErrorIs(t, err, store.ErrNotFound)
		return nil
	}))
	left, err := s.Leftovers(t.Context(), 0, 0, store.Leftover{}, 10)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// heldBack checks what is known of a file that had small content, then large content, and was deleted.
func heldBack(t *testing.T, tx store.Writer, tenant int64, large store.File) {
	past, err := tx.PastFile(tenant, large.ID, 1)
	require.NoError(t, err)
	require.Equal(t, store.File{ID: large.ID, Size: 1, SHA256: sha256.Sum256([]byte("1")), Small: []byte("1"), Version: 1}, past)
	past, err = tx.PastFile(tenant, large.ID, large.Version)
	require.NoError(t, err)
	past.Small = nil
	require.Equal(t, store.File{ID: large.ID, Size: 9, SHA256: large.SHA256, Content: "key", Version: large.Version}, past)
	_, err = tx.PastFile(tenant+1, large.ID, 1)
	require.ErrorIs(t, err, store.ErrNotFound)
	used, err := tx.Usage(tenant, time.Now())
	require.NoError(t, err)
	require.Zero(t, used.MediaBytes)
	held, err := tx.Held(tenant)
	require.NoError(t, err)
	require.Zero(t, held)
	bytes, err := tx.KeptBytes(tenant)
	require.NoError(t, err)
	require.EqualValues(t, 10, bytes)

	keys, err := tx.ContentKeys("k")
	require.NoError(t, err)
	require.Equal(t, []string{"key"}, keys)
	faults, err := tx.Faults()
	require.NoError(t, err)
	require.Empty(t, faults)
	tenants, err := tx.KeepingTenants()
	require.NoError(t, err)
	require.Equal(t, []int64{tenant}, tenants)
}

// entriesGoInOrder checks which entries are outdated when, all of which began a time ago.
func entriesGoInOrder(t *testing.T, tx store.Writer, tenant int64, begin time.Time, want []store.Kept) []store.Kept {
	outdated := func(o store.Outdated) []store.Kept {
		all, err := tx.Outdated(tenant, o)
		require.NoError(t, err)
		return all
	}
	require.Empty(t, outdated(store.Outdated{Before: begin, Bytes: 10, Spared: begin.Add(24 * time.Hour)}))
	all := outdated(store.Outdated{Before: begin.Add(24 * time.Hour)})
	require.Len(t, all, len(want))
	for i := range want {
		if want[i].ID = all[i].ID; want[i].Kind == store.KeptDir {
			want[i].Version = all[i].Version
		}
	}
	require.Equal(t, want, all)
	require.Equal(t, all[:2], outdated(store.Outdated{Before: begin.Add(time.Hour), Bytes: 1000}))
	require.Equal(t, all[:1], outdated(store.Outdated{Bytes: 9, Spared: begin.Add(time.Minute)}), "the oldest goes")
	require.Equal(t, all[:1], outdated(store.Outdated{Bytes: 8, Spared: begin.Add(time.Minute)}), "younger ones are spared")
	require.Equal(t, all[:2], outdated(store.Outdated{Bytes: 8, Spared: begin.Add(time.Hour)}))
	return all
}

func tenantNamed(t *testing.T, s store.Store, name string) (a store.Tenant) {
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) (err error) {
		a, err = tx.TenantByName(name)
		return err
	}))
	return a
}

// damagedContentIsNotServed has small content, now and earlier, that is not what its record says.
func damagedContentIsNotServed(t *testing.T, open Open) {
	s := open(t)
	require.NoError(t, s.Write(t.Context(), store.AllTenants, addTenant("a")))
	a := tenantNamed(t, s, "a")
	var file, whole, entry, past int64
	require.NoError(t, s.Write(t.Context(), a.ID, func(tx store.Writer) (err error) {
		other := store.File{Name: "f", Size: 1, SHA256: sha256.Sum256([]byte("1")), Small: []byte("2")}
		past = 7
		other.Version = past
		file, err = tx.AddFile(a.ID, other)
		require.NoError(t, err)
		other.Version = 0
		_, err = tx.SetContent(file, other, by(time.Now()))
		require.NoError(t, err)
		entries, err := tx.Entries(a.ID, time.Unix(0, 0), 2)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		entry = entries[0].ID
		other.Name, other.Small = "g", []byte("1")
		whole, err = tx.AddFile(a.ID, other)
		return err
	}))
	require.NoError(t, s.Damaged())
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error { _, err := tx.SmallContent(whole); return err }))
	for _, read := range []func(store.Reader) error{
		func(tx store.Reader) error { _, err := tx.PastFile(a.ID, file, past); return err },
		func(tx store.Reader) error { _, err := tx.Kept(a.ID, entry); return err },
		func(tx store.Reader) error { _, err := tx.SmallContent(file); return err },
	} {
		require.ErrorIs(t, s.Read(t.Context(), read), store.ErrDamaged)
	}
	require.ErrorIs(t, s.Damaged(), store.ErrDamaged)
	require.ErrorIs(t, s.Write(t.Context(), a.ID, func(store.Writer) error { return nil }), store.ErrDamaged)
}
