package media

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestANameThatLetsGoWhileItsFileIsDeleted removes a file at whose name a killed writer's close puts the service's
// version back, as another inode, before the answer. That goes with the file, or is what others restore.
func TestANameThatLetsGoWhileItsFileIsDeleted(t *testing.T) {
	t.Parallel()
	for name, restored := range map[string]bool{"deleted": false, "restored": true} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, deleting)
			a, err := f.create(Root, "a", "content")
			require.NoError(t, err)
			require.NoError(t, f.store.Refresh(ctx))
			id := f.lookup(Root, "a").ID
			was := f.service.files[id]
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			require.NoError(t, h.Truncate(0))
			f.writeAll(h, "half")
			open := f.service.hold("the deletion's reply")
			done := make(chan error)
			go func() { done <- f.store.Unlink(ctx, Root, "a") }()
			<-f.service.entered
			h.Abandon(errors.New("killed"))
			require.NotEqual(t, a.Ino, f.lookup(Root, "a").Ino, "the name no longer refers to it")
			open()
			require.NoError(t, <-done)
			require.NoError(t, f.store.check())
			h.Release()
			if restored {
				f.service.tell(func(s *fakeService) { s.files[id] = was })
			}
			require.NoError(t, f.store.Refresh(ctx))
			require.NoError(t, f.store.check())
			if restored {
				f.service.set(0, "a", "a colleague's")
				require.NoError(t, f.store.Refresh(ctx))
				require.EqualValues(t, len("a colleague's"), f.lookup(Root, "a").Size)
				return
			}
			f.absent(Root, "a")
		})
	}
}
