package s3store

import (
	"bytes"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAnotherNodesJanitorWaitsForASlowUpload checks that an upload that takes longer than the limit
// of an intention completes, and that one whose node was killed is removed. The test simulates time
// by making the ledger's entries older.
func TestAnotherNodesJanitorWaitsForASlowUpload(t *testing.T) {
	t.Parallel()
	server := enginetest.SharedObjectStore(t)
	database, address := enginetest.Database(t), server.AddressBeside(t)
	node := func() (*Store, *postgresstore.Store) {
		ledger := testrun.Must(postgresstore.Open(t.Context(), database))(t)
		t.Cleanup(func() { require.NoError(t, ledger.Close()) })
		return at(t, address, ledger), ledger
	}
	one, records := node()
	other, _ := node()
	clock := testrun.Must(pgx.Connect(t.Context(), database))(t)
	t.Cleanup(func() { clock.Close(t.Context()) })
	goes := func(d *draft, by time.Duration) {
		testrun.Must(clock.Exec(t.Context(), `UPDATE content SET since = since - $1::interval`, by))(t)
		d.intended = d.intended.Add(-by)
	}
	killed := begun(t, one) // it never ends
	slow := begun(t, one).(*draft)
	content := make([]byte, 17*mib)
	removed := 0
	for _, size := range []int{9 * mib, 1, 1, 1, 9 * mib} {
		goes(slow, defaultAges.intended*3/4)
		removed += clean(t, other)
		more := storetest.Bytes(uint64(len(content)), size)
		testrun.Must(slow.Write(more))(t)
		content = append(content, more...)
	}
	goes(slow, defaultAges.intended*3/4)
	removed += clean(t, other)
	key := testrun.Must(slow.Commit())(t)
	goes(slow, defaultAges.intended*3/4)
	removed += clean(t, other)
	require.NoError(t, records.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.KeepContent(key) }))
	require.Equal(t, 1, removed, "the content of the killed node")
	goes(slow, 2*defaultAges.intended)
	require.Zero(t, clean(t, other))
	require.True(t, bytes.Equal(content, storetest.ReadContent(t, other, key, 0, int64(len(content)))))
	_, uploads := server.Objects(t, address)
	require.Zero(t, uploads)
	_, err := killed.Commit()
	require.Error(t, err)
}
