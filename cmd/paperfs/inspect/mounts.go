package inspect

import (
	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
)

func NewMounts() *cobra.Command {
	return &cobra.Command{
		Use:     "mounts",
		Short:   "List the mounts, and the service of each",
		Long:    "The command lists your mounts (root: those of all users) from the kernel's table, so it asks no mount, and also lists one that does not answer: paperfs doctor tells.",
		Example: `paperfs mounts`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			mine, err := serving.Mine()
			if err != nil {
				return err
			}
			return cli.Table(cmd, func(line func(...any)) {
				for _, m := range mine {
					line(m.Dir, m.Source)
				}
			})
		},
	}
}
