package main

import (
	"os"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/guard"
	"paperfs/remote/service/pdf"
)

// runOwnProcess runs a process that paperfs starts for itself, and ends with it: the worker that takes
// a PDF apart for the service, and the guard, which ends the connection of a mount that is killed.
// Neither has a command: the commands and topics would cost such a process more than its own work.
func runOwnProcess() {
	pdf.RunIfWorker()
	if args := os.Args[1:]; cli.First(args) == guard.Argument && len(args) == 3 {
		os.Exit(guard.Run(args[1:]))
	}
}
