package main

import (
	"fmt"
	"io"
	"strings"

	"paperfs/cmd/paperfs/topic"
	"paperfs/cmd/paperfs/usage"

	"github.com/spf13/cobra"
)

// Groups of commands in the program's help.
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
		root.AddCommand(&cobra.Command{Use: t.Name, Short: t.Title, Long: t.Text}) // cobra treats a command that cannot run as a topic
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
				return &usage.Error{Err: fmt.Errorf("there is no command or topic %q", strings.Join(args, " "))}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	})
}

// watchHelp makes a root command record whether printing its help, or that of a subcommand, failed: cobra does not
// return that error.
func watchHelp(root *cobra.Command) (failed func() error) {
	var err error
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := &watched{Writer: cmd.OutOrStdout()}
		cmd.SetOut(out)
		show(cmd, args)
		cmd.SetOut(out.Writer)
		err = out.failed
	})
	return func() error { return err }
}

// watched is an output that records its first write error, and hides it from the writer.
type watched struct {
	io.Writer
	failed error
}

func (w *watched) Write(p []byte) (int, error) {
	if w.failed == nil {
		_, w.failed = w.Writer.Write(p)
	}
	return len(p), nil
}
