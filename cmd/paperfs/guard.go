package main

import (
	"errors"
	"log/slog"
	"os"

	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"

	"github.com/spf13/cobra"
)

// newGuardCommand is what a mount starts to have its connection ended when it is
// killed; it is of no use to people.
func newGuardCommand() *cobra.Command {
	return &cobra.Command{
		Use:    guard.Argument,
		Short:  "End the connection of a mount that is killed",
		Hidden: true,
		Args:   cobra.NoArgs,
		Run:    func(*cobra.Command, []string) { os.Exit(guard.Run()) },
	}
}

// guardConnection starts the guard of the mount at dir. The mount does without
// where fusectl is not there.
func guardConnection(dir string, log *slog.Logger) {
	m, ok, err := mountpoint.At(dir)
	if err == nil && !ok {
		err = errors.New("the mount is not in the table of mounts")
	}
	if err == nil {
		err = guard.Start(m.Device)
	}
	if err != nil {
		log.Info("nobody ends the connection if this process is killed while the kernel has it wait", "reason", err)
	}
}
