package s3store

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// awayLedger is unavailable for a while.
type awayLedger struct {
	store.Ledger
	away  bool
	asked int
}

func (l *awayLedger) Intend(ctx context.Context, key string) error {
	if l.asked++; l.away {
		return store.ErrAway
	}
	return l.Ledger.Intend(ctx, key)
}

// TestAnUploadGoesOnWhileTheRecordsAreAway checks that a failed renewal does not end the upload
// before the janitor may have given up the content. After that, the change that keeps the content
// decides.
func TestAnUploadGoesOnWhileTheRecordsAreAway(t *testing.T) {
	t.Parallel()
	r := records(t)
	ledger := &awayLedger{Ledger: r}
	s := at(t, enginetest.SharedObjectStore(t).AddressBeside(t), ledger)
	later := func(d *draft, by time.Duration) { d.intended, d.refused = d.intended.Add(-by), d.refused.Add(-by) }
	write := func(d *draft, size int) ([]byte, error) {
		content := storetest.Bytes(uint64(d.all), size)
		_, err := d.Write(content)
		return content, err
	}

	t.Run("the upload renews its intention when the records are back", func(t *testing.T) {
		d := begun(t, s).(*draft)
		content := make([]byte, 17*mib)
		ledger.away = true
		for range 3 {
			later(d, 2*intendAgain)
			more := testrun.Must(write(d, 9*mib))(t)
			content = append(content, more...)
		}
		asked := ledger.asked
		testrun.Must(write(d, 0))(t)
		require.Equal(t, asked, ledger.asked, "the ledger is not called for a while")
		ledger.away = false
		later(d, intendPause)
		more := testrun.Must(write(d, 1))(t)
		content = append(content, more...)
		require.WithinDuration(t, time.Now(), d.intended, time.Minute)
		key := testrun.Must(d.Commit())(t)
		require.NoError(t, keep(r, key))
		require.True(t, bytes.Equal(content, storetest.ReadContent(t, s, key, 0, int64(len(content)))))
	})
	t.Run("the records stay away for too long", func(t *testing.T) {
		d := begun(t, s).(*draft)
		ledger.away = true
		defer func() { ledger.away = false }()
		later(d, defaultAges.intended)
		_, err := write(d, 1)
		require.ErrorIs(t, err, store.ErrAway)
		_, err = d.Commit()
		require.ErrorIs(t, err, store.ErrAway)
	})
	t.Run("a janitor gives up the content in the meantime", func(t *testing.T) {
		d := begun(t, s).(*draft)
		ledger.away = true
		testrun.Must(r.Leftovers(t.Context(), 0, time.Hour, store.Leftover{}, 10))(t)
		later(d, 23*time.Hour)
		key := testrun.Must(d.Commit())(t)
		require.ErrorIs(t, keep(r, key), store.ErrGivenUp, "no record may name abandoned content")
		ledger.away = false
		d = begun(t, s).(*draft)
		testrun.Must(r.Leftovers(t.Context(), 0, time.Hour, store.Leftover{}, 10))(t)
		later(d, 2*intendAgain)
		_, err := write(d, 1)
		require.ErrorIs(t, err, store.ErrGivenUp, "no more parts are sent for abandoned content")
		d.Discard()
	})
}
