// Command paperfs-bench runs the same work on a paperfs mount and on other
// ways to bring files to a server, all on this machine over loopback, one
// after the other, and prints what each took as a Markdown table.
//
//	go build -o DIR ./cmd/paperfs ./cmd/paperfs-bench
//	DIR/paperfs-bench compare uploads       # or: listings
//	DIR/paperfs-bench memory --papers 10000,100000,1000000
//
// compare runs the same work on every mount that is installed here (rclone,
// sshfs, davfs2, s3fs, curl against `paperfs serve`, a plain copy), checks the
// content, and prints medians, spread and ratios. Only ratios of one run mean
// something. Flags: --peers, --runs, --large, --small, --small-size, --entries,
// --within, --limit, --dir, --paperfs, --rclone.
//
// memory shows how much memory a paperfs mount takes by the size of the tree:
// with the tree, after a walk and in a refresh.
//
// What is not installed is skipped and named. Other machines are never
// reached. Whatever happens to the command, a process of its own unmounts and
// ends what it started and removes its directory.
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
		Short:         "Compare paperfs mounts with other mounts",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	compare := &cobra.Command{Use: "compare", Short: "Run the same work on all peers in turn", Args: cobra.NoArgs}
	compare.AddCommand(newUploadsCommand(), newListingsCommand())
	root.AddCommand(compare, newMemoryCommand(), newGuardCommand(), newTreeCommand(), newLoopbackCommand())
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "paperfs-bench:", err)
		os.Exit(1)
	}
}
