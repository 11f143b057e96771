package usage

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Error marks a failure of the command line or the environment.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// NoSubcommand returns the error of a command that was called without a required subcommand.
func NoSubcommand(cmd *cobra.Command) error {
	return &Error{fmt.Errorf("%s: which command?", cmd.CommandPath())}
}
