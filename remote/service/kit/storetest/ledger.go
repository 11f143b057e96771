package storetest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// ledger is a store whose contents are not files.
type ledger interface {
	store.Store
	store.Ledger
}

func ledgered(t *testing.T, open Open) ledger { return open(t).(ledger) }

func change(t *testing.T, s store.Store, f func(tx store.Writer) error) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), store.AllTenants, f))
}

// leftovers returns what a janitor would remove if these times had passed.
func leftovers(t *testing.T, s store.Ledger, intended, dropped time.Duration) (all []store.Leftover) {
	t.Helper()
	all, err := s.Leftovers(t.Context(), intended, dropped, store.Leftover{}, 10)
	require.NoError(t, err)
	for i := range all {
		require.WithinDuration(t, time.Now(), all[i].Since, time.Hour)
		all[i].Since = time.Time{}
	}
	return all
}

func aLedgerLeavesWhatIsKept(t *testing.T, open Open) {
	s := ledgered(t, open)
	for _, key := range []string{"kept", "dropped", "refused", "late", "undone"} {
		require.NoError(t, s.Intend(t.Context(), key))
		require.NoError(t, s.Intend(t.Context(), key), "an intention can be repeated")
	}
	change(t, s, func(tx store.Writer) error {
		require.NoError(t, tx.KeepContent(""))
		return errors.Join(tx.KeepContent("kept"), tx.KeepContent("dropped"), tx.KeepContent("dropped"))
	})
	no := errors.New("no")
	require.ErrorIs(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error {
		return errors.Join(tx.KeepContent("undone"), tx.DropContent("kept"), no)
	}), no)
	change(t, s, func(tx store.Writer) error {
		return errors.Join(tx.DropContent("dropped"), tx.DropContent("refused"), tx.DropContent("dropped"), tx.DropContent("unknown"))
	})
	unknown, err := s.Unknown(t.Context(), []string{"kept", "nobody's", "dropped", "late"})
	require.NoError(t, err)
	require.Equal(t, []string{"nobody's"}, unknown)
	require.Empty(t, leftovers(t, s, time.Hour, time.Hour), "all leftovers are too young")
	require.Equal(t, []store.Leftover{{Key: "dropped"}, {Key: "refused"}}, sorted(leftovers(t, s, time.Hour, 0)))
	require.Equal(t, []store.Leftover{{Key: "dropped"}, {Key: "late", Uncommitted: true}, {Key: "refused"}, {Key: "undone", Uncommitted: true}}, sorted(leftovers(t, s, 0, 0)))
	for _, key := range []string{"late", "undone", "dropped"} {
		require.ErrorIs(t, s.Intend(t.Context(), key), store.ErrGivenUp, key)
	}
	require.NoError(t, s.Intend(t.Context(), "kept"), "kept content stays kept")
	require.NotContains(t, leftovers(t, s, 0, 0), store.Leftover{Key: "kept"})
	require.NotContains(t, leftovers(t, s, 0, 0), store.Leftover{Key: "kept", Uncommitted: true})
	for _, key := range []string{"late", "dropped", "never intended"} {
		require.ErrorIs(t, s.Write(t.Context(), store.AllTenants, func(tx store.Writer) error { return tx.KeepContent(key) }), store.ErrGivenUp, key)
	}
	require.NoError(t, s.Forget(t.Context(), []string{"dropped", "refused", "late", "undone", "kept", "unknown"}))
	require.Empty(t, leftovers(t, s, 0, 0))
	change(t, s, func(tx store.Writer) error { return tx.KeepContent("kept") })
}

// leftoversComeInParts checks that the oldest leftovers come first, so that a janitor that was
// stopped can continue.
func leftoversComeInParts(t *testing.T, open Open) {
	s := ledgered(t, open)
	for _, key := range []string{"a", "b", "c"} {
		require.NoError(t, s.Intend(t.Context(), key))
	}
	var behind store.Leftover
	visited := map[string]bool{}
	for range 3 {
		some, err := s.Leftovers(t.Context(), 0, 0, behind, 1)
		require.NoError(t, err)
		require.Len(t, some, 1)
		behind = some[0]
		visited[behind.Key] = true
	}
	require.Len(t, visited, 3)
	some, err := s.Leftovers(t.Context(), 0, 0, behind, 1)
	require.NoError(t, err)
	require.Empty(t, some, "nothing follows the last")
	seen := map[string]bool{}
	for range 3 {
		some, err := s.Leftovers(t.Context(), 0, 0, store.Leftover{}, 1)
		require.NoError(t, err)
		require.Len(t, some, 1)
		seen[some[0].Key] = true
		require.NoError(t, s.Forget(t.Context(), []string{some[0].Key}))
	}
	require.Len(t, seen, 3)
}

func sorted(all []store.Leftover) []store.Leftover {
	slices.SortFunc(all, func(a, b store.Leftover) int { return strings.Compare(a.Key, b.Key) })
	return all
}
