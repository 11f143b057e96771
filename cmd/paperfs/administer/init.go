package administer

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/engine"
)

func newInitCommand(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Set up a PostgreSQL database for nodes",
		Long: `The command makes the schema, the tenant default with the account APIKey, and everything else that a
first start makes in a data directory. It prints the key of the account once. Existing records stay as they are. Several
machines may run the command at once. Make the bucket with the object store's own
tools; with --objects, the command first checks that the bucket can be used.`,
		Example: `paperfs admin --database postgres://papers@db.example/papers init`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.needDatabase(); err != nil {
				return err
			}
			if c.objects != "" { // check before changing anything
				if err := engine.CheckObjects(cmd.Context(), c.objects); err != nil {
					return err
				}
			}
			var result struct {
				Made bool   `json:"made"`
				Key  string `json:"key,omitempty"`
			}
			key, err := engine.Init(cmd.Context(), c.database)
			if err != nil {
				return err
			}
			result.Made, result.Key = key != "", key
			return c.show(cmd, result, func() error {
				if result.Made {
					return printed(cmd, key)()
				}
				_, err := fmt.Fprintln(cmd.ErrOrStderr(), "paperfs: the database was set up before; its schema is up to date")
				return err
			})
		},
	}
}

func newMigrateCommand(c *call) *cobra.Command {
	return &cobra.Command{
		Use:     "migrate",
		Short:   "Bring the schema of the nodes' database up to date",
		Long:    "Run this before nodes of a newer paperfs start: see paperfs help cluster.",
		Example: `paperfs admin --database postgres://papers@db.example/papers migrate`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.needDatabase(); err != nil {
				return err
			}
			if err := engine.Migrate(cmd.Context(), c.database); err != nil {
				return err
			}
			return c.show(cmd, map[string]bool{"migrated": true}, nil)
		},
	}
}

// needDatabase refuses a call for a data directory, which a start sets up and migrates
// itself.
func (c *call) needDatabase() error {
	if err := c.check(); err != nil {
		return err
	}
	if c.database == "" {
		return &cli.UsageError{Err: errors.New("this command is for nodes that share a database: give --database. A service with a data directory needs no such step")}
	}
	return nil
}
