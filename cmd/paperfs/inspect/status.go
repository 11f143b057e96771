package inspect

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
)

func NewStatus() *cobra.Command {
	var asJSON, watching, local bool
	cmd := &cobra.Command{
		Use:   "status [MOUNTPOINT]",
		Short: "Show mount status",
		Long: `The status names the service, the age of the tree, the requests that were sent and that wait, the files that are not on
the service yet, and those that are being fetched. The command sends no request. Without MOUNTPOINT, it is the mount that you
are in, or your only one.`,
		Example: `paperfs status ~/ipaper
paperfs status --watch ~/ipaper`,
		Args: watchAlone,
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := serving.At(args[0])
			if err != nil {
				return err
			}
			m := mounted{at.Dir}
			if watching {
				ctx := serving.UntilSignal(cmd.Context(), os.Interrupt)
				if screen, ok := cli.Terminal(cmd.OutOrStdout()); ok {
					return m.watchScreen(ctx, screen)
				}
				return m.watchLines(ctx, cmd.OutOrStdout())
			}
			if local {
				return m.showLocal(cmd, asJSON)
			}
			if !asJSON {
				return m.show(cmd.OutOrStdout())
			}
			_, text, err := m.status()
			if err != nil {
				return err
			}
			return cli.WriteJSON(cmd.OutOrStdout(), text)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the status as JSON; fields: paperfs help scripts")
	cmd.Flags().BoolVar(&local, "local", false, "list the files that stay on this machine, and since when")
	cmd.Flags().BoolVar(&watching, "watch", false, "on a terminal, show the status live until ^C; elsewhere, write a line for each change of the uploads until all are done")
	cmd.MarkFlagsMutuallyExclusive("watch", "json") // for completion: watchAlone reports the error in plainer words
	cmd.MarkFlagsMutuallyExclusive("watch", "local")
	return cmd
}

// watchAlone checks that --watch has neither --json nor --local beside it, and that there is at most one argument.
func watchAlone(cmd *cobra.Command, args []string) error {
	for _, other := range []string{"json", "local"} {
		if cmd.Flags().Changed("watch") && cmd.Flags().Changed(other) {
			return fmt.Errorf("give only one of --watch and --%s", other)
		}
	}
	return cobra.MaximumNArgs(1)(cmd, args)
}
