package sqlitestore

import (
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
