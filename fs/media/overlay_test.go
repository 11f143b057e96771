package media_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/remote/testrun"
)

// TestAnOverlayAboveAMountIsMountedAgain checks what the help says of overlayfs: what it has looked up, and others have
// replaced since, fails until it is mounted again.
func TestAnOverlayAboveAMountIsMountedAgain(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount an overlayfs")
	}
	m := newMount(t)
	dir := t.TempDir()
	for _, name := range []string{"upper", "work", "all"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	all := filepath.Join(dir, "all")
	mount := func() {
		if err := unix.Mount("overlay", all, "overlay", 0, fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", m.dir, dir, dir)); err != nil {
			testrun.Missing(t, "overlayfs ("+err.Error()+")")
		}
	}
	t.Cleanup(func() { _ = unix.Unmount(all, unix.MNT_DETACH) })
	m.colleaguePuts("old")
	m.eventually(func() bool { return m.sh(`cat f`) == "old" })
	mount()
	cat := "cat " + filepath.Join(all, "f")
	require.Equal(t, "old", m.sh(cat))
	m.colleaguePuts("newer")
	m.eventually(func() bool { return m.sh(`cat f`) == "newer" })
	require.Contains(t, m.fails(cat), "Stale file handle")
	require.NoError(t, unix.Unmount(all, 0))
	mount()
	require.Equal(t, "newer", m.sh(cat))
}
