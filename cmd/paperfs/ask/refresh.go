package ask

import (
	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/terminal"
)

func NewRefresh() *cobra.Command {
	return &cobra.Command{
		Use:   "refresh PATH",
		Short: "Forget the cached content of a path, so that the next read asks the service",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, inside, err := findMounted(args[0])
			if err != nil {
				return err
			}
			defer terminal.Shown(cmd.ErrOrStderr(), terminal.Always("asking the service"))()
			return m.tell("refresh", inside)
		},
	}
}
