package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/prometheus/procfs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"paperfs/cache/state"
	"paperfs/cmd/paperfs/aside"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/serving"
	"paperfs/cmd/paperfs/terminal"
	"paperfs/cmd/paperfs/usage"
	"paperfs/fs/control"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
	"paperfs/remote"
)

// errUnwell: doctor found something that does not work.
var errUnwell = errors.New("something does not work: see FAILURE")

func newDoctorCommand(c *Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor [PROFILE | MOUNTPOINT]",
		Short: "Check what a mount needs, and show how to fix what is missing",
		Long: `Check what a mount needs, and show how to fix what is missing: this machine, the directories
that paperfs keeps things in, the service, and the mounts that there are. With
MOUNTPOINT, also that mount, or whether the directory can be one; with PROFILE,
its service. The credentials of a mount are those that flags or the environment
tell, else those of the profile that has its service and user name.

It changes nothing and sends the service at most three requests. Exit code 22
says that there is a FAILURE.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeProfileOrDirectory(c),
	}
	usage.GroupFlags(cmd, usage.FlagGroup("The service, and its password", c.bindMountService), usage.FlagGroup("The mount", func(f *pflag.FlagSet) {
		f.BoolVar(&c.AllowOther, "allow-other", c.AllowOther, "the mount is to be for other users, too")
		f.IntVar(&c.RPM, "rpm", c.RPM, "requests in any minute, a `NUMBER`, 0 for no limit")
		f.Lookup("rpm").DefValue = "0"
	}), usage.FlagGroup("Profiles", c.bindConfigFile), usage.FlagGroup("Output", func(f *pflag.FlagSet) {
		f.BoolVar(&c.JSON, "json", false, "print the findings as JSON")
	}))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v := visit{config: c}
		name := usage.First(args)
		if !c.hasProfile(name) {
			name = ""
		}
		v.unsettled = c.settleAll(cmd.Flags(), name)
		if len(args) > 0 && name == "" {
			if err := mustBePlace(c, args[0]); err != nil {
				return &usage.Error{Err: err}
			}
			done := terminal.Shown(cmd.ErrOrStderr(), terminal.Always("asking "+args[0]))
			err := v.at(args[0])
			done()
			if err != nil {
				return err
			}
			v.takeProfile(cmd.Flags())
		}
		return v.report(cmd)
	}
	return cmd
}

// mustBePlace refuses a word that is the name of no profile, and of no directory either.
func mustBePlace(c *Config, word string) error {
	f, err := profile.Load(c.configFile())
	if _, there := os.Lstat(word); err != nil || there == nil || strings.Contains(word, "/") {
		return nil
	}
	_, err = f.Profile(word)
	return fmt.Errorf("there is no directory %s (for one that mount would make, write ./%s), and %w", word, word, err)
}

// visit is one run of doctor.
type visit struct {
	config    *Config
	unsettled error  // why the settings are none
	dir       string // the mount point, absolute; empty where none was given
	mount     mountpoint.Mount
	status    *control.Status // of the mount there, nil where none answers
	silent    error           // why it does not answer, where that is known
	profile   string          // of the account that is mounted, if it has one
	near      string          // else: a profile of the same service
}

// at takes a mount point. What is mounted there decides about the service.
func (v *visit) at(path string) error {
	m, err := serving.At(path)
	if errors.Is(err, mountpoint.ErrNone) {
		v.dir, err = filepath.Abs(path)
		return err
	}
	if err != nil {
		return err
	}
	v.dir, v.mount = m.Dir, m
	asked := make(chan error, 1)
	var text bytes.Buffer
	go func() { asked <- aside.Run(m, []string{"status", "--json", m.Dir}, &text, io.Discard) }()
	select {
	case err = <-asked:
	case <-time.After(3 * aside.Silence):
		err = mountpoint.Silent(m.Dir, 3*aside.Silence)
	}
	if errors.Is(err, mountpoint.ErrSilent) {
		v.silent = err
	}
	if err != nil {
		return nil // doctor.Stale says why
	}
	v.status = &control.Status{}
	return json.Unmarshal(text.Bytes(), v.status)
}

func (v *visit) report(cmd *cobra.Command) error {
	found := []doctor.Finding{}
	begin := func(check string) (end func()) {
		return terminal.Shown(cmd.ErrOrStderr(), terminal.Always("looking at: "+check))
	}
	sound := doctor.Run(cmd.Context(), v.checks(), begin, func(f doctor.Finding) {
		found = append(found, f)
		if !v.config.JSON {
			printFinding(cmd.OutOrStdout(), f)
		}
	})
	if v.config.JSON {
		if err := terminal.ShowJSON(cmd, found); err != nil {
			return err
		}
	}
	if !sound {
		return errUnwell
	}
	return nil
}

var levelWords = map[doctor.Level]string{doctor.OK: "OK", doctor.Warning: "warning", doctor.Failure: "FAILURE"}

func printFinding(w io.Writer, f doctor.Finding) {
	fmt.Fprintf(w, "%-7s  %s: %s\n", levelWords[f.Level], f.Check, terminal.Printable(f.Says))
	if f.Mend != "" {
		fmt.Fprintf(w, "         %s\n", terminal.Printable(f.Mend))
	}
}

// checks are those of this machine, of the directories, of the service, and of
// the mounts.
func (v *visit) checks() []doctor.Check {
	checks := v.machine()
	if _, err := profile.Load(v.config.configFile()); err != nil {
		checks = append(checks, doctor.Unusable("profiles", err))
	}
	checks = append(checks, v.directories()...)
	checks = append(checks, v.service()...)
	return append(checks, v.mounts()...)
}

func (v *visit) machine() []doctor.Check {
	home, _ := os.UserHomeDir()
	var name unix.Utsname
	_ = unix.Uname(&name)
	checks := doctor.FUSE{Root: "/", UID: os.Getuid(), Home: home, Mountpoint: v.dir, AllowOther: v.config.AllowOther}.Checks()
	checks = append(checks, doctor.Kernel{Root: "/", Release: unix.ByteSliceToString(name.Release[:])}.Checks()...)
	return append(checks, doctor.Indexers{
		Root: "/", Mountpoint: v.dir, Visible: v.config.AllowOther || os.Getuid() == 0, Running: running,
	}.Checks()...)
}

// running are the names of the processes that run.
func running() (names []string) {
	processes, _ := procfs.AllProcs()
	for _, p := range processes {
		if name, err := p.Comm(); err == nil {
			names = append(names, name)
		}
	}
	return names
}

func (v *visit) directories() []doctor.Check {
	dirs := []doctor.Directory{
		{Name: "state", Path: filepath.Join(xdg.StateHome, "paperfs"), Kept: true},
		{Name: "cache", Path: filepath.Join(xdg.CacheHome, "paperfs")},
	}
	data := v.data()
	if data != "" {
		dirs = append(dirs, doctor.Directory{Name: "data", Path: data, Kept: true})
	}
	var checks []doctor.Check
	for _, d := range dirs {
		d.Statfs, d.Access = unix.Statfs, unix.Access
		checks = append(checks, d.Check())
	}
	if data != "" {
		checks = append(checks, doctor.ServiceData(data))
	}
	if v.status != nil {
		return append(checks, doctor.MountedStore(v.dir, func() (string, error) { return aside.Contradictions(v.mount) }))
	}
	if rest := state.Unheld(xdg.StateHome); len(rest) > 0 {
		checks = append(checks, doctor.MediaStores(rest))
	}
	return checks
}

// data is the directory of the embedded service's data; empty for another
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

// service are the checks of a service that is not the embedded one, and of what
// the environment says of it.
func (v *visit) service() []doctor.Check {
	c := v.config
	var checks []doctor.Check
	if v.status == nil {
		limit, err := c.rpm()
		if err = v.checkSettings(err); err != nil {
			return []doctor.Check{doctor.Unusable("settings", err)}
		}
		checks = append(checks, doctor.Budget(limit, c.Embedded(), c.nameOf))
	}
	if v.profile != "" && v.unsettled != nil {
		return append(checks, doctor.Unusable("settings", v.unsettled))
	}
	if c.PasswordFile != "" {
		checks = append(checks, doctor.PasswordFile(c.PasswordFile, c.nameOf))
	}
	if v.data() != "" {
		return checks
	}
	password, err := "", error(nil)
	if v.status == nil || c.hasPassword() || onTerminal() {
		password, err = c.password()
	}
	o := remote.Options{BaseURL: c.URL, Username: c.Username, Password: password, CAFile: c.CAFile, AllowPlainHTTP: c.AllowPlainHTTP}
	known := c.Username != "" && password != ""
	if v.status != nil && !sameService(c.URL, v.status.Service.URL) {
		o.BaseURL, o.Username, o.Password, o.AllowPlainHTTP, known, err = v.status.Service.URL, "", "", true, false, nil
	}
	var client *remote.Client
	if err == nil {
		client, err = remote.New(o)
	}
	if err != nil {
		return append(checks, doctor.Unusable("settings", err))
	}
	root := c.RootURL
	if v.status != nil && v.status.Tree.RootURL != "" {
		root = v.status.Tree.RootURL
	}
	return append(checks, doctor.Service{
		URL: o.BaseURL, RootURL: root, Credentials: known, Without: v.withoutCredentials(), OnlyTwenty: c.OnlyTwenty, Named: c.nameOf,
		Client: client, Lookup: net.DefaultResolver.LookupHost, Now: time.Now,
	}.Check())
}

// checkSettings is what is wrong with the settings.
func (v *visit) checkSettings(err error) error {
	if v.unsettled != nil {
		return v.unsettled
	}
	return errors.Join(v.config.checkService(), err)
}

func sameService(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }

func (v *visit) mounts() []doctor.Check {
	var checks []doctor.Check
	switch {
	case v.status != nil:
		checks = doctor.Status(*v.status)
	case v.dir != "":
		if _, err := serving.At(v.dir); err != nil {
			checks = append(checks, doctor.Place(v.dir, mountpoint.Usable))
		}
	}
	all, err := mountpoint.All()
	if err != nil {
		return append(checks, doctor.Unusable("mounts", err))
	}
	all = slices.DeleteFunc(all, func(m mountpoint.Mount) bool { return !v.concerns(m) })
	return append(checks, doctor.Stale(all, func(m mountpoint.Mount) error {
		if m.Dir == v.dir && v.silent != nil {
			return v.silent
		}
		return serves(m)
	}))
}

// concerns reports whether a mount is the one that was asked for; else it is one
// that this user may look at.
func (v *visit) concerns(m mountpoint.Mount) bool {
	if v.dir != "" {
		return m.Dir == v.dir
	}
	me := strconv.Itoa(os.Getuid())
	return me == "0" || m.User == me
}

// serves tells, by its error, whether a mount has a process that answers.
func serves(m mountpoint.Mount) error {
	s, pid := serving.Of(m)
	switch {
	case s == serving.Living && guard.Stopped(pid):
		return mountpoint.Stopped(m.Dir, pid)
	case s == serving.Living:
		return nil
	case s == serving.Killed:
		return mountpoint.Killed(m.Dir, pid)
	}
	err := aside.Answers(m)
	if told, ok := errors.AsType[*aside.ExitError](err); ok && told.Code == exitStale {
		return mountpoint.Left(m.Dir)
	}
	if err == nil && m.User != strconv.Itoa(os.Getuid()) {
		return fmt.Errorf("it is of user %s, who alone can tell whether it is served", m.User) // here the kernel has answered
	}
	return err
}
