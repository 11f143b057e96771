package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"paperfs/fs/mountpoint"
	"paperfs/remote/service/datadir"
	"paperfs/remote/shellword"
)

// Directory is a directory that paperfs uses.
type Directory struct {
	Name string // state, cache or data
	Path string // absolute; it need not exist
	Kept bool   // its content cannot be restored if it is lost

	Statfs func(path string, s *unix.Statfs_t) error // unix.Statfs, except in tests
	Access func(path string, mode uint32) error      // unix.Access, except in tests
}

// Check returns the check of the directory.
func (d Directory) Check() Check {
	return one(d.Name+" directory", d.look)
}

func (d Directory) look() Finding {
	at, info, f := d.rights()
	if f.Level != OK {
		return f
	}
	if d.Name == "data" {
		if _, err := datadir.Check(context.Background(), d.Path); err != nil {
			return advised(err)
		}
	}
	if f = d.disk(at); f.Level != OK {
		return f
	}
	if d.Kept && at == d.Path && info.Mode().Perm()&0o077 != 0 {
		return warning("Run: chmod 700 "+shellword.Quote(at), "%s can be read by other users (mode %04o)", at, info.Mode().Perm())
	}
	return f
}

// rights checks whether this user may create and change files there. at is the existing part of the path.
func (d Directory) rights() (at string, info os.FileInfo, f Finding) {
	at, info, err := existing(d.Path)
	path := shellword.Quote(at)
	if err != nil {
		return at, info, failure("Run: namei -om "+path+", which shows who may go there", "%s cannot be examined: %v", at, err)
	}
	if !info.IsDir() {
		return at, info, failure("Run: mv "+path+" "+shellword.Quote(at+".old"), "%s is in the way: it is not a directory", at)
	}
	switch err := d.Access(at, unix.R_OK|unix.W_OK|unix.X_OK); {
	case errors.Is(err, unix.EROFS):
		return at, info, failure("Run as root: mount -o remount,rw "+shellword.Quote(mountpoint.Of(at))+" (dmesg says whether the disk failed)", "%s is on a file system that is mounted read-only", at)
	case err != nil:
		return at, info, failure(d.own(at), "you may not write to %s: %v", at, err)
	}
	return at, info, fine("%s", at)
}

// Rights returns the advice for each of dirs that this user may not write to, without
// duplicates.
func Rights(dirs ...string) (fixes []string) {
	for _, dir := range dirs {
		if _, _, f := (Directory{Path: dir, Access: unix.Access}).rights(); f.Level != OK && !slices.Contains(fixes, f.Fix) {
			fixes = append(fixes, f.Fix)
		}
	}
	return fixes
}

// own returns the command that gives the directory to this user. The directories above belong to other users.
func (d Directory) own(at string) string {
	if at != d.Path {
		return fmt.Sprintf("Run as root: install -d -m 700 -o %d -g %d %s (or set HOME to a directory of yours)", os.Getuid(), os.Getgid(), shellword.Quote(d.Path))
	}
	return fmt.Sprintf("Run as root: chown -R %d:%d %s", os.Getuid(), os.Getgid(), shellword.Quote(at))
}

// disk checks whether the file system keeps what is written to it. What fails on a full one says so itself.
func (d Directory) disk(at string) Finding {
	var s unix.Statfs_t
	if err := d.Statfs(at, &s); err != nil {
		return failure("", "the file system of %s cannot be examined: %v", at, err)
	}
	switch {
	case d.Kept && remoteType(s.Type):
		return warning("Choose a directory of this machine: XDG_STATE_HOME, or --data", "%s is on a network file system, on which locks and syncs of a database are not safe", d.Path)
	case d.Kept && s.Type == unix.TMPFS_MAGIC:
		return warning("Choose a directory on a disk: XDG_STATE_HOME, or --data", "%s is in memory (tmpfs): what is kept there is lost when the machine restarts", d.Path)
	case at != d.Path:
		return fine("%s (created at the first mount)", d.Path)
	}
	return fine("%s", d.Path)
}

// remoteType reports whether a file system of this type is on another machine.
func remoteType(magic int64) bool {
	switch uint32(magic) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.AFS_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC:
		return true
	}
	return false
}

// existing returns a path, or the nearest existing directory above it.
func existing(path string) (string, os.FileInfo, error) {
	for {
		info, err := os.Stat(path)
		if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			return path, info, err
		}
		path = filepath.Dir(path)
	}
}
