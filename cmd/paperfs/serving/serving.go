package serving

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"paperfs/cache/state"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"
)

// Fate is what is known of the process that serves a mount, without accessing the
// mount.
type Fate int

const (
	Unknown Fate = iota // there is no record of it: it belongs to another user or another home
	Living
	Killed // it has not ended: one of its threads may wait in the kernel forever
	Gone
)

// Of returns the fate of the process that serves a mount. It uses this user's records, or else
// the process that has the mount's connection, if the kernel shows it.
func Of(m mountpoint.Mount) (s Fate, pid int) {
	if s, pid = Recorded(m); s == Living || s == Killed {
		return s, pid
	}
	serving, dying, found := guard.Server(m.Device)
	switch {
	case found && dying:
		return Killed, serving
	case found:
		return Living, serving
	}
	return s, pid
}

// Recorded is Of from this user's records alone.
func Recorded(m mountpoint.Mount) (s Fate, pid int) {
	for _, last := range lastOf(m) {
		switch {
		case last.Held && !guard.Dying(last.PID):
			return Living, last.PID
		case last.Held:
			s, pid = Killed, last.PID
		case s == Unknown:
			s, pid = Gone, last.PID
		}
	}
	return s, pid
}

// lastOf returns this user's records of a mount.
func lastOf(m mountpoint.Mount) []state.Last {
	connection, err := guard.Of(m.Device)
	return slices.DeleteFunc(state.LastAt(xdg.StateHome, m.Dir), func(last state.Last) bool {
		return err == nil && last.Connection != "" && last.Connection != connection.String() // an earlier mount at this place
	})
}

// End removes a mount without a live process. For a killed process it first aborts the
// connection, which ends the programs' waits. If it cannot abort, it still removes the mount,
// and returns a StuckError.
func End(m mountpoint.Mount, s Fate) error {
	var aborted error
	if s == Killed {
		connection, err := guard.Of(m.Device)
		if err == nil {
			err = connection.Abort()
		}
		aborted = err
	}
	if err := mountpoint.Detach(m.Dir); err != nil {
		return errors.Join(err, aborted)
	}
	if aborted != nil {
		return &StuckError{m.Dir, aborted}
	}
	return nil
}

// StuckError says that a mount was removed, but programs that wait for it still
// wait.
type StuckError struct {
	dir string
	err error
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("%s is detached, but programs may wait for it forever, since its process was killed and cannot end: %v", e.dir, e.err)
}

func (e *StuckError) Unwrap() error { return e.err }

// HasEnded waits until the process of a pidfd has ended, or the limit is reached.
func HasEnded(pidfd int, limit time.Duration) (bool, error) {
	for until := time.Now().Add(limit); ; {
		left := time.Until(until).Milliseconds()
		if left <= 0 {
			return false, nil
		}
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}, int(left))
		if err != nil && !errors.Is(err, unix.EINTR) {
			return false, os.NewSyscallError("poll", err)
		}
		if n > 0 {
			return true, nil
		}
	}
}
