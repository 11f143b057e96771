package main

import (
	"os"
	"paperfs/fs/guard"
	"paperfs/remote/service/pdf"

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

// newPDFWorkerCommand is what the service starts to have a PDF taken apart; it
// is of no use to people.
func newPDFWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    pdf.WorkerArgument,
		Short:  "Take a PDF apart for the service",
		Hidden: true,
		Args:   cobra.NoArgs,
		Run:    func(*cobra.Command, []string) { os.Exit(pdf.Work()) },
	}
}
