package sqlitestore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestFilesNeedNoLedger checks that, without ExternalContent, nothing is intended, and a record may
// name any key.
func TestFilesNeedNoLedger(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	change := func(f func(tx store.Writer) error) { require.NoError(t, s.Write(t.Context(), store.AllTenants, f)) }
	change(func(tx store.Writer) error { return tx.KeepContent("a file") })
	change(func(tx store.Writer) error { return tx.DropContent("a file") })
	require.Empty(t, testrun.Must(s.Leftovers(t.Context(), 0, 0, store.Leftover{}, 10))(t))
}

// TestWalkReadsOneIndex checks the query plan: with an expression other than the schema's, SQLite
// would read every node from the table.
func TestWalkReadsOneIndex(t *testing.T) {
	t.Parallel()
	s, _ := openNew(t)
	var detail string
	var ignored int
	require.NoError(t, s.reader.QueryRow("EXPLAIN QUERY PLAN "+childrenInOrder, 1).Scan(&ignored, &ignored, &ignored, &detail))
	require.Equal(t, "SEARCH node USING COVERING INDEX node_order (parent=?)", detail)
	require.NoError(t, s.reader.QueryRow("EXPLAIN QUERY PLAN "+filledInOrder, 1).Scan(&ignored, &ignored, &ignored, &detail))
	require.Equal(t, "SEARCH node USING COVERING INDEX node_order (parent=?)", detail)
}

// TestTheFirstChangeOfACopyTakesNoMark checks a mark of the only change after a copy was made, when the copy has made
// one change, too: they have the same number.
func TestTheFirstChangeOfACopyTakesNoMark(t *testing.T) {
	t.Parallel()
	s, file := openNew(t)
	change := func(s *Store, name string) (epoch string, number int64) {
		require.NoError(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
			if _, err := tx.TenantByName("a"); store.IsNotFound(err) {
				testrun.Must(tx.AddTenant(store.Tenant{Name: "a", RootURL: "/"}))(t)
			}
			_, err := tx.AddDir(1, store.Dir{Name: name})
			require.NoError(t, err)
			epoch = testrun.Must(tx.Epoch())(t)
			number, err = tx.LastEvent(1)
			return err
		}))
		return epoch, number
	}
	epoch, before := change(s, "before")
	copied := filepath.Join(t.TempDir(), "copied")
	require.NoError(t, os.CopyFS(copied, os.DirFS(filepath.Dir(file))))
	_, after := change(s, "after")
	other := testrun.Must(Open(t.Context(), filepath.Join(copied, filepath.Base(file))))(t)
	defer other.Close()
	_, its := change(other, "other")
	require.Equal(t, after, its)
	for number, want := range map[int64]bool{before: true, after: false} {
		require.NoError(t, other.Read(t.Context(), func(tx store.Reader) error {
			has, err := tx.HasEvent(1, epoch, number)
			require.Equal(t, want, has, "%d of %d", number, after)
			return err
		}))
	}
}
