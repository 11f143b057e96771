package doctor

import (
	"bytes"
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
}

// Checks returns the checks of mounting.
func (f FUSE) Checks() []Check {
	return []Check{one("FUSE", f.available), one("apparmor", f.appArmor)}
}

func (f FUSE) path(path string) string { return filepath.Join(f.Root, path) }

// available says what a mount would say, and why fusermount3 would fail, which does not say so itself.
func (f FUSE) available() Finding {
	direct, err := mountpoint.CheckFUSE()
	switch {
	case err != nil:
		return advised(err)
	case direct || f.UID == 0:
		return fine("root can mount")
	}
	return f.fusermount()
}

func (f FUSE) fusermount() Finding {
	path, _ := exec.LookPath("fusermount3")
	info, err := os.Stat(path)
	status, _ := os.ReadFile(f.path("/proc/self/status"))
	switch {
	case err == nil && info.Mode()&os.ModeSetuid == 0:
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
