package spool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheRestComesWhereAProgramReadsOn checks that a part which follows none is not followed, and that the
// beginning comes after the end.
func TestTheRestComesWhereAProgramReadsOn(t *testing.T) {
	t.Parallel()
	s := newDir(t.TempDir(), 0)
	sp, err := s.Over(100)
	require.NoError(t, err)
	rest := func(from, to int64) {
		t.Helper()
		gotFrom, gotTo := sp.Rest()
		require.Equal(t, [2]int64{from, to}, [2]int64{gotFrom, gotTo})
	}
	sp.Waited(50, 60)
	rest(0, 100)
	sp.Waited(20, 30)
	rest(0, 100)
	sp.Waited(30, 40)
	rest(40, 100)
	require.NoError(t, s.Fill(sp, make([]byte, 60), 40))
	rest(0, 40)
	require.NoError(t, s.Fill(sp, make([]byte, 40), 0))
	rest(0, 0)
	sp.Whole()
	rest(0, 0)
}
