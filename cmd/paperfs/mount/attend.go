package mount

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"paperfs/cache/media"
	"paperfs/cmd/paperfs/cli"
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
			fmt.Fprintln(cli.Messages, "paperfs:", cli.PrintableLines(line))
			cli.NotifyManager(cli.ManagerStatus(line))
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
	tell := sync.OnceFunc(func() { cli.NotifyManager(cli.ManagerStopping, cli.ManagerStatus("unmounting")) })
	return func() error {
		tell()
		return mountpoint.UnmountOnly(dir, device)
	}
}

// endingAtSignal returns a context that ends at a signal, which also ends the calls under way. The
// next mount finds out what became of them.
func (a *account) endingAtSignal(signals <-chan os.Signal) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for s := range signals {
			if s != syscall.SIGUSR1 {
				cancel()
				a.client.End()
				return
			}
		}
	}()
	return ctx
}

// drainLimit bounds how long queued files are still sent after the unmount.
const drainLimit = 30 * time.Second

// drain sends queued files for up to drainLimit, or until ctx ends. The next mount sends the
// rest. Close waits for what is under way without being queued.
func drain(ctx context.Context, m *media.Store) {
	if m.Idle() || m.Lost() {
		return
	}
	if n := len(m.Queue()); n > 0 {
		fmt.Fprintf(cli.Messages, "paperfs: sending %d queued files, for at most %s; ^C leaves them to the next mount\n", n, drainLimit)
		cli.NotifyManager(cli.ManagerStatus(fmt.Sprintf("sending %d queued files", n)))
	}
	ctx, cancel := context.WithTimeout(ctx, drainLimit)
	defer cancel()
	_ = m.Drain(ctx) // the queue shows what is left
	if n := len(m.Queue()); n > 0 {
		fmt.Fprintf(cli.Messages, "paperfs: %d files stay queued; the next mount sends them\n", n)
	}
}
