package mount

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/doctor"
)

// withoutRights adds doctor's commands to a mount's failure if this user may not write to
// the mount's own directories.
func withoutRights(c *config.Config, err error) error {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, unix.EROFS) {
		return err
	}
	dirs := []string{filepath.Join(xdg.StateHome, "paperfs"), filepath.Join(xdg.CacheHome, "paperfs")}
	if data, absErr := filepath.Abs(c.Data); absErr == nil && c.Embedded() {
		dirs = append(dirs, data)
	}
	if fixes := doctor.Rights(dirs...); len(fixes) > 0 {
		return fmt.Errorf("%w\n%s", err, strings.Join(fixes, "\n"))
	}
	return err
}
