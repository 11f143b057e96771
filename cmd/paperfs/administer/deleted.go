package administer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
)

func newDeletedCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deleted",
		Short: "List, restore and purge what was deleted or replaced",
		Long: `The service keeps deleted and replaced things for a while (paperfs help service). Each is an entry with
a number, which list shows.`,
		Example: `paperfs admin --data /srv/paperfs deleted list --path /media/logos
paperfs admin --data /srv/paperfs deleted restore 17`,
	}
	var tenant string
	cmd.PersistentFlags().StringVar(&tenant, "tenant", defaultTenant, "`TENANT` of the entries")
	return cli.Group(cmd, newDeletedListCommand(c, &tenant), newDeletedRestoreCommand(c, &tenant), newDeletedPurgeCommand(c, &tenant))
}

func newDeletedListCommand(c *call, tenant *string) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what is kept, newest first",
		Long:  "A path of a paper or category consists of addresses: /papers/garden/spring.",
		Example: `paperfs admin --data /srv/paperfs deleted list --since 2h
paperfs admin --data /srv/paperfs deleted list --path /media/logos`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var from time.Time
			if err := cli.ReadSince(cmd, &from); err != nil {
				return err
			}
			if path != "" && !strings.HasPrefix(path, "/") {
				path = "/" + path
			}
			return administer(c, func(a *admin.Admin) error {
				all, err := a.Deleted(*tenant, path, from)
				if err != nil {
					return err
				}
				return c.show(cmd, all, func() error { return printDeleted(cmd, all) })
			})
		},
	}
	cmd.Flags().StringVar(&path, "path", "", "only what was at or below a `PATH` such as /media/logos")
	cmd.Flags().String("since", "", "only what was taken away since a `TIME`: 2h, or 2027-03-01 18:00 (local time)")
	return cmd
}

func printDeleted(cmd *cobra.Command, all []service.KeptEntry) error {
	return cli.Table(cmd, func(line func(...any)) {
		line("ENTRY", "KIND", "WHAT", "WHEN", "ACCOUNT", "SIZE", "PATH", "NAME")
		for _, e := range all {
			what := map[bool]string{true: "replaced", false: "deleted"}[e.Replaced]
			line(e.Entry, e.Kind, what, e.At.Local().Format(time.DateTime), e.Account, humanize.IBytes(uint64(e.Bytes)), e.Path, e.Name)
		}
	})
}

func newDeletedRestoreCommand(c *call, tenant *string) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "restore ENTRY...",
		Short: "Bring entries back, all or none",
		Long: `What was deleted has its id, name and address again; directories and categories above it come back with
it. Replaced content becomes the next version. A replaced PDF is processed again, a minute later at the latest.`,
		Example: `paperfs admin --data /srv/paperfs deleted restore 17 18
paperfs admin --data /srv/paperfs deleted restore 17 --name old-logo.svg`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			entries, err := entriesOf(args)
			if err == nil && name != "" && len(entries) > 1 {
				err = &cli.UsageError{Err: errors.New("--name is for one entry")}
			}
			if err != nil {
				return err
			}
			return administer(c, func(a *admin.Admin) error {
				back, err := a.RestoreDeleted(*tenant, entries, name)
				return c.showDeleted(cmd, "restored", back, err)
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "another `NAME` for what was deleted, where its own is taken")
	return cmd
}

func newDeletedPurgeCommand(c *call, tenant *string) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:     "purge ENTRY...",
		Short:   "Remove entries for good, all or none",
		Long:    "Earlier backups still have them.",
		Example: `paperfs admin --data /srv/paperfs deleted purge 17 --yes`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			entries, err := entriesOf(args)
			if err == nil && !yes {
				err = &cli.UsageError{Err: errors.New("nothing brings them back after this: give --yes")}
			}
			if err != nil {
				return err
			}
			return administer(c, func(a *admin.Admin) error {
				gone, err := a.PurgeDeleted(*tenant, entries)
				return c.showDeleted(cmd, "purged", gone, err)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "remove them")
	return cmd
}

// entriesOf reads the numbers of entries.
func entriesOf(args []string) (entries []int64, err error) {
	for _, arg := range args {
		n, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || n < 1 {
			return nil, &cli.UsageError{Err: fmt.Errorf("%q is not the number of an entry: `paperfs admin deleted list` shows them", arg)}
		}
		entries = append(entries, n)
	}
	return entries, nil
}

// showDeleted prints what was done with entries.
func (c *call) showDeleted(cmd *cobra.Command, done string, all []service.KeptEntry, err error) error {
	if err != nil {
		return err
	}
	return c.show(cmd, all, func() error {
		for _, e := range all {
			where := ""
			if e.Address != "" {
				where = ", now at " + e.Address
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s %s (entry %d)%s\n", done, e.Kind, cli.Printable(strconv.Quote(e.Name)), e.Entry, where)
		}
		return nil
	})
}
