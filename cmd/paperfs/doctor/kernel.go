package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Kernel checks what a mount needs of the kernel.
type Kernel struct {
	Root    string // of the file system; "/" except in tests
	Release string // as uname -r prints it
}

// Checks returns the checks of the kernel.
func (k Kernel) Checks() []Check {
	return []Check{one("kernel", k.release), one("fusectl", k.connections)}
}

func (k Kernel) release() Finding {
	var major, minor int
	if _, err := fmt.Sscanf(k.Release, "%d.%d", &major, &minor); err != nil {
		return warning("", "%q is not the number of a release", k.Release)
	}
	before := func(a, b int) bool { return major < a || major == a && minor < b }
	switch {
	case before(5, 1):
		return warning("Use Linux 5.1 or newer", "Linux %s is older than 5.1: it asks the mount for each listing again, and the tests of paperfs do not run on it", k.Release)
	case before(6, 16):
		return fine("Linux %s (before 6.16, `umount` of a killed mount may need --force)", k.Release)
	}
	return fine("Linux %s", k.Release)
}

// connections checks fusectl, through which a mount is ended whose process was killed while
// it waited in the kernel.
func (k Kernel) connections() Finding {
	const dir = "/sys/fs/fuse/connections"
	if entries, err := os.ReadDir(filepath.Join(k.Root, dir)); err == nil && len(entries) > 0 {
		return fine("%s is mounted", dir)
	}
	if text, err := os.ReadFile(filepath.Join(k.Root, "/proc/self/mounts")); err == nil && mountsFusectl(string(text)) {
		return fine("%s is mounted", dir)
	}
	return warning("Run as root: mount -t fusectl fusectl "+dir, "%s is not mounted: programs may wait forever for a mount whose process was killed", dir)
}

// mountsFusectl reports whether a table of mounts contains fusectl.
func mountsFusectl(table string) bool {
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[2] == "fusectl" {
			return true
		}
	}
	return false
}
