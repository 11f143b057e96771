package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAMountEndsWithoutTheLastRelease checks that the store does not wait for a release that
// the kernel may not have sent, and that the next mount does not treat the upload as
// interrupted.
func TestAMountEndsWithoutTheLastRelease(t *testing.T) {
	t.Parallel()
	for name, queue := range map[string]bool{"direct": false, "write-back": true} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(o *Options) { o.WriteBack = queue })
			require.Empty(t, shownNames(t, f, Root))
			_, h, err := f.store.Create(Root, "a", New{Mode: 0o644, UID: Owner, GID: Owner})
			require.NoError(t, err)
			_, err = h.WriteAt([]byte("content"), 0)
			require.NoError(t, err)
			require.NoError(t, h.Flush(ctx))
			require.False(t, f.store.Idle())
			f.store.Unmounted()
			require.NoError(t, f.store.Drain(ctx))
			h.Release() // that the server was processing
			require.True(t, f.store.Idle())
			require.Zero(t, f.store.Status().SpoolBytes)
			require.NoError(t, f.store.check())

			asked := f.service.count("GetTree")
			f.reopen()
			content, err := f.read(f.lookup(Root, "a").Ino)
			require.NoError(t, err)
			require.Equal(t, "content", content)
			require.Equal(t, asked, f.service.count("GetTree"))
		})
	}
}
