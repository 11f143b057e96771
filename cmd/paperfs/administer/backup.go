package administer

import (
	"errors"
	"fmt"
	"os/signal"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
)

func newBackupCommand(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "backup DIR",
		Short: "Back up the data, even while the service runs",
		Long: `The backup has the data as it is at one moment. DIR is new, empty, or an earlier backup, to which only what is new is copied;
one on which a service has run since is refused, and left as it is. Content is hard-linked if DIR is on the same file system. To
restore, copy DIR (cp -a) to where the data directory was, while no service runs there: paperfs help backup.`,
		Example: `paperfs admin --data /srv/paperfs backup /mnt/disk/backup`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.database != "" {
				return &cli.UsageError{Err: errors.New("only a data directory can be backed up: PostgreSQL and the object store have backups of their own, see paperfs help cluster")}
			}
			return administer(c, func(a *admin.Admin) error { return c.backup(cmd, a, args[0]) })
		},
	}
}

func (c *call) backup(cmd *cobra.Command, a *admin.Admin, dir string) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), cli.EndingSignals()...)
	defer stop()
	now, end := progress(cmd, "looking at the data")
	r, err := a.Backup(ctx, dir, func(done, all int) { now("copying content %d of %d", done, all) })
	end()
	if err != nil {
		return cutShort(err)
	}
	if r.Missing == nil {
		r.Missing = []string{} // so that JSON has a list
	}
	err = c.show(cmd, r, func() error {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d contents copied, %d already there, %d no longer needed and removed\n", dir, r.Copied, r.There, r.Removed)
		if err == nil && r.Unknown > 0 {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d contents that no backup put there moved to its trash\n", dir, r.Unknown)
		}
		return err
	})
	if err != nil || len(r.Missing) == 0 {
		return err
	}
	for _, what := range r.Missing {
		fmt.Fprintf(cmd.ErrOrStderr(), "paperfs: the service has lost the content of %s\n", what)
	}
	return errors.New("the data lacks the content named above, so the backup lacks it, too")
}
