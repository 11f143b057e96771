package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"paperfs/cache/state"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"
)

// server is what is known of the process that serves a mount, without a look at
// the mount itself.
type server int

const (
	unknown server = iota // nothing here knows of it: it has another user, or another home
	living
	killed // it has not ended: a thread of it may wait in the kernel for good
	gone
)

// serverOf tells what serves a mount: by what is kept of it here, else by who has
// its connection, where the kernel tells.
func serverOf(m mountpoint.Mount) (s server, pid int) {
	if s, pid = recorded(m); s == living || s == killed {
		return s, pid
	}
	serving, dying, found := guard.Server(m.Device)
	switch {
	case found && dying:
		return killed, serving
	case found:
		return living, serving
	}
	return s, pid
}

// recorded is serverOf by what is kept here.
func recorded(m mountpoint.Mount) (s server, pid int) {
	connection, err := guard.Of(m.Device)
	for _, last := range state.LastAt(xdg.StateHome, m.Dir) {
		if err == nil && last.Connection != "" && last.Connection != connection.String() {
			continue // an earlier mount at this place
		}
		switch {
		case last.Held && !guard.Dying(last.PID):
			return living, last.PID
		case last.Held:
			s, pid = killed, last.PID
		case s == unknown:
			s, pid = gone, last.PID
		}
	}
	return s, pid
}

// end takes a mount away that has no living process. What waits for one that was
// killed ends first. Where that cannot be had, an error says so in words, but the
// mount is taken away.
func end(m mountpoint.Mount, s server) error {
	var aborted error
	if s == killed {
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
		return &stuckError{m.Dir, aborted}
	}
	return nil
}

// stuckError says that a mount was taken away, and that what waits for it goes
// on to wait.
type stuckError struct {
	dir string
	err error
}

func (e *stuckError) Error() string {
	return fmt.Sprintf("%s is detached, but programs may wait for it forever, since its process was killed and cannot end: %v", e.dir, e.err)
}

func (e *stuckError) Unwrap() error { return e.err }

// forced is what to do where nobody here knows whether a mount's process lives.
const forced = " (with --force if its process is gone)"

// takeAway frees a mount point for a new mount where what is mounted there has no
// living process.
func takeAway(m mountpoint.Mount) error {
	s, _ := serverOf(m)
	switch s {
	case living:
		return mountpoint.Already(m.Dir, "")
	case unknown:
		return mountpoint.Already(m.Dir, forced)
	case gone:
		// Another, living one may be there, of another home: it answers.
		switch err := answers(m); {
		case err == nil:
			return mountpoint.Already(m.Dir, "")
		case errors.Is(err, mountpoint.ErrSilent):
			return mountpoint.Already(m.Dir, forced)
		}
	}
	err := end(m, s)
	if stuck, ok := errors.AsType[*stuckError](err); ok {
		fmt.Fprintln(os.Stderr, "paperfs:", stuck)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%w (%v)", mountpoint.Stale(m.Dir), err)
	}
	fmt.Fprintf(os.Stderr, "paperfs: removed the mount that a killed process had left at %s\n", m.Dir)
	return nil
}

// endingLimit bounds the wait for a process that was killed.
const endingLimit = 20 * time.Second

// takeState is state.Open. An account whose mount was killed and cannot end is
// freed first, also where that mount was taken out of the tree already.
func takeState(dirs state.Dirs, dir string) (*state.State, error) {
	st, err := state.Open(dirs, dir)
	held, ok := errors.AsType[*state.HeldError](err)
	switch {
	case !ok || held.PID == 0:
		return st, err
	case !guard.Dying(held.PID):
		return nil, heldWords(held)
	}
	if err := endHolder(held.Holder); err != nil {
		return nil, fmt.Errorf("%w, and that process was killed and cannot end: %v", held, err)
	}
	return state.Open(dirs, dir)
}

// heldWords says what to do about an account that a living process holds.
func heldWords(held *state.HeldError) error {
	_, there, err := mountpoint.At(held.Mountpoint)
	if err == nil && !there {
		if connection, ok := guard.Parse(held.Connection); ok {
			if kept := mountpoint.Elsewhere(connection.Device()); len(kept) > 0 {
				return fmt.Errorf("%w. It is unmounted here, but %s", held, keptBy(kept, held.PID))
			}
		}
	}
	return fmt.Errorf("%w. An account can be mounted only once: use that mount, or run: paperfs umount %s", held, shellword.Quote(held.Mountpoint))
}

// endHolder has a process end that was killed.
func endHolder(h state.Holder) error {
	process, err := unix.PidfdOpen(h.PID, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	} else if err != nil {
		return os.NewSyscallError("pidfd_open", err)
	}
	defer unix.Close(process)
	aborted := errors.New("its kernel connection is not recorded, so its mount cannot be ended")
	if connection, ok := guard.Parse(h.Connection); ok {
		aborted = connection.Abort()
	}
	ended, err := hasEnded(process, endingLimit)
	switch {
	case err != nil || ended:
		return err
	case aborted != nil:
		return aborted
	}
	return fmt.Errorf("it still exists after %s", endingLimit)
}

// hasEnded waits until the process behind a pidfd has ended, up to a limit.
func hasEnded(pidfd int, limit time.Duration) (bool, error) {
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
