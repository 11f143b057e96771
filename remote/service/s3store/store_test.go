package s3store

import (
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// records opens records with external contents.
func records(t testing.TB) *sqlitestore.Store {
	t.Helper()
	s := testrun.Must(sqlitestore.Open(t.Context(), filepath.Join(t.TempDir(), "service.db")))(t)
	s.ExternalContent = true
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// at opens contents at an address.
func at(t testing.TB, address string, ledger store.Ledger) *Store {
	t.Helper()
	p := testrun.Must(ParsePlace(address))(t)
	s := testrun.Must(New(p, ledger))(t)
	require.NoError(t, s.Check(t.Context()))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func change(t testing.TB, s store.Store, f func(tx store.Writer) error) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), store.AllTenants, f))
}

func TestContents(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	storetest.RunContents(t, func(t *testing.T) storetest.Contents {
		r := records(t)
		s := at(t, server.AddressBeside(t), r)
		drop := func(key string) {
			change(t, r, func(tx store.Writer) error { return tx.DropContent(key) })
			testrun.Must(s.Clean(t.Context()))(t)
		}
		return storetest.Contents{Contents: s, Drop: drop, Unknown: uuid.NewString()}
	})
}
