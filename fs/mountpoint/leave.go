package mountpoint

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"

	"paperfs/remote/shellword"

	"golang.org/x/sys/unix"
)

// ErrBusy says that something holds a mount, so that it cannot be taken away.
var ErrBusy = errors.New("the mount is busy")

// Unmount takes away the mount at dir. ErrBusy where something holds it; nil
// where it is gone already, because somebody else was faster.
func Unmount(dir string) error { return leave(dir, false) }

// Detach takes the mount at dir out of the tree at once; it ends when the last
// process lets go of it. It also takes away a stale mount.
func Detach(dir string) error { return leave(dir, true) }

func leave(dir string, lazy bool) error {
	err := unmount(dir, lazy)
	if err == nil || errors.Is(err, ErrBusy) {
		return err
	}
	m, mounted, unknown := At(dir)
	switch {
	case unknown == nil && !mounted:
		return nil
	case m.User != "" && os.Geteuid() != 0 && m.User != strconv.Itoa(os.Geteuid()):
		return fmt.Errorf("%s is a mount of %s: that user, or root, can unmount it", dir, UserName(m.User))
	}
	return err
}

// UserName is how people call a user, by the number.
func UserName(number string) string {
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return "user " + number
}

func unmount(dir string, lazy bool) error {
	if os.Geteuid() == 0 {
		flags := unix.UMOUNT_NOFOLLOW
		if lazy {
			flags |= unix.MNT_DETACH
		}
		err := unix.Unmount(dir, flags)
		if errors.Is(err, unix.EBUSY) {
			return fmt.Errorf("%s: %w", dir, ErrBusy)
		}
		if err != nil {
			return fmt.Errorf("unmount %s: %w", dir, err)
		}
		return nil
	}
	how := "-u"
	if lazy {
		how = "-uz"
	}
	cmd := exec.Command("fusermount3", how, "--", dir)
	// With another locale its messages could not be told apart.
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	out = bytes.TrimSpace(out)
	if bytes.Contains(out, []byte("busy")) {
		return fmt.Errorf("%s: %w", dir, ErrBusy)
	}
	if len(out) == 0 {
		return fmt.Errorf("unmount %s: %w", dir, err)
	}
	return fmt.Errorf("unmount %s: %s", dir, out)
}

// detachCommand is what a user types to take away a stale mount.
func detachCommand(path string) string {
	if _, err := exec.LookPath("fusermount3"); err != nil {
		return "umount -l " + shellword.Quote(path)
	}
	return "fusermount3 -uz " + shellword.Quote(path)
}
