package administer

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
)

func newTenantRemoveCommand(c *call) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a tenant and all that belongs to it",
		Long:  "In a data directory, the content goes to the trash.",
		Example: `paperfs admin --data /srv/paperfs tenant remove acme
paperfs admin --data /srv/paperfs tenant remove --yes acme`,
		Args: cobra.ExactArgs(1),
		RunE: c.on(func(cmd *cobra.Command, args []string, a *admin.Admin) error {
			tenant, err := a.Tenant(args[0])
			if err != nil {
				return err
			}
			belongs, err := a.Belongings(args[0])
			if err != nil {
				return err
			}
			if !yes {
				return fmt.Errorf("tenant %s has %s; to remove all of it, add --yes", args[0], belongings(belongs))
			}
			if err := a.RemoveTenant(args[0]); err != nil {
				return err
			}
			return c.show(cmd, tenantOf(tenant), printed(cmd, fmt.Sprintf("removed tenant %s with %s", cli.Printable(args[0]), belongings(belongs))))
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "remove it; without this flag, the command only says what it would remove")
	return cmd
}

func belongings(b store.Belongings) string {
	return fmt.Sprintf("accounts: %d, categories: %d, papers: %d, media directories: %d, media files: %d (%s), orders: %d, jobs: %d, fields: %d",
		b.Accounts, b.Categories, b.Papers, b.Dirs, b.Files, humanize.IBytes(uint64(b.MediaBytes)), b.Orders, b.Jobs, b.Fields)
}
