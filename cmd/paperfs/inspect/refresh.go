package inspect

import (
	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/terminal"
)

func NewRefresh() *cobra.Command {
	return &cobra.Command{
		Use:   "refresh PATH",
		Short: "Forget the cached content of a path, so that the next read asks the service",
		Args:  cobra.ExactArgs(1),
		RunE: inMount(func(cmd *cobra.Command, m mounted, inside string) error {
			defer terminal.Shown(cmd.ErrOrStderr(), terminal.Always("asking the service"))()
			return saysWhy(m.tell("refresh", inside), m.control("refresh"))
		}),
	}
}
