package main

import (
	"fmt"
	"io"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/profile"

	"github.com/spf13/cobra"
)

// Groups of commands in the program's help; the topics are in those of parts.
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
	for _, part := range parts {
		root.AddGroup(&cobra.Group{ID: part.id, Title: part.title})
	}
	for _, t := range allTopics() {
		root.AddCommand(&cobra.Command{Use: t.name, Short: t.title, GroupID: t.part}) // cobra treats a command that cannot run as a topic
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND | TOPIC | WORD...]",
		Short: "Show a topic, the help of a command, or where words stand",
		Example: `paperfs help start
paperfs help admin tenant set
paperfs help lost key`,
		GroupID:           groupSelf,
		ValidArgsFunction: completeHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			out := cmd.OutOrStdout()
			text := ""
			if err == nil && len(rest) == 0 {
				text = helpText(about, out, cli.Width(out))
			} else if text = wordsInTopics(strings.Fields(strings.ToLower(strings.Join(args, " ")))); text == "" {
				return noSuchHelp(cmd.Root(), strings.Join(args, " "))
			}
			_, err = io.WriteString(out, text)
			return err
		},
	})
}

// noSuchHelp says that name is no command or topic, nor in one, and names the nearest one.
func noSuchHelp(root *cobra.Command, name string) error {
	advice := "paperfs help lists them"
	var known []string
	for _, c := range root.Commands() {
		known = append(known, c.Name())
	}
	if near := profile.Nearest(name, known); near != "" {
		advice = "did you mean " + near + "?"
	}
	return &cli.UsageError{Err: fmt.Errorf("there is no command or topic %q: %s", name, advice)}
}

// showHelp makes the commands print their help in the form of cli.Help. failed returns the error of
// printing it, which cobra does not.
func showHelp(root *cobra.Command) (failed func() error) {
	var err error
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		out := cmd.OutOrStdout()
		_, err = io.WriteString(out, helpText(cmd, out, cli.Width(out)))
	})
	return func() error { return err }
}

// helpText returns the help of a command, or the page of a topic: laid out for a terminal, and as
// Markdown elsewhere.
func helpText(cmd *cobra.Command, out io.Writer, width int) string {
	if cmd.Runnable() || cmd.HasSubCommands() {
		return cli.Help(cmd, width)
	}
	page := topicText(cmd.Name())
	if _, ok := cli.Terminal(out); ok {
		return layOut(page, width)
	}
	return page
}
