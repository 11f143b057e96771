package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"paperfs/fs/control"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func newUmountCommand() *cobra.Command {
	var wait, force bool
	cmd := &cobra.Command{
		Use:     "umount MOUNTPOINT",
		Aliases: []string{"unmount"},
		Short:   "Unmount, and wait until the process of the mount has ended",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := mountAt(args[0])
			if err != nil {
				return err
			}
			s, pid := serverOf(at)
			if force && s == unknown && errors.Is(answers(at), mountpoint.ErrSilent) {
				s = killed
			}
			if s == killed {
				if wait {
					return fmt.Errorf("%s: process %d was killed, so nothing is being sent to the service; the next mount sends the rest. Run: paperfs umount %s", at.Dir, pid, shellword.Quote(at.Dir))
				}
				return end(at, s)
			}
			var unpublished error
			if wait {
				unpublished = aside(at, []string{"wait", at.Dir}, cmd.OutOrStdout(), cmd.ErrOrStderr())
				if unpublished != nil && exitCode(unpublished) != exitUnpublished {
					return unpublished
				}
			}
			if force {
				err = mountpoint.Detach(at.Dir)
				if err == nil && s == living && guard.Stopped(pid) {
					fmt.Fprintf(os.Stderr, "paperfs: detached; process %d is stopped, and ends after: kill -CONT %d\n", pid, pid)
				}
			} else {
				err = umount(at)
			}
			if err != nil {
				return err
			}
			return unpublished // told, but nothing to stay for: the content is kept
		},
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "first wait until all files are at the service")
	cmd.Flags().BoolVar(&force, "force", false, "detach even while programs use the mount; it ends when they have stopped, or at once if its process was killed")
	return cmd
}

// putAwayLimit bounds the wait for the mount's process after the mount is
// gone. It finishes the requests that are under way.
const putAwayLimit = time.Minute

func umount(at mountpoint.Mount) error {
	var text bytes.Buffer
	err := aside(at, []string{"status", "--json", at.Dir}, &text, io.Discard)
	switch told, ok := errors.AsType[*exitError](err); {
	case ok && told.code == exitStale:
		return mountpoint.Detach(at.Dir) // its process is gone already
	case ok && told.code > 128:
		return told // a signal
	case err != nil && !ok:
		return err
	}
	var s control.Status
	if err == nil {
		err = json.Unmarshal(text.Bytes(), &s)
	}
	left := leftIn(at)
	server := -1
	if err == nil { // without it there is nothing to wait for, no more
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
	if n := s.Media.Pending; n > 0 {
		fmt.Fprintf(os.Stderr, "paperfs: unmounted; process %d still sends %s, for at most %s\n", s.PID, english.Plural(n, "queued file", ""), drainLimit)
	}
	if kept := mountpoint.Elsewhere(at.Device); len(kept) > 0 {
		fmt.Fprintf(os.Stderr, "paperfs: unmounted here; waiting for process %d: %s\n", s.PID, keptBy(kept, s.PID))
	}
	return waitForEnd(server, s.PID)
}

// leftIn is what stays on this machine of a mount that answers; without it the end tells less.
func leftIn(at mountpoint.Mount) (names []control.Local) {
	var text bytes.Buffer
	if aside(at, []string{"status", "--local", "--json", at.Dir}, &text, io.Discard) == nil {
		_ = json.Unmarshal(text.Bytes(), &names)
	}
	return names
}

// keptBy says who keeps the process of a mount alive that is unmounted here.
func keptBy(kept []mountpoint.Holder, server int) string {
	var b strings.Builder
	for _, h := range kept {
		b.WriteString("\n  " + h.String())
	}
	return fmt.Sprintf("other mount namespaces (such as a container's) still have it. It ends when they do, or with: kill -KILL %d (the next mount goes on with what it leaves)%s", server, b.String())
}

// waitForEnd returns when the process behind a pidfd has ended.
func waitForEnd(pidfd, pid int) error {
	ended, err := hasEnded(pidfd, quietly)
	switch {
	case ended || err != nil:
		return err
	case guard.Stopped(pid):
		return fmt.Errorf("unmounted, but process %d is stopped, and keeps the account until it ends. Run: kill -CONT %d", pid, pid)
	}
	fmt.Fprintf(os.Stderr, "paperfs: unmounted; waiting for process %d, which finishes what is under way, for at most %s\n", pid, putAwayLimit)
	if ended, err = hasEnded(pidfd, putAwayLimit); err == nil && !ended {
		err = fmt.Errorf("unmounted, but process %d has not ended after %s", pid, putAwayLimit)
	}
	return err
}

// busyError names who holds a mount.
func busyError(dir string, server int, err error) error {
	var b strings.Builder
	for _, h := range mountpoint.Holders(dir) {
		if h.PID != server {
			b.WriteString("\n  " + h.String())
		}
	}
	if b.Len() == 0 {
		b.WriteString(" a process that cannot be seen from here")
	}
	return fmt.Errorf("%w; it is in use by%s", err, b.String())
}
