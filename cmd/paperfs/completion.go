package main

import (
	"strings"

	"paperfs/cmd/paperfs/complete"

	"github.com/spf13/cobra"
)

// completes sets the completion of the first argument for the commands called
// names.
func completes(root *cobra.Command, complete cobra.CompletionFunc, names ...string) {
	for _, name := range names {
		if cmd, _, err := root.Find([]string{name}); err == nil {
			cmd.ValidArgsFunction = complete
		}
	}
}

// addCompletion adds completion of mount points, and of paths in mounts, to the commands
// that take them.
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
