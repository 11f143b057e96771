package administer

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
)

func newAccountCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "account",
		Short: "Add, list, invite and remove accounts, and rotate their keys",
		Example: `paperfs admin --data /srv/paperfs account add editor --role editor
paperfs admin --data /srv/paperfs account list --tenant acme`,
	}
	var tenant string
	cmd.PersistentFlags().StringVar(&tenant, "tenant", defaultTenant, "`TENANT` of the accounts")
	return cli.Group(cmd, newAccountAddCommand(c, &tenant), newAccountListCommand(c, &tenant), newAccountRotateCommand(c, &tenant), newAccountInviteCommand(c, &tenant),
		newAccountEndCommand(c, &tenant, "sign-out", "Sign an account out in all browsers, and end its invitations", (*admin.Admin).SignOut),
		newAccountEndCommand(c, &tenant, "remove", "Remove an account; its next call is refused", (*admin.Admin).RemoveAccount))
}

func newAccountAddCommand(c *call, tenant *string) *cobra.Command {
	var role string
	cmd := &cobra.Command{
		Use:     "add NAME",
		Short:   "Add an account, and print its key once",
		Example: `paperfs admin --data /srv/paperfs account add shop --role reader`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := cli.Choose("--role", role, roles)
			if err != nil {
				return err
			}
			return administer(c, func(a *admin.Admin) error {
				key, err := a.AddAccount(*tenant, args[0], r)
				return c.showKey(cmd, a, *tenant, args[0], key, err)
			})
		},
	}
	cmd.Flags().StringVar(&role, "role", "editor", "`ROLE` of the account: reader, editor or admin")
	return cmd
}

func newAccountListCommand(c *call, tenant *string) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List accounts with their ids and roles",
		Example: `paperfs admin --data /srv/paperfs account list`,
		Args:    cobra.NoArgs,
		RunE: c.on(func(cmd *cobra.Command, _ []string, a *admin.Admin) error {
			accounts, err := a.Accounts(*tenant)
			if err != nil {
				return err
			}
			all := make([]accountJSON, len(accounts))
			for i, account := range accounts {
				all[i] = accountOf(*tenant, account)
			}
			return c.show(cmd, all, func() error { return printAccounts(cmd, all) })
		}),
	}
}

func printAccounts(cmd *cobra.Command, all []accountJSON) error {
	return cli.Table(cmd, func(line func(...any)) {
		line("ID", "NAME", "ROLE")
		for _, account := range all {
			line(account.ID, account.Name, account.Role)
		}
	})
}

// showKey prints the new key of an account: if that fails, `account rotate` gives it another one.
func (c *call) showKey(cmd *cobra.Command, a *admin.Admin, tenant, name, key string, err error) error {
	if err != nil {
		return err
	}
	account, err := a.Account(tenant, name)
	if err != nil {
		return err
	}
	account.Key = key
	return c.show(cmd, accountOf(tenant, account), printed(cmd, key))
}

func newAccountRotateCommand(c *call, tenant *string) *cobra.Command {
	var grace time.Duration
	cmd := &cobra.Command{
		Use:   "rotate NAME",
		Short: "Give an account a new key, and print it once",
		Long: `The service refuses the old key from now on, or up to a second after --grace has passed. A second rotation ends the
grace of the first. If client.env in the data directory has the account's name and key, it gets the new key.`,
		Example: `paperfs admin --data /srv/paperfs account rotate APIKey
paperfs admin --data /srv/paperfs account rotate --grace 24h APIKey`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if grace < 0 {
				return &cli.UsageError{Err: fmt.Errorf("--grace %v: must not be negative", grace)}
			}
			return administer(c, func(a *admin.Admin) error {
				key, err := a.RotateAccount(*tenant, args[0], grace)
				return c.showKey(cmd, a, *tenant, args[0], key, err)
			})
		},
	}
	cmd.Flags().DurationVar(&grace, "grace", 0, "`TIME` for which the old key stays valid beside the new one, such as 24h")
	return cmd
}

func newAccountInviteCommand(c *call, tenant *string) *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:   "invite NAME",
		Short: "Print a link that opens the publisher's page for a colleague",
		Long: `The link opens the page /manage/ as the account NAME, without its key, in one browser, within a day. Whoever has the link
first is signed in: send it by a way that nobody else reads. It ends with the account's key.`,
		Example: `paperfs admin --data /srv/paperfs account invite anna
paperfs admin account invite --url https://papers.example anna`,
		Args: cobra.ExactArgs(1),
		RunE: c.on(func(cmd *cobra.Command, args []string, a *admin.Admin) error {
			link, err := a.Invite(*tenant, args[0], url, time.Now())
			if err != nil {
				return err
			}
			return c.show(cmd, map[string]string{"tenant": *tenant, "account": args[0], "link": link}, printed(cmd, link))
		}),
	}
	cmd.Flags().StringVar(&url, "url", "", "`ADDRESS` of the service in the colleague's browser (default: the tenant's public address or host name, else that of client.env)")
	return cmd
}

// newAccountEndCommand returns a command that ends something of an account.
func newAccountEndCommand(c *call, tenant *string, name, short string, end func(a *admin.Admin, tenant, name string) error) *cobra.Command {
	return &cobra.Command{
		Use:     name + " NAME",
		Short:   short,
		Example: `paperfs admin --data /srv/paperfs account ` + name + ` shop`,
		Args:    cobra.ExactArgs(1),
		RunE: c.on(func(cmd *cobra.Command, args []string, a *admin.Admin) error {
			account, err := a.Account(*tenant, args[0])
			if err != nil {
				return err
			}
			if err := end(a, *tenant, args[0]); err != nil {
				return err
			}
			return c.show(cmd, accountOf(*tenant, account), nil)
		}),
	}
}
