package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupAnnotation is the annotation of a flag that names its group.
const groupAnnotation = "paperfs_group"

// FlagGroup returns the flags that bind adds, as a group that the help shows under a title, in the
// order in which they are bound.
func FlagGroup(title string, bind func(*pflag.FlagSet)) *pflag.FlagSet {
	group := pflag.NewFlagSet(title, pflag.ContinueOnError)
	group.SortFlags = false
	bind(group)
	return group
}

// GroupFlags adds flags to a command, in groups.
func GroupFlags(cmd *cobra.Command, groups ...*pflag.FlagSet) {
	cmd.Flags().SortFlags = false
	for _, group := range groups {
		group.VisitAll(func(f *pflag.Flag) {
			if f.Annotations == nil {
				f.Annotations = map[string][]string{}
			}
			f.Annotations[groupAnnotation] = []string{group.Name()}
		})
		cmd.Flags().AddFlagSet(group)
	}
}
