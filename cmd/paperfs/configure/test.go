package configure

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/mount"
	"paperfs/remote"

	"github.com/spf13/cobra"
)

func newConfigTestCommand(c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test [PROFILE]",
		Short: "Test the service of a profile with one request",
		Long: `The command asks the service for its root, with the credentials. If the service does not answer, paperfs asks a second time,
and gives up after 5 seconds. Nothing is mounted. The flags are those of paperfs mount; without PROFILE, they and the
environment name the service.`,
		Example: `paperfs config test acme
paperfs config test --url https://acme.example --username APIKey`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: config.CompleteProfile(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Resolve(cmd.Flags(), cli.First(args)); err != nil {
				return err
			}
			s, err := c.Check()
			if err != nil {
				return err
			}
			if c.Embedded() {
				return cli.Table(cmd, func(line func(...any)) {
					line("service:", "the embedded one, data in "+c.Data+"; a mount starts it, and there is nothing to ask")
				})
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), cli.EndingSignals()...)
			defer stop()
			done := cli.Shown(cmd.ErrOrStderr(), cli.Always("asking "+c.URL))
			root, failed := askRoot(c, ctx, s)
			done()
			err = cli.Table(cmd, func(line func(...any)) {
				line("service:", c.URL)
				printRoot(c, root, failed, line)
			})
			return errors.Join(failed, err)
		},
	}
	cli.GroupFlags(cmd, c.MountFlags...)
	return cmd
}

// testLimit bounds a test, because the user waits for it.
const testLimit = 5 * time.Second

// askRoot looks up the root, which is the cheapest operation that needs
// credentials.
func askRoot(c *config.Config, ctx context.Context, s config.Settings) (id int64, err error) {
	client, err := config.NewClient(c.ClientOptions(s))
	if err != nil {
		return 0, err
	}
	defer client.Close()
	short, stop := context.WithTimeout(remote.Briefly(ctx), testLimit)
	defer stop()
	id, err = catalogue.FindRoot(short, client, c.RootURL, c.RootID)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		err = &catalogue.RootError{Sentence: fmt.Sprintf("the service did not answer within %s", testLimit), Err: &remote.Error{Kind: remote.Stalled, Err: err}}
	}
	if err != nil {
		err = mount.ConnectError(c, c.URL, err)
	}
	return id, err
}

func printRoot(c *config.Config, id int64, failed error, line func(...any)) {
	e, ok := errors.AsType[*remote.Error](failed)
	missing, noRoot := errors.AsType[*catalogue.RootError](failed)
	switch {
	case failed == nil:
		line("credentials:", fmt.Sprintf("the service accepts the user name %s and the password", c.Username))
		line("root:", fmt.Sprintf("papers/ shows the category with the id %d", id))
		line("operations:", "the service offers the operation that this test used; a mount finds out about the others when it uses them")
	case ok && e.Kind == remote.Refused && e.Code == remote.LoginSecurityViolation:
		line("credentials:", fmt.Sprintf("the service refuses the user name %s or the password", c.Username))
	case ok && e.Kind == remote.Refused && e.Code == remote.PaperDoesNotExist, noRoot && missing.Err == nil:
		line("credentials:", fmt.Sprintf("the service accepts the user name %s and the password", c.Username))
		line("root:", "not found")
	}
}
