package main

import (
	"fmt"

	"paperfs/remote"
	"paperfs/remote/service"

	"github.com/spf13/cobra"
)

var roles = map[string]remote.Role{"reader": remote.Reader, "editor": remote.Editor, "admin": remote.Admin}

func roleName(role remote.Role) string {
	for name, r := range roles {
		if r == role {
			return name
		}
	}
	return fmt.Sprint(int(role))
}

func newAccountCommand(c *Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "account",
		Short: "Add, list and remove the accounts of a tenant",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return needSubcommand(cmd) },
	}
	var tenant string
	cmd.PersistentFlags().StringVar(&tenant, "tenant", defaultTenant, "whose accounts")
	cmd.AddCommand(newAccountAddCommand(c, &tenant), newAccountListCommand(c, &tenant), newAccountRemoveCommand(c, &tenant))
	return cmd
}

func newAccountAddCommand(c *Config, tenant *string) *cobra.Command {
	var role string
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Make an account and print its key, which is told only now",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := choose("--role", role, roles)
			if err != nil {
				return err
			}
			return administer(c, func(a *service.Admin) error {
				key, err := a.AddAccount(*tenant, args[0], r)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), key)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&role, "role", "editor", "reader, editor or admin")
	return cmd
}

func newAccountListCommand(c *Config, tenant *string) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List accounts with their roles",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return administer(c, func(a *service.Admin) error {
				accounts, err := a.Accounts(*tenant)
				if err != nil {
					return err
				}
				return table(cmd, func(line func(...any)) {
					line("NAME", "ROLE")
					for _, account := range accounts {
						line(account.Name, roleName(account.Role))
					}
				})
			})
		},
	}
}

func newAccountRemoveCommand(c *Config, tenant *string) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "End an account: its next call is refused",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return administer(c, func(a *service.Admin) error { return a.RemoveAccount(*tenant, args[0]) })
		},
	}
}
