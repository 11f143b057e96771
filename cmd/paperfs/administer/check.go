package administer

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
)

// ErrUnsound means that a check found a problem.
var ErrUnsound = errors.New("the check found problems")

func newCheckCommand(c *call) *cobra.Command {
	var options admin.CheckOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Compare records and content",
		Long: `The command reports what is missing, wrong or without a record, even while the service runs. Without
--fix it writes nothing. The exit code is 21 if it finds a problem.`,
		Example: `paperfs admin --data /srv/paperfs check
paperfs admin --data /srv/paperfs check --deep --fix`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if options.Fix && c.database != "" {
				return &cli.UsageError{Err: errors.New("--fix is for a data directory: with --database, restore from a backup what is missing")}
			}
			return administerContent(c, func(a *admin.Admin) error {
				now, end := progress(cmd, "reading the records")
				options.Progress = func(done, all int) { now("checking content %d of %d", done, all) }
				report, err := a.Check(cmd.Context(), options)
				end()
				if err != nil {
					return err
				}
				err = c.show(cmd, report, func() error { return printCheck(cmd.OutOrStdout(), report, c.database != "") })
				if err != nil || report.Sound() {
					return err
				}
				return ErrUnsound
			})
		},
	}
	cmd.Flags().BoolVar(&options.Fix, "fix", false, "make all repairs that lose nothing")
	cmd.Flags().BoolVar(&options.Deep, "deep", false, "read all content and compare its SHA-256")
	return cmd
}

func printCheck(w io.Writer, r *admin.CheckReport, apart bool) error {
	orphan := "content %s has no record; --fix moves it to the trash\n"
	if apart {
		orphan = "content %s has no record, and no node will remove its object: do so in the object store, once no backup of the database needs it\n"
	}
	for _, part := range []struct {
		sentence string
		found    []string
	}{
		{"%s\n", r.Fixed},
		{"%s\n", r.Faults},
		{"%s: its content is missing; restore it from a backup, or send it again\n", r.Missing},
		{"%s; restore it from a backup, or send it again\n", r.Wrong},
		{orphan, r.Orphans},
	} {
		for _, what := range part.found {
			fmt.Fprintf(w, part.sentence, cli.Printable(what))
		}
	}
	_, err := fmt.Fprintf(w, "checked contents: %d, fixed: %d, faults of records: %d, missing: %d, wrong: %d, without a record: %d (and %d too recent to tell)\n",
		r.Contents, len(r.Fixed), len(r.Faults), len(r.Missing), len(r.Wrong), len(r.Orphans), r.Young)
	return err
}
