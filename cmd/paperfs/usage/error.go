package usage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Error marks a failure of the command line or the environment.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// NoSubcommand returns the error for a command that was called without one of its subcommands.
func NoSubcommand(cmd *cobra.Command) error {
	var names []string
	for _, child := range children(cmd, (*cobra.Command).IsAvailableCommand) {
		names = append(names, child.Name())
	}
	return &Error{fmt.Errorf("%s needs a command: %s", cmd.CommandPath(), strings.Join(names, ", "))}
}
