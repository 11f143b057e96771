package main

import (
	"strings"

	"paperfs/cmd/paperfs/complete"

	"github.com/spf13/cobra"
)

// completes gives the command at a path of names what completes its first
// argument.
func completes(root *cobra.Command, complete cobra.CompletionFunc, names ...string) {
	for _, name := range names {
		if cmd, _, err := root.Find([]string{name}); err == nil {
			cmd.ValidArgsFunction = complete
		}
	}
}

// addCompletion has the commands of mounts complete mount points, and paths in
// mounts.
func addCompletion(root *cobra.Command) {
	completes(root, complete.MountPoint, "umount", "status")
	completes(root, complete.Path, "stat", "url", "open", "why", "refresh", "wait", "retry", "discard")
}

// completeHelp completes commands and topics.
func completeHelp(cmd *cobra.Command, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	about, _, err := cmd.Root().Find(args)
	if err != nil {
		about = cmd.Root()
	}
	for _, c := range about.Commands() {
		if !c.Hidden && strings.HasPrefix(c.Name(), begun) {
			found = append(found, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
