package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// UsageError marks a failure of the command line or the environment.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Group makes a command that is called with one of its subcommands.
func Group(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return noSubcommand(cmd) }
	cmd.AddCommand(children...)
	return cmd
}

func noSubcommand(cmd *cobra.Command) error {
	var names []string
	for _, child := range children(cmd, (*cobra.Command).IsAvailableCommand) {
		names = append(names, child.Name())
	}
	return &UsageError{fmt.Errorf("%s needs a command: %s", cmd.CommandPath(), strings.Join(names, ", "))}
}
