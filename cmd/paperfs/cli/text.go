package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Help returns the help of a command, in lines of at most width columns: what it does, how it is
// called, examples, subcommands, topics, and flags in groups.
func Help(cmd *cobra.Command, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", cmd.Short)
	if cmd.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", fill(cmd.Long, width))
	}
	fmt.Fprintf(&b, "\nUsage:\n  %s\n", strings.Join(useLines(cmd), "\n  "))
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.ReplaceAll(strings.TrimSpace(cmd.Example), "\n", "\n  "))
	}
	writeCommands(&b, cmd, width)
	for _, group := range flagGroups(cmd) {
		writeFlags(&b, group, width)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help shows more about a command.\n", cmd.CommandPath())
	}
	return b.String()
}

// useLines are the ways to call a command. One with subcommands can be called by itself if it takes
// arguments.
func useLines(cmd *cobra.Command) (lines []string) {
	if !cmd.HasAvailableSubCommands() || strings.Contains(cmd.Use, " ") {
		line := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		if len(flagGroups(cmd)) > 0 {
			line += " [flags]"
		}
		lines = append(lines, line)
		for _, alias := range cmd.Aliases {
			lines = append(lines, strings.Replace(line, cmd.Name(), alias, 1))
		}
	}
	if cmd.HasAvailableSubCommands() {
		lines = append(lines, cmd.CommandPath()+" COMMAND")
	}
	return lines
}

// children returns the subcommands of a command that is accepts.
func children(cmd *cobra.Command, is func(*cobra.Command) bool) (all []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if is(c) {
			all = append(all, c)
		}
	}
	return all
}

// writeCommands writes the commands and topics below a command, in their groups.
func writeCommands(b *strings.Builder, cmd *cobra.Command, width int) {
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, group := range groups {
		members := children(cmd, func(c *cobra.Command) bool {
			return (c.IsAvailableCommand() || c.Name() == "help" || c.IsAdditionalHelpTopicCommand()) && c.GroupID == group.ID
		})
		writeTable(b, strings.TrimSuffix(group.Title, ":"), members, width)
	}
}

// writeTable writes the names of commands or topics, each with what it is about.
func writeTable(b *strings.Builder, title string, commands []*cobra.Command, width int) {
	if len(commands) == 0 {
		return
	}
	column := 0
	for _, c := range commands {
		column = max(column, len(c.Name()))
	}
	indent := strings.Repeat(" ", column+4)
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, c := range commands {
		about := strings.ReplaceAll(fill(c.Short, width-len(indent)), "\n", "\n"+indent)
		fmt.Fprintf(b, "  %-*s  %s\n", column, c.Name(), about)
	}
}
