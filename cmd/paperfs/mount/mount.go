package mount

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs"
	"paperfs/fs/control"
	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// NewCommand returns paperfs mount. version is the version that status shows.
func NewCommand(c *config.Config, version string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mount [PROFILE] MOUNTPOINT",
		Short: "Mount a service as a directory tree",
		Long: `paperfs creates MOUNTPOINT if it is missing, and serves the mount until it is unmounted, by ^C or paperfs umount.

PROFILE, or the variables PAPERFS_URL, PAPERFS_USERNAME and PAPERFS_PASSWORD or PAPERFS_PASSWORD_FILE, name the service.
Without them, paperfs mounts the embedded service, which keeps its data in the directory of --data. A flag overrides the
environment (PAPERFS_TREE_TTL for --tree-ttl), which overrides the profile: see paperfs help profiles.

With --daemon, paperfs returns when the mount is ready, or prints why it failed. How a mount ends, and what happens while programs
still use it: paperfs help mounting.`,
		Example: `paperfs mount ~/ipaper                   # with the embedded service
paperfs mount --daemon acme ~/acme       # a profile, in the background
paperfs mount --allow-delete --write-back acme ~/acme`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: config.CompleteProfileAndDirectory(c),
	}
	cli.GroupFlags(cmd, append(c.MountFlags, cli.FlagGroup("This mount", c.BindCall))...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := c.TakeOptions(cmd.Flags(), c.Sloppy); err != nil {
			return err
		}
		name, place := "", args[len(args)-1]
		if len(args) == 2 {
			name = args[0]
		}
		if err := checkPlaces(name, place); err != nil {
			return &cli.UsageError{Err: err}
		}
		if err := c.Resolve(cmd.Flags(), name); err != nil {
			return err
		}
		l, _ := cmd.Context().Value(serving.LineKey{}).(serving.Line)
		switch {
		case l.Daemon:
			if err := c.TakeHanded(); err != nil {
				return err
			}
		case c.Daemon:
			s, err := c.Check()
			if err != nil {
				return err
			}
			return startDaemon(l.Args, s.Password)
		}
		return withoutRights(c, serveMount(c, place, version))
	}
	return cmd
}

// checkPlaces refuses arguments that can be neither a profile nor a mount point.
func checkPlaces(name, place string) error {
	for _, word := range []string{name, place} {
		if strings.Contains(word, "://") {
			return fmt.Errorf("%s is an address, not a profile or a directory. To keep it as a profile, run: paperfs config add NAME --url %s; to use it once, pass --url", word, shellword.Quote(word))
		}
	}
	if place == "" {
		return errors.New("the mount point is empty")
	}
	return nil
}

// heapGrowth is GOGC for a mount. Most of its heap is what the kernel knows of the tree:
// hundreds of megabytes after a walk over everything, which rarely change.
const heapGrowth = 50

func serveMount(c *config.Config, path, version string) (err error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	settings, direct, err := readyToMount(c, path)
	if err != nil {
		return err
	}
	metrics, err := listenMetrics(c)
	if err != nil {
		return err
	}
	if metrics != nil {
		defer metrics.Close()
	}
	place, err := mountpoint.Prepare(path, serving.FreeMountPoint)
	if err != nil {
		return err
	}
	if err := mustNotCover(c, place); err != nil {
		return err
	}
	// A closed log pipe must not end the process, which would leave a stale mount.
	signal.Ignore(syscall.SIGPIPE)
	interrupted, uncaught := signal.NotifyContext(context.Background(), cli.EndingSignals()...)
	defer uncaught()
	a, err := openAccount(interrupted, c, settings, place.Dir, version)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()

	signals := make(chan os.Signal, 4)
	signal.Notify(signals, append(cli.EndingSignals(), syscall.SIGUSR1)...)
	if interrupted.Err() != nil {
		return errInterrupted
	}
	uncaught()
	if err := place.Make(); err != nil {
		return err
	}
	server, err := fs.Mount(a.mountOptions(direct))
	if err != nil {
		place.Abandon()
		return err
	}
	defer a.watch()()
	if metrics != nil {
		defer a.serveMetrics(metrics)()
	}
	a.sayMounted(place.Dir)
	err = attend(server, place.Dir, a.refresh, signals)
	sayLeft(cli.Messages, control.LocalNames(a.media))
	if err != nil {
		return err
	}
	a.media.Unmounted()
	drain(a.endingAtSignal(signals), a.media)
	return nil
}

// readyToMount opens the log and checks the settings and FUSE. direct means that this process mounts itself.
func readyToMount(c *config.Config, path string) (settings config.Settings, direct bool, err error) {
	if c.LogTo, err = c.OpenLog(path); err != nil {
		return settings, false, err
	}
	if settings, err = c.Check(); err != nil {
		return settings, false, err
	}
	// Only the command that prints the password may inherit descriptors that the parent left open, and it has ended by
	// now. Later children must not.
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if direct, err = mountpoint.CheckFUSE(); err != nil {
		return settings, false, err
	}
	if c.AllowOther && !direct && !mountpoint.OthersAllowed() {
		return settings, direct, &cli.UsageError{Err: fmt.Errorf("%s needs user_allow_other in /etc/fuse.conf, unless root mounts. Run as root: echo user_allow_other >> /etc/fuse.conf", c.NameOf("allow_other"))}
	}
	return settings, direct, nil
}

// sayMounted says that the mount is served, and leaves the terminal.
func (a *account) sayMounted(dir string) {
	c := a.config
	ends := "^C unmounts"
	if c.InDaemon {
		ends = "its log is in " + c.LogTo.Name() + "; paperfs umount " + shellword.Quote(dir) + " unmounts"
	}
	fmt.Fprintf(cli.Messages, "paperfs: mounted %s on %s; %s\n", a.service, cli.Printable(dir), cli.Printable(ends))
	cli.NotifyManager(cli.ManagerReady, cli.ManagerStatus("mounted "+a.service+" on "+dir))
	if a.reads {
		fmt.Fprintln(cli.Messages, "paperfs: the mount is for reading, because the account may only read; to change something, mount with an account of the role editor")
	}
	if c.AllowOther && c.Embedded() {
		fmt.Fprintf(cli.Messages, "paperfs: other users of this machine can read what the permissions in %s allow, and at %s each public paper (one without a publication period is public at once) and each media file whose address they know\n", dir, a.url)
	}
	if c.InDaemon {
		if err := detach(c.LogTo); err != nil {
			a.settings.Log.Error("the daemon stays tied to who started it", "error", err)
		}
	}
}

// mustNotCover refuses a mount over the directories that it uses itself.
func mustNotCover(c *config.Config, place mountpoint.Place) error {
	own := []string{xdg.StateHome, xdg.CacheHome}
	if c.Embedded() {
		own = append(own, c.Data)
	}
	for _, dir := range own {
		if err := place.MustNotCover(dir); err != nil {
			return err
		}
	}
	return nil
}
