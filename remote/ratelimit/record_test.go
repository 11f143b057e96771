package ratelimit

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestTheLimitOutlastsItsProcess checks that calls that began before a kill count for the next
// process, for the rest of their window.
func TestTheLimitOutlastsItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests")
	fake := testrun.NewClock()
	open := func() *Limiter {
		return testrun.Must(Open(5, fake.Clock(), path))(t)
	}
	killed := open() // never closed
	for range 3 {
		require.True(t, arrive(killed, Interactive).begun())
		fake.Advance(10 * time.Second)
	}
	next := open()
	require.Equal(t, 3, next.Budget().Used)
	require.True(t, arrive(next, Interactive).begun())
	require.True(t, arrive(next, Interactive).begun())
	sixth := arrive(next, Interactive)
	require.False(t, sixth.begun())
	fake.Advance(30 * time.Second) // a minute after the first call
	require.True(t, sixth.begun())
	require.NoError(t, next.Close())

	fake.Advance(Window)
	require.Zero(t, open().Budget().Used)
}

// TestARecordThatTellsNothing checks that a record is ignored if it is damaged or the clock
// was set back. A record with more begins than slots keeps the newest.
func TestARecordThatTellsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests")
	now := time.Unix(1_900_000_000, 0)
	r, _ := testrun.Must2(openRecord(path, now))(t)
	for i := range slots + 3 {
		r.add(now.Add(time.Duration(i)))
	}
	require.NoError(t, r.close())
	r, starts, err := openRecord(path, now.Add(time.Second))
	require.NoError(t, err)
	require.Len(t, starts, slots)
	require.EqualValues(t, 3, r.next, "a new begin overwrites the oldest")
	require.NoError(t, r.close())
	_, starts, err = openRecord(path, now.Add(-time.Second))
	require.NoError(t, err)
	require.Empty(t, starts)

	require.NoError(t, os.WriteFile(path, []byte("damaged, and no multiple of eight"), 0o600))
	_, starts = testrun.Must2(openRecord(path, now))(t)
	require.Empty(t, starts)
	_, err = Open(5, testrun.NewClock().Clock(), filepath.Dir(path))
	require.ErrorContains(t, err, "the record of requests cannot be opened")
}

// TestARecordAfterTheClockWasWrong checks that a time in the future occupies no slot, so the
// next process does not overwrite newer times.
func TestARecordAfterTheClockWasWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests")
	now := time.Unix(1_900_000_000, 0)
	for i, at := range []time.Time{now.Add(24 * time.Hour), now, now.Add(time.Second), now.Add(2 * time.Second)} {
		r, starts := testrun.Must2(openRecord(path, at))(t)
		require.Len(t, starts, max(0, i-1))
		r.add(at)
		require.NoError(t, r.close())
	}
}

// TestTheClockIsSetBackWhileARecordCounts checks that a recorded call stops counting after
// real time has passed, whatever the clock says.
func TestTheClockIsSetBackWhileARecordCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests")
	r, _ := testrun.Must2(openRecord(path, time.Now()))(t)
	r.add(time.Now())
	require.NoError(t, r.close())
	now := time.Now()
	_, starts := testrun.Must2(openRecord(path, now))(t)
	require.Len(t, starts, 1)
	require.Contains(t, starts[0].String(), " m=", "times with a monotonic reading are compared by it, whatever the clock says")
}
