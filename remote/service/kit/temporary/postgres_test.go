package temporary

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnInterruptedStartIsNoFailureOfPostgreSQL checks that ^C during the start is not reported
// as a failure of PostgreSQL.
func TestAnInterruptedStartIsNoFailureOfPostgreSQL(t *testing.T) {
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	_, err := (&Postgres{Dir: t.TempDir()}).Connect(ctx, "postgres")
	require.Equal(t, context.Canceled, err)
}
