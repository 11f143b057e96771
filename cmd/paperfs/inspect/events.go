package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"
	"paperfs/remote/clock"

	"github.com/spf13/cobra"
)

// errNotTold means that a mount hears of no changes.
var errNotTold = errors.New("the service does not tell this mount of changes: only paperfs's own service does, and `paperfs status` says when it cannot be reached")

func NewEvents() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "events PATH",
		Short: "Write a line for each change that others make, until ^C",
		Long: `PATH is a mount point, or a directory in a mount: then only changes at or below it are written. What
is done through this mount is not written. The command sends no request. Recipes: paperfs help changes.`,
		Example: `paperfs events ~/ipaper
paperfs events --json ~/ipaper/papers/Archive`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, inside, err := findMounted(args[0])
			if err != nil {
				return err
			}
			write := writeChange
			if asJSON {
				write = func(out io.Writer, c control.Change) error {
					text, err := json.Marshal(c)
					if err != nil {
						return err
					}
					return cli.WriteJSON(out, append(text, '\n'))
				}
			}
			ctx := serving.UntilSignal(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			return m.followEvents(ctx, func(c control.Change) error {
				if inside != "" && c.Path != inside && !strings.HasPrefix(c.Path, inside+"/") && c.Kind != "tree" {
					return nil
				}
				return write(cmd.OutOrStdout(), c)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON object for each change; fields: paperfs help changes")
	return cmd
}

// followEvents calls write for each change until ctx ends.
func (m mounted) followEvents(ctx context.Context, write func(control.Change) error) error {
	for after, first := "", true; ; first = false {
		text, err := m.ask("events", after)
		if err != nil {
			return err
		}
		var e control.Events
		if err := json.Unmarshal(text, &e); err != nil {
			return err
		}
		switch {
		case first && !e.Told:
			return errNotTold
		case e.Lost:
			e.Changes = append([]control.Change{{Kind: "tree"}}, e.Changes...)
		}
		for _, c := range e.Changes {
			if err := write(c); err != nil {
				return err
			}
		}
		after = strconv.Itoa(e.Next)
		if clock.Sleep(ctx, lookAgain) != nil {
			return nil
		}
	}
}

// writeChange writes a line for people and shells: fields with tabs between them, which no printed path has.
func writeChange(out io.Writer, c control.Change) error {
	fields := []string{c.Kind, cli.Printable(c.Path)}
	if c.Path == "" && c.Kind != "tree" {
		fields[1] = fmt.Sprintf("(id %d)", c.ID)
	}
	switch {
	case c.Gone:
		fields = append(fields, "gone")
	case c.Status != "":
		fields = append(fields, c.Status)
	case c.Setting != "":
		fields = append(fields, c.Setting)
	}
	_, err := fmt.Fprintln(out, strings.TrimSuffix(strings.Join(fields, "\t"), "\t"))
	return err
}
