package inspect

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

// read returns the content of a file in .paperfs.
func (m mounted) read(name string) ([]byte, error) {
	text, err := os.ReadFile(m.control(name))
	return text, m.withheld(err)
}

// open opens a file in .paperfs.
func (m mounted) open(name string, flags int) (*os.File, error) {
	f, err := os.OpenFile(m.control(name), flags, 0)
	return f, m.withheld(err)
}

// withheld says who owns the mount if this user may not read .paperfs. With --allow-other, other
// users may use the rest of the mount.
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
