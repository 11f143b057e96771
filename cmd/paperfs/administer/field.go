package administer

import (
	"errors"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/rules"
	"paperfs/remote/service/admin"
)

// fieldTypes are the values of --type.
var fieldTypes = map[string]string{"bool": rules.BoolType, "datetime": rules.DateTimeType, "int": rules.IntType, "string": rules.StringType}

// fieldJSON is the JSON form of a custom field.
type fieldJSON struct {
	Tenant string `json:"tenant"`
	Name   string `json:"name"`
	Type   string `json:"type"`
}

func newFieldCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "field",
		Short: "Define, list and remove the custom fields of papers",
		Long: `A mount shows the custom fields in fields/ of each paper: up to an hour after a change, or at once
after paperfs refresh MOUNTPOINT.`,
		Example: `paperfs admin --data /srv/paperfs field add Season
paperfs admin --data /srv/paperfs field list --tenant acme`,
	}
	var tenant string
	cmd.PersistentFlags().StringVar(&tenant, "tenant", defaultTenant, "`TENANT` of the fields")
	return cli.Group(cmd, newFieldAddCommand(c, &tenant), newFieldListCommand(c, &tenant), newFieldRemoveCommand(c, &tenant))
}

func newFieldAddCommand(c *call, tenant *string) *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Define a custom field",
		Example: `paperfs admin --data /srv/paperfs field add Season
paperfs admin --data /srv/paperfs field add PageTarget --type int`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := cli.Choose("--type", kind, fieldTypes)
			if err != nil {
				return err
			}
			return administer(c, func(a *admin.Admin) error {
				if err := a.AddField(*tenant, admin.Field{Name: args[0], Type: t}); err != nil {
					return err
				}
				return c.show(cmd, fieldJSON{*tenant, args[0], t}, nil)
			})
		},
	}
	cmd.Flags().StringVar(&kind, "type", "string", "`TYPE` of its values: string, int, bool or datetime")
	return cmd
}

func newFieldListCommand(c *call, tenant *string) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List custom fields with their types",
		Example: `paperfs admin --data /srv/paperfs field list`,
		Args:    cobra.NoArgs,
		RunE: c.on(func(cmd *cobra.Command, _ []string, a *admin.Admin) error {
			fields, err := a.Fields(*tenant)
			if err != nil {
				return err
			}
			all := make([]fieldJSON, len(fields))
			for i, f := range fields {
				all[i] = fieldJSON{*tenant, f.Name, f.Type}
			}
			return c.show(cmd, all, func() error { return printFields(cmd, all) })
		}),
	}
}

func printFields(cmd *cobra.Command, all []fieldJSON) error {
	return cli.Table(cmd, func(line func(...any)) {
		line("NAME", "TYPE")
		for _, f := range all {
			line(f.Name, f.Type)
		}
	})
}

func newFieldRemoveCommand(c *call, tenant *string) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:     "remove NAME",
		Short:   "Remove a custom field with the values of all papers",
		Example: `paperfs admin --data /srv/paperfs field remove Season --yes`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !yes {
				return &cli.UsageError{Err: errors.New("this also removes the field's value of each paper: give --yes")}
			}
			return administer(c, func(a *admin.Admin) error {
				f, err := a.RemoveField(*tenant, args[0])
				if err != nil {
					return err
				}
				return c.show(cmd, fieldJSON{*tenant, f.Name, f.Type}, nil)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "remove it")
	return cmd
}
