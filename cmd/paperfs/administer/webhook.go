package administer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
)

func newWebhookCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "webhook",
		Short: "Tell other programs of what happens to papers",
		Long: `The service sends each event by POST as JSON, with a signature as Standard Webhooks describe it. It repeats an event that the
receiver does not accept, for a day. The events, what they contain, and what a receiver has to check: paperfs help webhooks.`,
		Example: `paperfs admin webhook add https://shop.example/hook --events ordered
paperfs admin --data /srv/paperfs webhook list`,
	}
	var tenant string
	cmd.PersistentFlags().StringVar(&tenant, "tenant", defaultTenant, "`TENANT` of the webhook")
	return cli.Group(cmd, newWebhookAddCommand(c, &tenant), newWebhookListCommand(c, &tenant),
		newWebhookIDCommand(c, "test", "Send the event test, once, from this machine", func(cmd *cobra.Command, a *admin.Admin, id int64) (any, string, error) {
			return map[string]any{"id": id, "accepted": true}, "accepted", a.TestWebhook(cmd.Context(), tenant, id)
		}),
		newWebhookIDCommand(c, "remove", "Remove a webhook, with the events that wait for it", func(_ *cobra.Command, a *admin.Admin, id int64) (any, string, error) {
			return map[string]any{"id": id, "removed": true}, "", a.RemoveWebhook(tenant, id)
		}),
		newWebhookIDCommand(c, "retry", "Send the events that wait or were set aside", func(_ *cobra.Command, a *admin.Admin, id int64) (any, string, error) {
			count, err := a.RetryWebhook(tenant, id)
			return map[string]any{"id": id, "events": count}, fmt.Sprintf("events that are tried again within seconds: %d", count), err
		}))
}

func newWebhookAddCommand(c *call, tenant *string) *cobra.Command {
	var events []string
	trusted := false
	cmd := &cobra.Command{
		Use:   "add URL",
		Short: "Add a webhook, and print its secret",
		Long:  `The webhook gets what happens from then on. The command prints the secret of the webhook once; nothing prints it again.`,
		Example: `paperfs admin webhook add https://shop.example/hook --events ordered
paperfs admin webhook add http://10.0.0.7/ --trust-host --events changed`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(events) == 0 {
				return &cli.UsageError{Err: errors.New("give --events, such as --events published,unpublished")}
			}
			return administer(c, func(a *admin.Admin) error {
				w, err := a.AddWebhook(*tenant, args[0], events, trusted)
				if err != nil {
					return err
				}
				return c.show(cmd, w, printed(cmd, fmt.Sprintf("webhook %d\nsecret %s", w.ID, w.Secret)))
			})
		},
	}
	cmd.Flags().StringSliceVar(&events, "events", nil, "`EVENTS` to tell of: "+strings.Join(store.HookEvents, ", "))
	cmd.Flags().BoolVar(&trusted, "trust-host", false, "allow a private address and http://")
	return cmd
}

func newWebhookListCommand(c *call, tenant *string) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List webhooks with the events that were not accepted yet",
		Example: `paperfs admin --data /srv/paperfs webhook list`,
		Args:    cobra.NoArgs,
		RunE: c.on(func(cmd *cobra.Command, _ []string, a *admin.Admin) error {
			all, err := a.Webhooks(*tenant)
			if err != nil {
				return err
			}
			return c.show(cmd, all, func() error { return printWebhooks(cmd, all) })
		}),
	}
}

func printWebhooks(cmd *cobra.Command, all []admin.Webhook) error {
	err := cli.Table(cmd, func(line func(...any)) {
		line("ID", "WAITING", "ASIDE", "EVENTS", "URL")
		for _, w := range all {
			line(w.ID, len(w.Waiting), len(w.Aside), strings.Join(w.Events, ","), w.URL)
		}
	})
	for _, w := range all {
		if err != nil || len(w.Waiting)+len(w.Aside) == 0 {
			continue
		}
		fmt.Fprintf(cmd.OutOrStdout(), "\nWebhook %d:\n", w.ID)
		err = cli.Table(cmd, func(line func(...any)) {
			line("EVENT", "OF", "TIME", "TRIES", "STATE", "FAILURE")
			show := func(state string, notices []admin.Notice) {
				for _, n := range notices {
					line(n.Event, n.ID, n.Time.Local().Format(time.DateTime), n.Tries, state, n.Reason)
				}
			}
			show("aside", w.Aside)
			show("waiting", w.Waiting)
		})
	}
	return err
}

// newWebhookIDCommand returns a command that does something with one webhook.
func newWebhookIDCommand(c *call, verb, short string, do func(*cobra.Command, *admin.Admin, int64) (result any, words string, err error)) *cobra.Command {
	return &cobra.Command{
		Use:     verb + " ID",
		Short:   short,
		Example: `paperfs admin --data /srv/paperfs webhook ` + verb + ` 1`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id < 1 {
				return &cli.UsageError{Err: fmt.Errorf("%q is not the number of a webhook: `paperfs admin webhook list` shows them", args[0])}
			}
			return administer(c, func(a *admin.Admin) error {
				result, words, err := do(cmd, a, id)
				if err != nil {
					return err
				}
				return c.show(cmd, result, func() error {
					if words != "" {
						fmt.Fprintln(cmd.OutOrStdout(), words)
					}
					return nil
				})
			})
		},
	}
}
