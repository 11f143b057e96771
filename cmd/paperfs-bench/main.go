package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	root := &cobra.Command{
		Use:           "paperfs-bench",
		Short:         "Compare paperfs mounts with other mounts, and measure the service",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	compare := &cobra.Command{Use: "compare", Short: "Run the same work on all peers in turn", Args: cobra.NoArgs}
	compare.AddCommand(newUploadsCommand(), newListingsCommand(), newReadsCommand())
	root.AddCommand(compare, newServiceCommand(), newGuardCommand(), newReadAtRandomCommand())
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "paperfs-bench:", err)
		os.Exit(1)
	}
}
