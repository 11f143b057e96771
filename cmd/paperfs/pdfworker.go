package main

import (
	"os"

	"paperfs/remote/service/pdf"

	"github.com/spf13/cobra"
)

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
