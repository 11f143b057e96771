package ask

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"paperfs/fs/mountpoint"
)

// read is what a file of .paperfs holds.
func (m mounted) read(name string) ([]byte, error) {
	text, err := os.ReadFile(m.control(name))
	return text, m.withheld(err)
}

// open opens a file of .paperfs.
func (m mounted) open(name string, flags int) (*os.File, error) {
	f, err := os.OpenFile(m.control(name), flags, 0)
	return f, m.withheld(err)
}

// withheld says whose the mount is where .paperfs is another user's alone: with --allow-other the
// rest of the mount is open to this one.
func (m mounted) withheld(err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	info, noInfo := os.Stat(filepath.Join(m.dir, ".paperfs"))
	if noInfo != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int64(owner.Uid) == int64(os.Geteuid()) {
		return err
	}
	return fmt.Errorf("%s is a mount of %s: that user, or root, can run this", m.dir, mountpoint.UserName(strconv.FormatUint(uint64(owner.Uid), 10)))
}
