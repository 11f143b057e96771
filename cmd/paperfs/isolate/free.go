package isolate

import (
	"errors"
	"fmt"
	"os"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"
)

// forced is added if it is not known whether a mount's process is alive.
const forced = " (with --force if its process is gone)"

// FreeMountPoint frees a mount point for a new mount, if the mount that is there has no live
// process.
func FreeMountPoint(m mountpoint.Mount) error {
	s, _ := serving.Of(m)
	switch s {
	case serving.Living:
		return mountpoint.AlreadyMounted(m.Dir, "")
	case serving.Unknown:
		return mountpoint.AlreadyMounted(m.Dir, forced)
	case serving.Gone:
		// A live mount of another home may be there; it answers.
		switch err := Answers(m); {
		case err == nil:
			return mountpoint.AlreadyMounted(m.Dir, "")
		case errors.Is(err, mountpoint.ErrSilent):
			return mountpoint.AlreadyMounted(m.Dir, forced)
		}
	}
	err := serving.End(m, s)
	if stuck, ok := errors.AsType[*serving.StuckError](err); ok {
		fmt.Fprintln(os.Stderr, "paperfs:", stuck)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%w (%v)", mountpoint.Stale(m.Dir), err)
	}
	fmt.Fprintf(os.Stderr, "paperfs: removed the mount that a killed process had left at %s\n", m.Dir)
	return nil
}
