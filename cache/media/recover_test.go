package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnUploadThatAKillCutMayHaveTakenEffect: the next run shows what the
// service holds, though the tree that it knows is young.
func TestAnUploadThatAKillCutMayHaveTakenEffect(t *testing.T) {
	for _, there := range []bool{false, true} {
		f := newFixture(t)
		f.absent(Root, "a")
		if there {
			_, err := f.create(Root, "a", "one")
			require.NoError(t, err)
			a := f.lookup(Root, "a")
			h, err := f.store.Open(a.Ino, true)
			require.NoError(t, err)
			f.writeAll(h, "longer")
		} else {
			_, h, err := f.store.Create(Root, "a", New{Mode: 0o644})
			require.NoError(t, err)
			f.writeAll(h, "longer")
		}
		f.service.mu.Lock()
		f.service.put(0, "a", []byte("longer"))
		f.service.mu.Unlock()
		f.reopen()
		f.eventually(func() bool {
			a, err := f.store.Lookup(ctx, Root, "a")
			return err == nil && a.Size == int64(len("longer"))
		})
		f.failedWith(true, "longer")
	}
}
