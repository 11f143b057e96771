package mountpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/moby/sys/mountinfo"
)

// Type is the file system type that mounts of paperfs have in the kernel's
// table, and Name the part of it that go-fuse is told.
const (
	Name = "paperfs"
	Type = "fuse." + Name
)

// Mount is a row of the kernel's table of mounts.
type Mount struct {
	Dir    string // absolute
	Type   string
	Source string
	Device string // its number, "MAJOR:MINOR"
	User   string // number of the user who mounted it, for FUSE; else empty
}

// ErrNone says that a path lies in no mount of paperfs.
var ErrNone = errors.New("no paperfs is mounted there")

// At returns the mount at just this directory, the topmost where several
// are. dir is absolute and without symlinks.
func At(dir string) (Mount, bool, error) {
	mounts, err := table()
	if err != nil {
		return Mount{}, false, err
	}
	for i := len(mounts) - 1; i >= 0; i-- {
		if mounts[i].Dir == dir {
			return mounts[i], true, nil
		}
	}
	return Mount{}, false, nil
}

// All returns the mounts of paperfs.
func All() ([]Mount, error) {
	mounts, err := table()
	return slices.DeleteFunc(mounts, func(m Mount) bool { return m.Type != Type }), err
}

// Find returns the mount of paperfs that path lies in and the path from its
// root, which begins with a slash. Symlinks on the way to the mount are
// followed, those inside it are not. ErrNone if there is none.
func Find(path string) (Mount, string, error) {
	abs, err := absolute(path)
	if err != nil {
		return Mount{}, "", err
	}
	mounts, err := table()
	if err != nil {
		return Mount{}, "", err
	}
	if m, rest, ok := owner(mounts, abs); ok {
		return m, rest, nil
	}
	if m, rest, ok := throughSymlinks(mounts, abs); ok {
		return m, rest, nil
	}
	return Mount{}, "", fmt.Errorf("%s: %w", path, ErrNone)
}

// absolute is filepath.Abs for a process whose working directory may be in a mount
// that does not answer: filepath.Abs asks the mount.
func absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	dir, err := syscall.Getwd()
	return filepath.Join(dir, path), os.NewSyscallError("getcwd", err)
}

// maxSymlinks is how many symlinks a path may lead through, as in the kernel.
const maxSymlinks = 40

// throughSymlinks resolves the parts of a path one by one until it is inside a
// mount of paperfs. It looks at neither that nor anything in it: where its
// process has died, or hangs, a look may wait for good.
func throughSymlinks(mounts []Mount, abs string) (Mount, string, bool) {
	done, left := "/", strings.Split(abs, "/")
	for links := 0; len(left) > 0; {
		next := filepath.Join(done, left[0])
		left = left[1:]
		if m, rest, ok := owner(mounts, next); ok {
			inside := filepath.Join(left...)
			if inside != ".." && !strings.HasPrefix(inside, "../") {
				return m, filepath.Join(rest, inside), true
			}
			done, left = next, strings.Split(inside, "/") // out of it again
			continue
		}
		target, err := os.Readlink(next)
		switch {
		case errors.Is(err, syscall.EINVAL): // no symlink
			done = next
			continue
		case err != nil:
			return Mount{}, "", false
		}
		if links++; links > maxSymlinks {
			return Mount{}, "", false
		}
		if filepath.IsAbs(target) {
			done = "/"
		}
		left = append(strings.Split(target, "/"), left...)
	}
	return Mount{}, "", false
}

// owner is the mount that the table says a path is in, if it is one of ours.
func owner(mounts []Mount, abs string) (found Mount, rest string, ok bool) {
	for _, m := range mounts {
		inside := abs == m.Dir || m.Dir == "/" || strings.HasPrefix(abs, m.Dir+"/")
		if inside && len(m.Dir) >= len(found.Dir) {
			found = m
		}
	}
	if found.Type != Type {
		return Mount{}, "", false
	}
	return found, "/" + strings.TrimPrefix(strings.TrimPrefix(abs, found.Dir), "/"), true
}

// table reads /proc/thread-self/mountinfo. No mount is looked at for that.
func table() ([]Mount, error) {
	rows, err := mountinfo.GetMounts(nil)
	return mountsOf(rows), err
}

func mountsOf(rows []*mountinfo.Info) []Mount {
	mounts := make([]Mount, len(rows))
	for i, r := range rows {
		mounts[i] = Mount{Dir: r.Mountpoint, Type: r.FSType, Source: r.Source, Device: fmt.Sprintf("%d:%d", r.Major, r.Minor), User: userOf(r.VFSOptions)}
	}
	return mounts
}

// userOf finds the user in a mount's options.
func userOf(options string) string {
	for option := range strings.SplitSeq(options, ",") {
		if user, found := strings.CutPrefix(option, "user_id="); found {
			return user
		}
	}
	return ""
}
