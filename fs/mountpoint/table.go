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

// Type is the file system type of paperfs mounts in the kernel's table, and Name the part
// of it that go-fuse gets.
const (
	Name = "paperfs"
	Type = "fuse." + Name
)

// Mount is a row of the kernel's table of mounts.
type Mount struct {
	Dir    string // absolute
	Type   string
	Source string
	Device string // "MAJOR:MINOR"
	User   string // number of the user who mounted it, for FUSE; otherwise empty
}

// ErrNone says that a path is not inside a paperfs mount.
var ErrNone = errors.New("no paperfs is mounted there")

// At returns the mount at exactly this directory, the topmost if there are several. dir is
// absolute and without symlinks.
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

// Of returns where the file system that holds a path is mounted. It returns the path if that is
// unknown.
func Of(path string) string {
	abs, err := resolve(path)
	if err != nil {
		return path
	}
	mounts, err := table()
	if m := holding(mounts, abs); err == nil && m.Dir != "" {
		return m.Dir
	}
	return path
}

// All returns the paperfs mounts.
func All() ([]Mount, error) {
	mounts, err := table()
	return slices.DeleteFunc(mounts, func(m Mount) bool { return m.Type != Type }), err
}

// Find returns the paperfs mount that contains path, and the path from its root, which
// begins with a slash. It follows symlinks on the way to the mount but not inside it. It
// returns ErrNone if there is no such mount.
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

// absolute is filepath.Abs for a process whose working directory may be in a mount that
// does not answer: filepath.Abs accesses the mount.
func absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	dir, err := syscall.Getwd()
	return filepath.Join(dir, path), os.NewSyscallError("getcwd", err)
}

// maxSymlinks is how many symlinks a path may contain, as in the kernel.
const maxSymlinks = 40

// throughSymlinks resolves the parts of a path one by one until it reaches a paperfs mount.
// It does not access the mount or anything in it: if its process has died or hangs, that
// could wait forever.
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

// owner returns the mount that contains a path, if it is a paperfs mount.
func owner(mounts []Mount, abs string) (found Mount, rest string, ok bool) {
	found = holding(mounts, abs)
	if found.Type != Type {
		return Mount{}, "", false
	}
	return found, "/" + strings.TrimPrefix(strings.TrimPrefix(abs, found.Dir), "/"), true
}

// holding returns the mount that contains a path.
func holding(mounts []Mount, abs string) (found Mount) {
	for _, m := range mounts {
		inside := abs == m.Dir || m.Dir == "/" || strings.HasPrefix(abs, m.Dir+"/")
		if inside && len(m.Dir) >= len(found.Dir) {
			found = m
		}
	}
	return found
}

// table reads /proc/thread-self/mountinfo. That accesses no mount.
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

// userOf returns the user in a mount's options.
func userOf(options string) string {
	for option := range strings.SplitSeq(options, ",") {
		if user, found := strings.CutPrefix(option, "user_id="); found {
			return user
		}
	}
	return ""
}
