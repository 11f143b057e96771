package mount

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func NewUmountCommand() *cobra.Command {
	var wait, force bool
	cmd := &cobra.Command{
		Use:     "umount MOUNTPOINT",
		Aliases: []string{"unmount"},
		Short:   "Unmount, and wait until the mount's process has ended",
		Long:    `If programs use the mount, the command names them and does not unmount. --force detaches the mount in any case.`,
		Example: `paperfs umount ~/ipaper
paperfs umount --wait ~/ipaper`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := serving.At(args[0])
			if err != nil {
				return err
			}
			s, pid := serving.Of(at)
			if force && s == serving.Unknown && errors.Is(serving.Answers(at), mountpoint.ErrSilent) {
				s = serving.Killed
			}
			if s == serving.Killed {
				if wait {
					return fmt.Errorf("%s: process %d was killed, so nothing is being sent to the service; the next mount sends the rest. Run: paperfs umount %s", at.Dir, pid, shellword.Quote(at.Dir))
				}
				return serving.End(at, s)
			}
			var unpublished error
			if wait {
				unpublished = serving.RunInside(at, []string{"wait", at.Dir}, cmd.OutOrStdout(), cmd.ErrOrStderr())
				if told, ok := errors.AsType[*serving.ExitError](unpublished); unpublished != nil && (!ok || told.Code != cli.ExitUnpublished) {
					return unpublished
				}
			}
			if force {
				err = mountpoint.Detach(at.Dir)
				if err == nil && s == serving.Living && guard.Stopped(pid) {
					fmt.Fprintf(os.Stderr, "paperfs: detached; process %d is stopped, and ends after: kill -CONT %d\n", pid, pid)
				}
			} else {
				err = unmountAndWait(at)
			}
			if err != nil {
				return err
			}
			return unpublished // it was reported, but is no reason to stay mounted: the content is stored
		},
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "first wait until all files are on the service")
	cmd.Flags().BoolVar(&force, "force", false, "detach the mount even while programs use it; it ends when they stop, or at once if its process was killed")
	return cmd
}

// putAwayLimit bounds the wait for the mount's process after the unmount, while it finishes
// the requests under way.
const putAwayLimit = time.Minute

func unmountAndWait(at mountpoint.Mount) error {
	var text bytes.Buffer
	err := serving.RunInside(at, []string{"status", "--json", at.Dir}, &text, io.Discard)
	switch told, ok := errors.AsType[*serving.ExitError](err); {
	case ok && told.Code == cli.ExitStale:
		return mountpoint.Detach(at.Dir) // its process has ended
	case ok && told.Code > 128:
		return told // from a signal
	case err != nil && !ok:
		return err
	}
	var s control.Status
	if err == nil {
		err = json.Unmarshal(text.Bytes(), &s)
	}
	left, interrupted := leftIn(at)
	if interrupted != nil {
		return interrupted
	}
	server := -1
	if err == nil { // otherwise there is no process to wait for
		server, _ = unix.PidfdOpen(s.PID, 0)
	}
	if server >= 0 {
		defer unix.Close(server)
	}
	if err := mountpoint.Unmount(at.Dir); err != nil {
		if errors.Is(err, mountpoint.ErrBusy) {
			return busyError(at.Dir, s.PID, err)
		}
		return err
	}
	sayLeft(os.Stderr, left)
	if server < 0 {
		return nil
	}
	if n := s.Media.Pending; n > 0 && s.Lost == "" {
		fmt.Fprintf(os.Stderr, "paperfs: unmounted; process %d still sends %s, for at most %s; the next mount sends what is left\n", s.PID, english.Plural(n, "queued file", ""), drainLimit)
	}
	// Other mount namespaces may still have the mount, which its process then serves until it is
	// told. Not all of them can be seen. A process that has noticed the unmount needs no signal, and
	// would leave the rest of its queue, and what is under way.
	kept := mountpoint.InOtherNamespaces(at.Device)
	if len(kept) > 0 || s.Lost != "" || s.Media.Pending == 0 && len(s.Requests.UnderWay) == 0 {
		_ = unix.PidfdSendSignal(server, unix.SIGTERM, nil, 0) // fails if it has ended
	}
	return waitForEnd(server, s, kept)
}

// leftIn returns what stays on this machine of a mount that answers; other mounts end with a
// shorter report. The error is that of a signal.
func leftIn(at mountpoint.Mount) (names []control.Local, interrupted error) {
	var text bytes.Buffer
	err := serving.RunInside(at, []string{"status", "--local", "--json", at.Dir}, &text, io.Discard)
	if told, ok := errors.AsType[*serving.ExitError](err); ok && told.Code > 128 {
		return nil, told
	}
	if err == nil {
		_ = json.Unmarshal(text.Bytes(), &names)
	}
	return names, nil
}

// waitForEnd returns when the process of a pidfd has ended. s is the status of its mount before the
// unmount, and kept is what other mount namespaces had of it.
func waitForEnd(pidfd int, s control.Status, kept []mountpoint.Holder) error {
	pid := s.PID
	ended, err := serving.HasEnded(pidfd, quietly)
	switch {
	case ended || err != nil:
		return err
	case guard.Stopped(pid):
		return fmt.Errorf("unmounted, but process %d is stopped, and keeps the account until it ends. Run: kill -CONT %d", pid, pid)
	}
	where, why := "unmounted", "it finishes what is under way, or a mount namespace that cannot be seen from here still has the mount"
	switch {
	case len(kept) > 0:
		where, why = "unmounted here", serving.KeptBy(kept)
	case len(s.Requests.UnderWay) > 0:
		why = underWay(s.Requests.UnderWay, time.Now())
	case s.Service.Data != "":
		why = "programs that ask its service, such as a download, have half a minute to finish, or " + why
	}
	fmt.Fprintf(os.Stderr, "paperfs: %s; waiting for process %d, for at most %s: %s\nTo end it at once, run: kill %[2]d\n", where, pid, putAwayLimit, why)
	if ended, err = serving.HasEnded(pidfd, putAwayLimit); err == nil && !ended {
		err = fmt.Errorf("unmounted, but process %d has not ended after %s. To end it, run: kill %[1]d", pid, putAwayLimit)
	}
	return err
}

// underWay says which calls a process finishes.
func underWay(calls []control.Call, now time.Time) string {
	var names []string
	for _, c := range calls {
		names = append(names, fmt.Sprintf("%s, begun %s ago", c.Operation, now.Sub(c.Since).Round(time.Second)))
	}
	return "it finishes " + strings.Join(names, "; ")
}

// busyError adds the holders of a mount to an error.
func busyError(dir string, server int, err error) error {
	var b strings.Builder
	for _, h := range mountpoint.Holders(dir) {
		if h.PID != server {
			b.WriteString("\n  " + h.String())
		}
	}
	if b.Len() == 0 {
		b.WriteString(" a process that waits to open a file there, or cannot be seen from here")
	}
	return fmt.Errorf("%w; it is in use by%s", err, b.String())
}
