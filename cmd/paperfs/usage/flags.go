package usage

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how wide the flags are printed.
const helpWidth = 100

// FlagGroup is a part of a command's flags that the help shows by itself, in
// the order in which they are bound.
func FlagGroup(title string, bind func(*pflag.FlagSet)) *pflag.FlagSet {
	group := pflag.NewFlagSet(title, pflag.ContinueOnError)
	group.SortFlags = false
	bind(group)
	return group
}

// GroupFlags adds a command's flags, in groups.
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
