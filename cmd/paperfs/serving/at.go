package serving

import (
	"fmt"
	"paperfs/fs/mountpoint"
)

// At returns the mount at a path. It does not access the mount.
func At(path string) (mountpoint.Mount, error) {
	m, inside, err := mountpoint.Find(path)
	if err == nil && inside != "/" {
		err = fmt.Errorf("%s: %w: it lies in the mount %s", path, mountpoint.ErrNone, m.Dir)
	}
	return m, err
}
