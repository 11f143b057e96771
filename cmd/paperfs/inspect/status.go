package inspect

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
)

func NewStatus() *cobra.Command {
	var asJSON, local bool
	cmd := &cobra.Command{
		Use:   "status [MOUNTPOINT]",
		Short: "Show mount status",
		Long: `The status names the service, the age of the tree, the requests that were sent and that wait, the files that are not on
the service yet, and those that are being fetched. The command sends no request. Without MOUNTPOINT, it is the mount that you
are in, or your only one.`,
		Example: `paperfs status ~/ipaper
paperfs status --json ~/ipaper`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := serving.At(args[0])
			if err != nil {
				return err
			}
			m := mounted{at.Dir}
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
	return cmd
}

// show prints the status for people.
func (m mounted) show(out io.Writer) error {
	s, _, err := m.status()
	if err != nil {
		return err
	}
	local, _, err := m.local()
	if err != nil {
		return err
	}
	return printStatus(out, s, local, time.Now())
}
