package usage

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of the flags in the help.
const helpWidth = 100

// FlagGroup returns a group of a command's flags, which the help shows in the order in which
// bind adds them.
func FlagGroup(title string, bind func(*pflag.FlagSet)) *pflag.FlagSet {
	group := pflag.NewFlagSet(title, pflag.ContinueOnError)
	group.SortFlags = false
	bind(group)
	return group
}

// GroupFlags adds flags to a command, in groups.
func GroupFlags(cmd *cobra.Command, groups ...*pflag.FlagSet) {
	for _, group := range groups {
		cmd.Flags().AddFlagSet(group)
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		fmt.Fprintf(out, "Usage:\n  %s\n", cmd.UseLine())
		for _, group := range groups {
			fmt.Fprintf(out, "\n%s:\n%s", group.Name(), group.FlagUsagesWrapped(helpWidth))
		}
		return nil
	})
}
