package serving

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs/cli"
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

// Mine returns the mounts of this user; root has all.
func Mine() ([]mountpoint.Mount, error) {
	all, err := mountpoint.All()
	me := strconv.Itoa(os.Getuid())
	return slices.DeleteFunc(all, func(m mountpoint.Mount) bool { return me != "0" && m.User != me }), err
}

// Here returns the mount point of the mount that this process stands in or, elsewhere, of the only one that its user has mounted.
func Here() (string, error) {
	m, _, err := mountpoint.Find(".")
	if !errors.Is(err, mountpoint.ErrNone) {
		return m.Dir, err
	}
	all, err := mountpoint.All()
	if err != nil {
		return "", err
	}
	var own []string
	for _, m := range all {
		if m.User == strconv.Itoa(os.Geteuid()) {
			own = append(own, m.Dir)
		}
	}
	switch len(own) {
	case 0:
		return "", fmt.Errorf("you have no mount: %w; to make one, run: paperfs mount DIR", mountpoint.ErrNone)
	case 1:
		return own[0], nil
	}
	return "", &cli.UsageError{Err: fmt.Errorf("you have several mounts, and are in none of them, so name one: %s", strings.Join(own, ", "))}
}
