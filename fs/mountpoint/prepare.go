package mountpoint

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"paperfs/remote/shellword"

	"golang.org/x/sys/unix"
)

// Reasons why a place cannot be mounted on. Each is wrapped in a sentence that names the
// place and the command that helps.
var (
	ErrUnusable = errors.New("unusable mount point")
	ErrStale    = errors.New("stale mount")
	ErrNoFUSE   = errors.New("FUSE is not available")
)

// problem is a sentence that wraps one of the errors above.
type problem struct {
	kind     error
	sentence string
}

func (p *problem) Error() string { return p.sentence }
func (p *problem) Unwrap() error { return p.kind }

func unusable(format string, args ...any) error {
	return &problem{ErrUnusable, fmt.Sprintf(format, args...)}
}

// Place is a directory that a mount may use.
type Place struct {
	Dir     string // absolute, without symlinks: the kernel's name for the mount
	missing bool   // Make creates it
}

// Prepare checks a mount point, of which the last part may be missing. It does not access a
// paperfs mount that is already there, which could hang: it calls free, which removes that
// mount or returns why it stays.
func Prepare(path string, free func(Mount) error) (Place, error) {
	abs, err := absolute(path)
	if err != nil {
		return Place{}, err
	}
	for {
		m, inside, err := Find(abs)
		if err != nil || inside != "/" {
			break
		}
		if err := free(m); err != nil {
			return Place{}, err
		}
	}
	dir, missing, err := check(path, abs)
	return Place{Dir: dir, missing: missing}, err
}

// Make creates the directory if it is missing. It comes last before the mount: inside another
// mount, a directory is a category of a service, which may be impossible to remove.
func (p Place) Make() error {
	if !p.missing {
		return nil
	}
	if err := os.Mkdir(p.Dir, 0o755); err != nil {
		return uncreatable(err)
	}
	return nil
}

func uncreatable(err error) error { return unusable("the mount point cannot be created: %v", err) }

// check examines a path that is not a paperfs mount. missing means that its directory does
// not exist but can be created.
func check(path, abs string) (dir string, missing bool, err error) {
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, syscall.ENOTCONN):
		return "", false, Stale(path)
	case errors.Is(err, os.ErrNotExist):
		dir, err := newIn(path, abs)
		return dir, true, err
	case err != nil:
		return "", false, unusable("the mount point cannot be used: %v", err)
	case !info.IsDir():
		return "", false, unusable("%s is not a directory. Choose an empty directory, or a new name in an existing one", path)
	}
	if dir, err = filepath.EvalSymlinks(abs); err != nil {
		return "", false, unusable("the mount point cannot be used: %v", err)
	}
	return dir, false, empty(dir)
}

// AlreadyMounted says that a path is already a mount of paperfs; hint is added to the sentence.
func AlreadyMounted(path, hint string) error {
	return unusable("%s is already a mount of paperfs. Run: paperfs umount %s%s", path, shellword.Quote(path), hint)
}

// Stale says that the process of the mount at a path has ended.
func Stale(path string) error {
	return &problem{ErrStale, fmt.Sprintf("%s is a stale mount: the process that served it has ended. Run: %s", path, detachCommand(path))}
}

// StaleMount is Stale for a mount that is known to be of paperfs.
func StaleMount(dir string) error {
	return &problem{ErrStale, fmt.Sprintf("%s is a stale mount: the process that served it has ended. Run: paperfs umount %s", dir, shellword.Quote(dir))}
}

// Killed says that the mount at a directory was killed while its process waited in the
// kernel.
func Killed(dir string, pid int) error {
	return &problem{ErrStale, fmt.Sprintf("%s is a mount whose process %d was killed, and it no longer answers. Run: paperfs umount %s", dir, pid, shellword.Quote(dir))}
}

// ErrSilent is an ErrStale for a mount that does not answer, for an unknown reason.
var ErrSilent = fmt.Errorf("silent mount: %w", ErrStale)

// Silent says how long a mount has not answered.
func Silent(dir string, silence time.Duration) error {
	return &problem{ErrSilent, fmt.Sprintf("%s is a mount that has not answered for %s. If its process was killed, run: paperfs umount --force %s", dir, silence, shellword.Quote(dir))}
}

// ErrStopped is an ErrSilent for a mount whose process is stopped.
var ErrStopped = fmt.Errorf("stopped mount: %w", ErrSilent)

// Stopped says that a mount does not answer until its process continues.
func Stopped(dir string, pid int) error {
	return &problem{ErrStopped, fmt.Sprintf("%s is a mount whose process %d is stopped (by kill -STOP, ^Z or a debugger), so that it does not answer. Run: kill -CONT %d", dir, pid, pid)}
}

// newIn returns where to create a missing directory.
func newIn(path, abs string) (dir string, err error) {
	if to, err := os.Readlink(abs); err == nil {
		return "", unusable("%s is a symbolic link to %s, which is missing. Make that directory, or choose another", path, to)
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if errors.Is(err, os.ErrNotExist) {
		return "", unusable("the parent directory of %s is missing. Run: mkdir -p %s", path, shellword.Quote(filepath.Dir(path)))
	}
	if err != nil {
		return "", unusable("the mount point cannot be used: %v", err)
	}
	dir = filepath.Join(parent, filepath.Base(abs))
	if err := unix.Access(parent, unix.W_OK|unix.X_OK); err != nil {
		return "", uncreatable(&os.PathError{Op: "mkdir", Path: dir, Err: err})
	}
	return dir, nil
}

func empty(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return unusable("the mount point cannot be used: %v", err)
	}
	defer f.Close()
	switch _, err := f.Readdirnames(1); {
	case err == nil:
		return unusable("%s is not empty, and a mount would hide what is in it. Choose an empty directory, or a new name in an existing one", dir)
	case !errors.Is(err, io.EOF):
		return unusable("the mount point cannot be used: %v", err)
	}
	return nil
}

// Abandon removes the directory if Make made it, for a mount that failed.
func (p Place) Abandon() {
	if p.missing {
		_ = os.Remove(p.Dir) // fails if the directory is no longer empty
	}
}

// CheckFUSE returns an error that says what is missing for mounting. direct means that
// paperfs must mount without fusermount3, which only root can.
func CheckFUSE() (direct bool, err error) {
	return checkFUSE("/dev/fuse", os.Geteuid())
}

// OthersAllowed reports whether this user may mount with allow_other.
func OthersAllowed() bool {
	if os.Geteuid() == 0 {
		return true
	}
	text, err := os.ReadFile("/etc/fuse.conf")
	return err == nil && AllowsOthers(string(text))
}

// AllowsOthers reports whether a text of /etc/fuse.conf allows allow_other.
func AllowsOthers(conf string) bool {
	for line := range strings.Lines(conf) {
		if strings.TrimSpace(line) == "user_allow_other" {
			return true
		}
	}
	return false
}

func checkFUSE(device string, uid int) (direct bool, err error) {
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		advice := "Run as root: modprobe fuse; in a container, start it with --device " + device + " and the capability SYS_ADMIN"
		if errors.Is(err, os.ErrPermission) {
			advice = "Run as root: chmod 666 " + device
		}
		return false, &problem{ErrNoFUSE, fmt.Sprintf("FUSE is not available: %v. %s", err, advice)}
	}
	f.Close()
	if _, err := exec.LookPath("fusermount3"); err == nil {
		return false, nil
	}
	if uid != 0 {
		return false, &problem{ErrNoFUSE, "fusermount3 is missing; without it only root can mount. Run as root: apt install fuse3 (or the equivalent for your system)"}
	}
	return true, nil
}
