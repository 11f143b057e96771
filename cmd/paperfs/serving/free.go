package serving

import (
	"errors"
	"fmt"
	"os"
	"paperfs/fs/mountpoint"
)

// forced is added if it is not known whether a mount's process is alive.
const forced = " (with --force if its process is gone)"

// FreeMountPoint frees a mount point for a new mount, if the mount that is there has no live
// process.
func FreeMountPoint(m mountpoint.Mount) error {
	s, _ := Of(m)
	switch s {
	case Living:
		return mountpoint.AlreadyMounted(m.Dir, "")
	case Unknown:
		return mountpoint.AlreadyMounted(m.Dir, forced)
	case Gone:
		// A live mount of another home may be there; it answers.
		switch err := Answers(m); {
		case err == nil:
			return mountpoint.AlreadyMounted(m.Dir, "")
		case errors.Is(err, mountpoint.ErrSilent):
			return mountpoint.AlreadyMounted(m.Dir, forced)
		}
	}
	err := End(m, s)
	if stuck, ok := errors.AsType[*StuckError](err); ok {
		fmt.Fprintln(os.Stderr, "paperfs:", stuck)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%w (%v)", mountpoint.Stale(m.Dir), err)
	}
	fmt.Fprintf(os.Stderr, "paperfs: removed the mount that a killed process had left at %s\n", m.Dir)
	return nil
}
