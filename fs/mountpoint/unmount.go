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

// ErrBusy says that a process holds a mount, so that it cannot be unmounted.
var ErrBusy = errors.New("the mount is busy")

// Unmount unmounts dir. It returns ErrBusy if a process holds the mount, and nil if dir is
// no longer mounted, because another program was faster.
func Unmount(dir string) error { return leave(dir, false) }

// UnmountOnly is Unmount for the mount of a device "MAJOR:MINOR". It leaves another mount that
// is at dir by now.
func UnmountOnly(dir, device string) error { return only(dir, device, Unmount) }

// DetachOnly is Detach, and leaves another mount like UnmountOnly.
func DetachOnly(dir, device string) error { return only(dir, device, Detach) }

func only(dir, device string, leave func(dir string) error) error {
	if m, there, err := At(dir); err == nil && (!there || m.Device != device) {
		return nil
	}
	return leave(dir)
}

// Detach takes the mount at dir out of the tree at once; it ends when the last process
// lets go of it. It also removes a stale mount.
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

// UserName returns the name of the user with a number.
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
	// The output is parsed, so it must not be localized.
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

// detachCommand returns the command that removes a stale mount.
func detachCommand(path string) string {
	if _, err := exec.LookPath("fusermount3"); err != nil {
		return "umount -l " + shellword.Quote(path)
	}
	return "fusermount3 -uz " + shellword.Quote(path)
}
