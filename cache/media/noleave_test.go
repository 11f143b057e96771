package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingIsDeletedWithoutLeave checks that a mount which was not started with --allow-delete deletes
// nothing at the service, whichever way a name would go, and that it asks nothing before it refuses.
func TestNothingIsDeletedWithoutLeave(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.mkdir(Root, "d")
			_, err := f.create(Root, "a", "content")
			require.NoError(t, err)
			f.drain()
			before := f.asked()
			require.True(t, Is(f.store.Unlink(ctx, Root, "a"), Forbidden))
			require.True(t, Is(f.store.Rmdir(ctx, Root, "d"), Forbidden))
			require.True(t, Is(f.rename(Root, "a", Root, "b"), Unsupported))
			require.True(t, Is(f.rename(Root, "a", Root, ".a"), Unsupported))
			require.Equal(t, before, f.asked())
			f.reopen()
			f.published("a", "content")
			f.lookup(Root, "d")
		})
	}
}
