package sqlitestore

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
