package doctor

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"
)

// FUSE checks what mounting needs of this machine.
type FUSE struct {
	Root       string // of the file system; "/" except in tests
	UID        int
	Home       string
	Mountpoint string // absolute; "" if none was given
	AllowOther bool   // other users will use the mount
}

// Checks returns the checks of mounting.
func (f FUSE) Checks() []Check {
	return []Check{
		one("/dev/fuse", f.device),
		one("fusermount3", f.fusermount),
		one("user_allow_other", f.allowOther),
		one("apparmor", f.appArmor),
	}
}

func (f FUSE) path(path string) string { return filepath.Join(f.Root, path) }

func (f FUSE) device() Finding {
	device := f.path("/dev/fuse")
	opened, err := os.OpenFile(device, os.O_RDWR, 0)
	switch {
	case err == nil:
		opened.Close()
		return fine("can be opened")
	case errors.Is(err, os.ErrPermission):
		return failure("Run as root: chmod 666 /dev/fuse", "you may not open it: %v", err)
	case errors.Is(err, os.ErrNotExist):
		return failure("Run as root: modprobe fuse (in a container: start it with --device /dev/fuse and the capability SYS_ADMIN)", "is missing: the kernel has not loaded FUSE, or a container hides it")
	}
	return failure("In a container, start it with --device /dev/fuse and the capability SYS_ADMIN", "cannot be opened: %v", err)
}

func (f FUSE) fusermount() Finding {
	const install = "Run as root: apt install fuse3 (dnf install fuse3, pacman -S fuse3)"
	path, err := exec.LookPath("fusermount3")
	switch {
	case err != nil && f.UID == 0:
		return fine("is missing, but root mounts without it")
	case err != nil:
		return failure(install, "is missing: without it only root can mount")
	}
	info, err := os.Stat(path)
	status, _ := os.ReadFile(f.path("/proc/self/status"))
	switch {
	case err != nil:
		return failure(install, "cannot be examined: %v", err)
	case f.UID == 0:
		return fine("%s", path)
	case info.Mode()&os.ModeSetuid == 0:
		return failure("Run as root: chown root "+shellword.Quote(path)+" && chmod u+s "+shellword.Quote(path),
			"%s does not run as root (no setuid bit), so it cannot mount for you", path)
	case bytes.Contains(status, []byte("\nNoNewPrivs:\t1\n")): // the kernel ignores setuid bits for this process
		return failure("Start paperfs outside of that sandbox; in a systemd unit, take NoNewPrivileges= out",
			"%s cannot become root here: this process and its children may not gain privileges", path)
	}
	if _, err := os.Lstat(f.path("/etc/mtab")); err != nil {
		return failure("Run as root: ln -s /proc/self/mounts /etc/mtab", "%s can mount, but cannot unmount without /etc/mtab, which is missing", path)
	}
	return fine("%s, setuid root", path)
}

func (f FUSE) allowOther() Finding {
	text, err := os.ReadFile(f.path("/etc/fuse.conf"))
	switch {
	case f.UID == 0:
		return fine("root does not need it")
	case mountpoint.AllowsOthers(string(text)):
		return fine("is set: --allow-other works")
	case !f.AllowOther:
		return fine("is not set in /etc/fuse.conf; only --allow-other needs it")
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return failure("Run as root: chmod 644 /etc/fuse.conf", "cannot be read, and --allow-other needs it: %v", err)
	}
	return failure("Run as root: echo user_allow_other >> /etc/fuse.conf", "is not set in /etc/fuse.conf, so --allow-other is refused")
}

// appArmorPlaces are the places besides the home directory in which the profile of
// fusermount3 that distributions ship (Ubuntu since 25.04) lets a user mount.
var appArmorPlaces = []string{"/mnt", "/tmp", "/media", "/run/user", "/cvmfs"}

const appArmorProfile = "/etc/apparmor.d/fusermount3"

func (f FUSE) appArmor() Finding {
	enabled, _ := os.ReadFile(f.path("/sys/module/apparmor/parameters/enabled"))
	_, missing := os.Stat(f.path(appArmorProfile))
	_, enforced := os.Lstat(f.path("/etc/apparmor.d/disable/fusermount3"))
	switch {
	case !bytes.HasPrefix(enabled, []byte("Y")):
		return fine("is not active")
	case missing != nil, enforced == nil:
		return fine("has no profile for fusermount3")
	case f.Mountpoint == "":
		return fine("lets fusermount3 mount below your home directory and %s; give doctor a MOUNTPOINT to check another place", strings.Join(appArmorPlaces, ", "))
	}
	for _, place := range append([]string{f.Home}, appArmorPlaces...) {
		if place != "" && strings.HasPrefix(f.Mountpoint, strings.TrimSuffix(place, "/")+"/") {
			return fine("lets fusermount3 mount below %s", place)
		}
	}
	const local = "/etc/apparmor.d/local/fusermount3"
	if text, _ := os.ReadFile(f.path(local)); len(bytes.TrimSpace(text)) > 0 {
		return warning("Run: cat "+local, "lets fusermount3 mount at %s only if %s says so", f.Mountpoint, local)
	}
	rule := "mount fstype=@{fuse_types} options=(nosuid,nodev) options in (ro,rw,noatime) -> " + f.Mountpoint + "/, umount " + f.Mountpoint + "/,"
	return failure("Choose a directory below your home, or run as root: echo "+shellword.Quote(rule)+" >> "+local+" && apparmor_parser -r "+appArmorProfile,
		"does not let fusermount3 mount at %s: the mount fails with \"Permission denied\"", f.Mountpoint)
}
