package doctor

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"

	"paperfs/cache/state"
	"paperfs/cmd/paperfs/isolate"
	"paperfs/cmd/paperfs/password"
	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/mountpoint"
	"paperfs/remote"
)

// checks returns the checks of this machine, the directories, the service and the
// mounts.
func (v *visit) checks() []Check {
	checks := v.machine()
	if _, err := profile.Load(v.config.ProfileFile()); err != nil {
		checks = append(checks, Unusable("profiles", err))
	}
	checks = append(checks, v.directories()...)
	checks = append(checks, v.service()...)
	return append(checks, v.mounts()...)
}

func (v *visit) machine() []Check {
	home, _ := os.UserHomeDir()
	var name unix.Utsname
	_ = unix.Uname(&name)
	checks := FUSE{Root: "/", UID: os.Getuid(), Home: home, Mountpoint: v.dir, AllowOther: v.config.AllowOther}.Checks()
	checks = append(checks, Kernel{Root: "/", Release: unix.ByteSliceToString(name.Release[:])}.Checks()...)
	return append(checks, Indexers{
		Root: "/", Mountpoint: v.dir, Visible: v.config.AllowOther || os.Getuid() == 0, Running: running,
	}.Checks()...)
}

func (v *visit) directories() []Check {
	dirs := []Directory{
		{Name: "state", Path: filepath.Join(xdg.StateHome, "paperfs"), Kept: true},
		{Name: "cache", Path: filepath.Join(xdg.CacheHome, "paperfs")},
	}
	data := v.data()
	if data != "" {
		dirs = append(dirs, Directory{Name: "data", Path: data, Kept: true})
	}
	var checks []Check
	for _, d := range dirs {
		d.Statfs, d.Access = unix.Statfs, unix.Access
		checks = append(checks, d.Check())
	}
	if data != "" {
		checks = append(checks, ServiceData(data))
	}
	if v.status != nil {
		return append(checks, MountedStore(v.dir, func() (string, error) { return isolate.Contradictions(v.mount) }))
	}
	if rest := state.Unheld(xdg.StateHome); len(rest) > 0 {
		checks = append(checks, MediaStores(rest))
	}
	return checks
}

// data returns the directory of the embedded service's data, or "" for another
// service.
func (v *visit) data() string {
	switch {
	case v.status != nil:
		return v.status.Service.Data
	case !v.config.Embedded():
		return ""
	}
	abs, err := filepath.Abs(v.config.Data)
	if err != nil {
		return v.config.Data
	}
	return abs
}

// service returns the checks of a service other than the embedded one, and of its
// settings.
func (v *visit) service() []Check {
	c := v.config
	var checks []Check
	if v.status == nil {
		limit, err := c.RequestLimit()
		if err = v.checkSettings(err); err != nil {
			return []Check{Unusable("settings", err)}
		}
		checks = append(checks, Budget(limit, c.Embedded(), c.NameOf))
	}
	if v.profile != "" && v.unsettled != nil {
		return append(checks, Unusable("settings", v.unsettled))
	}
	if c.PasswordFile != "" {
		checks = append(checks, PasswordFile(c.PasswordFile, c.NameOf))
	}
	if v.data() != "" {
		return checks
	}
	secret, err := "", error(nil)
	if v.status == nil || c.HasPassword() || password.CanAsk() {
		secret, err = c.FindPassword()
	}
	o := remote.Options{BaseURL: c.URL, Username: c.Username, Password: secret, CAFile: c.CAFile, AllowPlainHTTP: c.AllowPlainHTTP}
	known := c.Username != "" && secret != ""
	if v.status != nil && !sameService(c.URL, v.status.Service.URL) {
		o.BaseURL, o.Username, o.Password, o.AllowPlainHTTP, known, err = v.status.Service.URL, "", "", true, false, nil
	}
	var client *remote.Client
	if err == nil {
		client, err = remote.New(o)
	}
	if err != nil {
		return append(checks, Unusable("settings", err))
	}
	root := c.RootURL
	if v.status != nil && v.status.Tree.RootURL != "" {
		root = v.status.Tree.RootURL
	}
	return append(checks, Service{
		URL: o.BaseURL, RootURL: root, Credentials: known, Without: v.withoutCredentials(), OnlyTwenty: c.OnlyTwenty, Named: c.NameOf,
		Client: client, Lookup: net.DefaultResolver.LookupHost, Now: time.Now,
	}.Check())
}

// checkSettings returns what is wrong with the settings.
func (v *visit) checkSettings(err error) error {
	if v.unsettled != nil {
		return v.unsettled
	}
	return errors.Join(v.config.CheckService(), err)
}

func (v *visit) mounts() []Check {
	var checks []Check
	switch {
	case v.status != nil:
		checks = Status(*v.status)
	case v.dir != "":
		if _, err := serving.At(v.dir); err != nil {
			checks = append(checks, Place(v.dir, mountpoint.Usable))
		}
	}
	all, err := mountpoint.All()
	if err != nil {
		return append(checks, Unusable("mounts", err))
	}
	all = slices.DeleteFunc(all, func(m mountpoint.Mount) bool { return !v.concerns(m) })
	if v.dir != "" && len(all) == 0 {
		return append(checks, one("mounts", func() Finding { return fine("no paperfs is mounted at %s", v.dir) }))
	}
	return append(checks, Stale(all, func(m mountpoint.Mount) error {
		if m.Dir == v.dir && v.silent != nil {
			return v.silent
		}
		return serves(m)
	}))
}

// concerns reports whether doctor checks a mount: the one that it was called for, or else
// every mount that this user may examine.
func (v *visit) concerns(m mountpoint.Mount) bool {
	if v.dir != "" {
		return m.Dir == v.dir
	}
	me := strconv.Itoa(os.Getuid())
	return me == "0" || m.User == me
}
