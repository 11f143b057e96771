package doctor

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"
	"paperfs/remote"
)

// checks returns the checks of this machine, the directories, the service and the mounts.
func (v *visit) checks() []Check {
	checks := v.machine()
	if _, err := profile.Load(v.config.ProfileFile()); err != nil {
		checks = append(checks, Unusable("profiles", err))
	}
	checks = append(checks, v.directories()...)
	if v.mounted {
		return append(checks, Stale([]mountpoint.Mount{v.mount}, serves), behind(v.mount))
	}
	checks = append(checks, v.service()...)
	return append(checks, v.mounts())
}

func (v *visit) machine() []Check {
	home, _ := os.UserHomeDir()
	return FUSE{Root: "/", UID: os.Getuid(), Home: home, Mountpoint: v.dir}.Checks()
}

func (v *visit) directories() []Check {
	dirs := []Directory{
		{Name: "state", Path: filepath.Join(xdg.StateHome, "paperfs"), Kept: true},
		{Name: "cache", Path: filepath.Join(xdg.CacheHome, "paperfs")},
	}
	if data, err := filepath.Abs(v.config.Data); err == nil && v.config.Embedded() {
		dirs = append(dirs, Directory{Name: "data", Path: data, Kept: true})
	}
	var checks []Check
	for _, d := range dirs {
		d.Statfs, d.Access = unix.Statfs, unix.Access
		checks = append(checks, d.Check())
	}
	return checks
}

// service returns the checks of a service other than the embedded one, and of its settings.
func (v *visit) service() []Check {
	c, err := v.config, v.unsettled
	if err == nil {
		err = c.CheckService()
	}
	if err != nil {
		return []Check{Unusable("settings", err)}
	}
	if c.Embedded() {
		return nil
	}
	secret, err := c.FindPassword()
	var client *remote.Client
	if err == nil {
		client, err = remote.New(remote.Options{BaseURL: c.URL, Username: c.Username, Password: secret, CAFile: c.CAFile, AllowPlainHTTP: c.AllowPlainHTTP})
	}
	if err != nil {
		return []Check{Unusable("settings", err)}
	}
	return []Check{Service{
		URL: c.URL, RootURL: c.RootURL, RootID: c.RootID, Named: c.NameOf, Client: client,
	}.Check()}
}

// mounts returns the check of all mounts that this user may examine.
func (v *visit) mounts() Check {
	mine, err := serving.Mine()
	if err != nil {
		return Unusable("mounts", err)
	}
	return Stale(mine, serves)
}
