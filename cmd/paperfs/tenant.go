package main

import (
	"fmt"
	"strings"

	"paperfs/remote/service"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newTenantCommand(c *Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tenant",
		Short: "Add, change, list and remove tenants",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return needSubcommand(cmd) },
	}
	cmd.AddCommand(newTenantAddCommand(c), newTenantSetCommand(c), newTenantListCommand(c), newTenantRemoveCommand(c))
	return cmd
}

// tenantFlags are the settings of a tenant as flags.
type tenantFlags struct {
	hosts              []string
	rootURL, publicURL string
	processings        int64
	orders             bool
}

// unlimited stands for any number of processings.
const unlimited = -1

func (t *tenantFlags) bind(f *pflag.FlagSet) {
	f.StringSliceVar(&t.hosts, "host", nil, "host name that selects the tenant; may be given several times")
	f.StringVar(&t.rootURL, "root-url", "/", "address of the root category")
	f.StringVar(&t.publicURL, "public-url", "", "what addresses in answers begin with; empty: scheme and host of the request")
	f.Int64Var(&t.processings, "processings", unlimited, "PDFs that may still be processed; -1: any number")
	f.BoolVar(&t.orders, "orders", true, "whether the licence has the order queries")
}

// apply brings the flags that were given into settings.
func (t *tenantFlags) apply(f *pflag.FlagSet, s *service.TenantSettings) {
	f.Visit(func(given *pflag.Flag) {
		switch given.Name {
		case "host":
			s.Hosts = t.hosts
		case "root-url":
			s.RootURL = t.rootURL
		case "public-url":
			s.PublicURL = t.publicURL
		case "processings":
			s.Processings = nil
			if t.processings != unlimited {
				s.Processings = &t.processings
			}
		case "orders":
			s.NoOrders = !t.orders
		}
	})
}

func newTenantAddCommand(c *Config) *cobra.Command {
	var flags tenantFlags
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Make a tenant with an empty root category",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings := service.TenantSettings{Name: args[0]}
			flags.apply(cmd.Flags(), &settings)
			return administer(c, func(a *service.Admin) error {
				if err := a.AddTenant(settings); err != nil {
					return err
				}
				return c.showTenant(cmd, a, args[0])
			})
		},
	}
	flags.bind(cmd.Flags())
	return cmd
}

func newTenantSetCommand(c *Config) *cobra.Command {
	var flags tenantFlags
	cmd := &cobra.Command{
		Use:   "set NAME",
		Short: "Change those settings of a tenant that are given",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return administer(c, func(a *service.Admin) error {
				settings, err := a.Tenant(args[0])
				if err != nil {
					return err
				}
				flags.apply(cmd.Flags(), &settings)
				if err := a.SetTenant(settings); err != nil {
					return err
				}
				return c.showTenant(cmd, a, args[0])
			})
		},
	}
	flags.bind(cmd.Flags())
	return cmd
}

func newTenantListCommand(c *Config) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List tenants with their settings",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return administer(c, func(a *service.Admin) error {
				tenants, err := a.Tenants()
				if err != nil {
					return err
				}
				all := make([]tenantJSON, len(tenants))
				for i, t := range tenants {
					all[i] = tenantOf(t)
				}
				return c.show(cmd, all, func() error { return printTenants(cmd, all) })
			})
		},
	}
}

func printTenants(cmd *cobra.Command, all []tenantJSON) error {
	return table(cmd, func(line func(...any)) {
		line("ID", "NAME", "HOSTS", "ROOT URL", "PUBLIC URL", "PROCESSINGS", "ORDERS")
		for _, t := range all {
			line(t.ID, t.Name, orDash(strings.Join(t.Hosts, ",")), t.RootURL, orDash(t.PublicURL), orAny(t.Processings), yesNo(t.Orders))
		}
	})
}

// showTenant shows a tenant that was changed, which is worth no words.
func (c *Config) showTenant(cmd *cobra.Command, a *service.Admin, name string) error {
	if !c.JSON {
		return nil
	}
	t, err := a.Tenant(name)
	if err != nil {
		return err
	}
	return showJSON(cmd, tenantOf(t))
}

// orAny is a number that nil stands for none of.
func orAny(n *int64) string {
	if n == nil {
		return "any"
	}
	return fmt.Sprint(*n)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
