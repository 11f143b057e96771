package sqlitestore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

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
