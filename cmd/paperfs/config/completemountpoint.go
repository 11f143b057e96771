package config

import (
	"fmt"
	"os"
	"strings"

	"paperfs/fs/mountpoint"

	"github.com/spf13/cobra"
)

// CompleteMountPoint completes existing mount points. It leaves a relative name to the
// shell.
func CompleteMountPoint(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if begun != "" && !strings.HasPrefix(begun, "/") {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	found := mountPoints(begun, "")
	if len(found) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// CompletePath leaves paths to the shell. If the word is empty and the current directory is not in a
// mount, it completes mount points.
func CompletePath(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if _, _, err := mountpoint.Find("."); begun != "" || err == nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	if found := mountPoints("", "/"); len(found) > 0 {
		return found, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// mountPoints returns this user's mount points that begin with begun, with end appended.
func mountPoints(begun, end string) (found []cobra.Completion) {
	all, _ := mountpoint.All()
	me := fmt.Sprint(os.Getuid())
	for _, m := range all {
		if m.User == me && strings.HasPrefix(m.Dir, begun) && !strings.ContainsAny(m.Dir, "\n\t") {
			found = append(found, m.Dir+end)
		}
	}
	return found
}
