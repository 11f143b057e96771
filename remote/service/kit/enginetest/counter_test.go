package enginetest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/testrun"
)

// TestABatchOfStatementsIsOneRoundTrip checks that rows count individually, but a batch of
// statements counts once.
func TestABatchOfStatementsIsOneRoundTrip(t *testing.T) {
	c := testrun.Must(enginetest.NewCounter(enginetest.Database(t)))(t)
	conn := testrun.Must(pgx.Connect(t.Context(), c.Address()))(t)
	counted := func(ask func()) (trips, rows int64) {
		trips, rows = c.Count()
		ask()
		tripsNow, rowsNow := c.Count()
		return tripsNow - trips, rowsNow - rows
	}
	one := func() {
		testrun.Must(conn.Exec(t.Context(), "SELECT generate_series(1, 1000)", pgx.QueryExecModeSimpleProtocol))(t)
	}
	trips, rows := counted(one)
	require.EqualValues(t, 1, trips)
	require.EqualValues(t, 1000, rows)
	trips, rows = counted(func() { one(); one() })
	require.EqualValues(t, 2, trips)
	require.EqualValues(t, 2000, rows)

	batch := func() {
		var b pgx.Batch
		for i := range 20 {
			b.Queue("SELECT $1::int", i)
		}
		require.NoError(t, conn.SendBatch(t.Context(), &b).Close())
	}
	batch() // prepares its statement
	trips, rows = counted(batch)
	require.EqualValues(t, 1, trips)
	require.EqualValues(t, 20, rows)

	require.NoError(t, c.Close())
	require.Error(t, conn.Ping(t.Context()))
	_, err := pgx.Connect(t.Context(), c.Address())
	require.Error(t, err, "a closed counter forwards nothing")
}

func TestOnlyASocketIsCounted(t *testing.T) {
	_, err := enginetest.NewCounter("postgres://paperfs@db.example/papers")
	require.ErrorContains(t, err, "db.example is not the directory of a socket")
}
