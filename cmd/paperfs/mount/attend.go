package mount

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"paperfs/cache/media"
	"paperfs/cmd/paperfs/logwriter"
	"paperfs/cmd/paperfs/systemd"
	"paperfs/cmd/paperfs/terminal"
	"paperfs/fs"
	"paperfs/fs/mountpoint"
)

// ErrDetached means that the mount was detached while programs used it.
var ErrDetached = errors.New("detached while the mount was in use: programs can no longer use the files that they had open there")

// attend serves the mount until it has ended.
func attend(server *fs.Server, dir string, refresh func(), signals <-chan os.Signal) error {
	done := make(chan struct{})
	go func() {
		server.Wait()
		close(done)
	}()
	own, _, err := mountpoint.At(dir)
	if err != nil {
		return err
	}
	unmounter := &mountpoint.Unmounter{
		Unmount: unmounting(dir, own.Device),
		Unused:  func() bool { return mountpoint.Unused(own.Device) },
		Detach:  func() error { return mountpoint.DetachOnly(dir, own.Device) },
		Holders: func() []mountpoint.Holder { return mountpoint.Holders(dir) },
		Refresh: refresh,
		Say: func(line string) {
			fmt.Fprintln(logwriter.Stderr, "paperfs:", terminal.PrintableLines(line))
			systemd.Notify(systemd.Status(line))
		},
		Patience: mountpoint.DefaultPatience,
		Retry:    mountpoint.DefaultRetry,
	}
	if unmounter.Run(signals, done) {
		return ErrDetached
	}
	return nil
}

// unmounting returns a function that unmounts, and tells the service manager when it is first called.
func unmounting(dir, device string) func() error {
	begun := false
	return func() error {
		if !begun {
			systemd.Notify(systemd.Stopping, systemd.Status("unmounting"))
		}
		begun = true
		return mountpoint.UnmountOnly(dir, device)
	}
}

// drainLimit bounds how long queued files are still sent after the unmount.
const drainLimit = 30 * time.Second

// drain sends queued files for up to drainLimit, or until a signal. The next mount sends the
// rest.
func drain(m *media.Store, signals <-chan os.Signal) {
	if m.Idle() {
		return
	}
	fmt.Fprintf(logwriter.Stderr, "paperfs: sending %d queued files, for at most %s; ^C leaves them to the next mount\n", len(m.Uploads()), drainLimit)
	systemd.Notify(systemd.Status(fmt.Sprintf("sending %d queued files", len(m.Uploads()))))
	ctx, cancel := context.WithTimeout(context.Background(), drainLimit)
	defer cancel()
	go func() {
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	if m.Drain(ctx) != nil {
		fmt.Fprintf(logwriter.Stderr, "paperfs: %d files stay queued; the next mount sends them\n", len(m.Queue()))
	}
}
