package administer

import (
	"errors"
	"fmt"
	"os/signal"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/fullcopy"
	"paperfs/remote/service/s3store"
)

func newCopyCommand(c *call) *cobra.Command {
	var from, to string
	options := fullcopy.Options{Verify: true}
	cmd := &cobra.Command{
		Use:   "copy --from PLACE --to PLACE [OBJECTS]",
		Short: "Copy a data directory to the stores of nodes, or back",
		Long: `One PLACE is the data directory of a service, the other the address of a PostgreSQL database, postgres://USER@HOST/DATABASE.
OBJECTS is the object store of its nodes, s3://HOST/BUCKET/PREFIX. Everything is copied, to an empty target, or to one that has the
first part of a copy that was cut short. No service may run in the data directory, and if the copy is to replace the
nodes of the database, stop them first: paperfs help nodes.`,
		Example: `paperfs admin copy --from /srv/paperfs \
    --to postgres://papers@db.example/papers s3://s3.example/bucket/papers
paperfs admin copy --to /srv/paperfs \
    --from postgres://papers@db.example/papers s3://s3.example/bucket/papers`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.database != "" || c.objects != "" || c.flags.Changed("data") {
				return &cli.UsageError{Err: errors.New("name both places with --from and --to")}
			}
			a, b, err := places(from, to, args)
			if err != nil {
				return &cli.UsageError{Err: err}
			}
			return c.copy(cmd, a, b, options)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "`PLACE` to copy from")
	cmd.Flags().StringVar(&to, "to", "", "`PLACE` to copy to")
	cmd.Flags().BoolVar(&options.Verify, "verify", options.Verify, "read all content back from the target, and compare its SHA-256")
	return cmd
}

// places returns the two places that the flags and the argument name.
func places(from, to string, args []string) (a, b fullcopy.Place, err error) {
	if from == "" || to == "" {
		return a, b, errors.New("give both --from and --to")
	}
	if isAddress(from) == isAddress(to) {
		return a, b, errors.New("one of --from and --to must be a data directory, and the other the address of a database, postgres://USER@HOST/DATABASE")
	}
	if len(args) == 0 {
		return a, b, errors.New("after the address of the database, give that of the object store, s3://HOST/BUCKET/PREFIX")
	}
	shared, data := from, to
	if isAddress(to) {
		shared, data = to, from
	}
	if err := engine.CheckDatabase(shared); err != nil {
		return a, b, err
	}
	if _, err := s3store.ParsePlace(args[0]); err != nil {
		return a, b, err
	}
	a, b = fullcopy.Place{Data: data}, fullcopy.Place{Database: shared, Objects: args[0]}
	if isAddress(from) {
		a, b = b, a
	}
	return a, b, nil
}

func isAddress(place string) bool { return strings.Contains(place, "://") }

func (c *call) copy(cmd *cobra.Command, from, to fullcopy.Place, o fullcopy.Options) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), cli.EndingSignals()...)
	defer stop()
	now, end := progress(cmd, "looking at both")
	o.Progress = func(what string, done, all int) { now("copying %s: %d of %d", what, done, all) }
	r, err := fullcopy.Copy(ctx, from, to, o)
	end()
	if err != nil {
		return cutShort(err)
	}
	err = c.show(cmd, r, func() error {
		records := fmt.Sprintf("%d copied", r.Records.Rows)
		if r.Records.There {
			records = "all there already"
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "records: %s; contents: %d copied (%s), %d there already\n",
			records, r.Content.Copied, humanize.IBytes(uint64(r.Content.Bytes)), r.Content.There)
		return err
	})
	lacking := append(r.Content.Missing, r.Content.Wrong...)
	if err != nil || len(lacking) == 0 {
		return err
	}
	for _, what := range lacking {
		fmt.Fprintf(cmd.ErrOrStderr(), "paperfs: the content of %s is missing or damaged in %s\n", cli.Printable(what), from)
	}
	return errors.New("the source lacks the content named above, so the copy lacks it, too")
}
