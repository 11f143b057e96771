package administer

import (
	"fmt"
	"sync/atomic"

	"paperfs/cmd/paperfs/cli"

	"github.com/spf13/cobra"
)

// progress shows on a terminal how far a command is, in the words of the last call of now.
func progress(cmd *cobra.Command, first string) (now func(format string, args ...any), end func()) {
	var words atomic.Pointer[string]
	words.Store(&first)
	return func(format string, args ...any) { words.Store(new(fmt.Sprintf(format, args...))) },
		cli.Shown(cmd.ErrOrStderr(), func() string { return *words.Load() })
}
