package main

import (
	"os"
	"paperfs/fs/guard"
	"paperfs/remote/service/pdf"

	"github.com/spf13/cobra"
)

// newGuardCommand returns the command that a mount runs to end its connection if it is
// killed. Users do not run it.
func newGuardCommand() *cobra.Command {
	return &cobra.Command{
		Use:    guard.Argument,
		Short:  "End the connection of a mount that is killed",
		Hidden: true,
		Args:   cobra.ExactArgs(2),
		Run:    func(_ *cobra.Command, args []string) { os.Exit(guard.Run(args)) },
	}
}

// newPDFWorkerCommand returns the command that the service runs to process a PDF. Users do
// not run it.
func newPDFWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    pdf.WorkerArgument,
		Short:  "Take a PDF apart for the service",
		Hidden: true,
		Args:   cobra.NoArgs,
		Run:    func(*cobra.Command, []string) { os.Exit(pdf.Work()) },
	}
}
