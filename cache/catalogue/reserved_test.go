package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestANewNodeAvoidsTheServicesAddresses creates a category with a name that the service
// itself uses as an address at the root, and one below it.
func TestANewNodeAvoidsTheServicesAddresses(t *testing.T) {
	t.Parallel()
	c := start(t).open(t)
	s, err := c.Snapshot(ctx)
	require.NoError(t, err)
	top, err := c.Create(ctx, remote.CategoryNode, s.Root().ID, "Media")
	require.NoError(t, err)
	require.Equal(t, "/media-2/", top.URL)
	below, err := c.Create(ctx, remote.CategoryNode, top.ID, "Media")
	require.NoError(t, err)
	require.Equal(t, "/media-2/media/", below.URL)
}
