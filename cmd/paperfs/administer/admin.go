package administer

import (
	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
)

// NewCommand returns paperfs admin. data is the default of --data.
func NewCommand(data string) *cobra.Command {
	c := &call{data: data}
	cmd := &cobra.Command{
		Use:   "admin",
		Short: "Administer the service's data",
		Long: `The commands work while the service runs, on a data directory (--data) or on the database of several
nodes (--database).`,
		Example: `paperfs admin --data /srv/paperfs account list
paperfs admin --data /srv/paperfs backup /mnt/disk/backup`,
	}
	cmd.PersistentFlags().StringVar(&c.data, "data", c.data, "`DIR` for everything the service keeps")
	cmd.PersistentFlags().StringVar(&c.database, "database", "", "`ADDRESS` of the PostgreSQL database that nodes share, postgres://USER@HOST/DATABASE, in place of --data")
	cmd.PersistentFlags().StringVar(&c.objects, "objects", "", "`ADDRESS` of the nodes' object store, s3://HOST/BUCKET/PREFIX, for commands that need the content")
	cmd.PersistentFlags().BoolVar(&c.json, "json", false, "print the result as JSON")
	c.flags = cmd.PersistentFlags()
	return cli.Group(cmd, newTenantCommand(c), newAccountCommand(c), newFieldCommand(c), newWebhookCommand(c), newReadonlyCommand(c), newBackupCommand(c), newCheckCommand(c),
		newImportCommand(c), newInitCommand(c), newMigrateCommand(c), newCopyCommand(c))
}

func newReadonlyCommand(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "readonly on|off",
		Short: "Answer changes with READONLY, or accept them again",
		Example: `paperfs admin --data /srv/paperfs readonly on
paperfs admin --data /srv/paperfs readonly off`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			on, err := cli.Choose("readonly", args[0], map[string]bool{"on": true, "off": false})
			if err != nil {
				return err
			}
			return administer(c, func(a *admin.Admin) error {
				if err := a.SetReadOnly(on); err != nil {
					return err
				}
				return c.show(cmd, map[string]bool{"readonly": on}, nil)
			})
		},
	}
}
