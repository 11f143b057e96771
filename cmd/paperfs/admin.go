package main

import (
	"errors"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/usage"
	"paperfs/remote/service/admin"
)

// administer runs f on the service's data; it works beside a running service.
func administer(c *Config, f func(*admin.Admin) error) error {
	a, err := admin.Open(c.Data)
	if err != nil {
		return err
	}
	return errors.Join(f(a), a.Close())
}

func newAdminCommand(c *Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "admin",
		Short: "Administer the service's data, even while it runs",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return usage.NoSubcommand(cmd) },
	}
	cmd.PersistentFlags().StringVar(&c.Data, "data", c.Data, "directory for everything the service keeps")
	cmd.PersistentFlags().BoolVar(&c.JSON, "json", false, "print the result as JSON")
	cmd.AddCommand(newTenantCommand(c), newAccountCommand(c), newReadonlyCommand(c), newImportCommand(c), newGenerateCommand(c), newBackupCommand(c), newCheckCommand(c))
	return cmd
}

func newReadonlyCommand(c *Config) *cobra.Command {
	return &cobra.Command{
		Use:   "readonly on|off",
		Short: "Begin or end a window in which changes are answered with READONLY",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			on, err := usage.Choose("readonly", args[0], map[string]bool{"on": true, "off": false})
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

// defaultTenant is the one that a first start makes.
const defaultTenant = "default"
