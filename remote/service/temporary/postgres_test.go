package temporary

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhoGivesUpIsNotToldThatPostgreSQLFails: ^C during the start says nothing about PostgreSQL.
func TestWhoGivesUpIsNotToldThatPostgreSQLFails(t *testing.T) {
	ctx, giveUp := context.WithCancel(t.Context())
	giveUp()
	_, err := (&Postgres{Dir: t.TempDir()}).Connect(ctx, "postgres")
	require.Equal(t, context.Canceled, err)
}
