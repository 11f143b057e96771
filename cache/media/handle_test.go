package media

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnOpenThatFailsIsTheLastRelease releases the other handle while Open counts its own
// handle, so that this release is not the last.
func TestAnOpenThatFailsIsTheLastRelease(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "a")
	a, h, err := f.store.Create(Root, "a", New{Mode: 0o644, UID: 7, GID: 8})
	require.NoError(t, err)
	f.writeAll(h, "one")
	body := nodeOf(f.store, h).Body()
	body.Mu.Lock()
	spool := body.Spool.Path
	body.Spool.Close()
	body.Spool.Path += "/a file is no directory"
	body.Mu.Unlock()
	f.store.Mu.Lock()
	n := f.store.Nodes[h.Ino()]
	n.Handles, n.Writers = n.Handles-1, n.Writers-1
	f.store.Mu.Unlock()

	unlock := f.store.LockNode(nodeOf(f.store, h)) // so that no finalization starts before the spool is back
	_, err = f.store.Open(a.Ino, false)
	require.ErrorIs(t, err, syscall.ENOTDIR)
	body.Mu.Lock()
	body.Spool.Path = spool
	body.Mu.Unlock()
	unlock()
	f.eventually(func() bool { return f.service.count("UploadFile") == 1 && f.store.Idle() })
	f.published("a", "one")
	require.NoError(t, f.store.check())
}
