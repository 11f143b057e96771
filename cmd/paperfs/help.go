package main

import (
	"fmt"
	"strings"

	"paperfs/cmd/paperfs/topic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of commands that the program's help shows.
const (
	groupMounts  = "mounts"
	groupService = "service"
	groupSelf    = "self"
)

// addHelp adds the topics, and a help command that shows them and the commands.
func addHelp(root *cobra.Command) {
	root.AddGroup(
		&cobra.Group{ID: groupMounts, Title: "Mounts:"},
		&cobra.Group{ID: groupService, Title: "The service:"},
		&cobra.Group{ID: groupSelf, Title: "This program:"},
	)
	for _, t := range topic.All() {
		root.AddCommand(&cobra.Command{Use: t.Name, Short: t.Title, Long: t.Text}) // one that cannot be run is a topic
	}
	root.SetUsageTemplate(strings.NewReplacer(
		"Additional help topics:", "Topics (paperfs help TOPIC):",
		"{{rpad .CommandPath .CommandPathPadding}}", "{{rpad .Name .NamePadding}}",
	).Replace(root.UsageTemplate()))
	root.SetHelpCommand(&cobra.Command{
		Use:               "help [COMMAND | TOPIC]",
		Short:             "Show the help of a command, or a topic",
		GroupID:           groupSelf,
		ValidArgsFunction: completeHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return &usageError{fmt.Errorf("there is no command or topic %q", strings.Join(args, " "))}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	})
}

// helpWidth is how wide the flags are printed.
const helpWidth = 100

// flagGroup is a part of a command's flags that the help shows by itself, in
// the order in which they are bound.
func flagGroup(title string, bind func(*pflag.FlagSet)) *pflag.FlagSet {
	group := pflag.NewFlagSet(title, pflag.ContinueOnError)
	group.SortFlags = false
	bind(group)
	return group
}

// groupFlags adds a command's flags, in groups.
func groupFlags(cmd *cobra.Command, groups ...*pflag.FlagSet) {
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
