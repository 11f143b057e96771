package main

import (
	"errors"
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
		Args:   cobra.ExactArgs(2),
		Run:    func(_ *cobra.Command, args []string) { os.Exit(guard.Run(args)) },
	}
}

// guardConnection starts the guard of the mount, and keeps beside its lock which
// connection of the kernel's it has. The mount does without where fusectl is not
// there.
func (a *account) guardConnection() {
	m, ok, err := mountpoint.At(a.dir)
	if err == nil && !ok {
		err = errors.New("the mount is not in the mount table")
	}
	var c guard.Connection
	if err == nil {
		c, err = guard.Of(m.Device)
	}
	if err == nil {
		err = errors.Join(a.state.NoteConnection(c.String()), guard.Start(c))
	}
	if err != nil {
		a.settings.log.Info("nothing ends the connection if this process is killed while it waits in the kernel", "reason", err)
	}
}
