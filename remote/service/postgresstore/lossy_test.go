package postgresstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
)

// TestADatabaseThatMayLoseChangesIsRefused checks that a database which answers before a change is
// on the disk is neither set up nor opened, and that the error names the setting.
func TestADatabaseThatMayLoseChangesIsRefused(t *testing.T) {
	t.Parallel()
	empty, full := enginetest.EmptyDatabase(t), enginetest.Database(t)
	for _, mode := range []string{"off", "local", "on"} {
		as := "&options=-csynchronous_commit%3D" + mode
		s, opening := postgresstore.Open(t.Context(), full+as)
		if opening == nil {
			require.NoError(t, s.Close())
		}
		for _, err := range []error{postgresstore.Migrate(t.Context(), empty+as), opening} {
			if mode == "off" {
				require.ErrorContains(t, err, "synchronous_commit is off")
			} else {
				require.NoError(t, err, mode)
			}
		}
	}
}
