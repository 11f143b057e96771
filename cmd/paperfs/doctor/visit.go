package doctor

import (
	"errors"
	"path/filepath"

	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"
)

// visit is one run of doctor.
type visit struct {
	config    *config.Config
	json      bool   // print the findings as JSON
	unsettled error  // why the settings are unusable
	dir       string // the mount point, absolute; "" if none was given
	mounted   bool   // there is a mount
	mount     mountpoint.Mount
}

// at sets the mount point.
func (v *visit) at(path string) error {
	m, err := serving.At(path)
	if errors.Is(err, mountpoint.ErrNone) {
		v.dir, err = filepath.Abs(path)
		return err
	}
	v.dir, v.mount, v.mounted = m.Dir, m, err == nil
	return err
}
