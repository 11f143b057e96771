package inspect

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
)

func NewRefresh() *cobra.Command {
	return &cobra.Command{
		Use:   "refresh PATH",
		Short: "Forget what is cached of a path",
		Long: `The command reads the tree of PATH again. Documents and values are fetched again when they are next
read. MOUNTPOINT refreshes everything.`,
		Example: `paperfs refresh ~/ipaper
paperfs refresh ~/ipaper/papers/Archive/Spring.paper`,
		Args: cobra.ExactArgs(1),
		RunE: inMount(func(cmd *cobra.Command, m mounted, inside string) error {
			defer cli.Shown(cmd.ErrOrStderr(), cli.Always("asking the service"))()
			_, err := m.ask("refresh", inside)
			if err == nil { // only now it shows what others have made there
				_, err = os.Lstat(filepath.Join(m.dir, inside))
			}
			return saysWhy(err, filepath.Join(m.dir, inside))
		}),
	}
}
