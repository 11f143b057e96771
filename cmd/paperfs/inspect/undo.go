package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"

	"github.com/spf13/cobra"
)

// undo is a call of the command: what is asked of the mount, and what is done with the answer.
type undo struct {
	mounted
	cmd   *cobra.Command
	ctx   context.Context
	path  string // in the mount
	asked control.Undo
	to    string
	json  bool
}

func NewUndo() *cobra.Command {
	u := undo{}
	cmd := &cobra.Command{
		Use:   "undo [PATH] [ENTRY...]",
		Short: "Bring back what was deleted or replaced",
		Long: `What your account deleted or replaced at or below PATH most recently comes back: all changes with less than a minute
between one and the next. Run the command again to go further back. PATH need not be there any more. With ENTRY, a number that
--list shows, exactly that comes back. Without PATH, the entries are those of the mount that you are in, or of your only one; a
path of digits alone is written ./17. Only an administrator may bring back what another account took away.

What comes back and what does not, and for how long: paperfs help mistakes.`,
		Example: `paperfs undo ~/ipaper/media/logos
paperfs undo --since 2h ~/ipaper
paperfs undo --list ~/ipaper/media
paperfs undo ~/ipaper 17 18
paperfs undo ~/ipaper 17 --to old-logo.svg`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if u.mounted, u.asked.Path, err = findMounted(u.path); err != nil {
				return err
			}
			u.cmd, u.ctx = cmd, serving.UntilSignal(cmd.Context(), cli.EndingSignals()...)
			if u.to != "" {
				return u.writeOut()
			}
			return u.run()
		},
	}
	cmd.Flags().BoolVar(&u.asked.List, "list", false, "only list what is kept, and what of that would come back")
	cmd.Flags().String("since", "", "undo or list all since a `TIME`: 2h, or 2027-03-01 18:00 (local time)")
	cmd.Flags().StringVar(&u.to, "to", "", "write the content of one entry to `FILE` that is not there yet (-: the standard output), and bring nothing back")
	cmd.Flags().BoolVar(&u.asked.Purge, "purge", false, "remove entries for good")
	cmd.Flags().BoolVar(&u.json, "json", false, "print the result as JSON; fields: paperfs help scripts")
	return serving.IsolatedAt(cmd, func(args []string) (string, error) {
		err := errors.Join(cli.ReadSince(cmd, &u.asked.Since), u.read(args))
		if err == nil && u.path == "" {
			u.path, err = serving.Here()
		}
		return u.path, err
	})
}

// read takes the arguments, and checks that they and the flags go together.
func (u *undo) read(args []string) error {
	for _, arg := range args {
		digits := strings.Trim(arg, "0123456789") == ""
		number, err := strconv.ParseInt(arg, 10, 64)
		switch {
		case digits && err == nil && number > 0:
			u.asked.Entries = append(u.asked.Entries, number)
		case digits || u.path != "":
			return usage("%q is not the number of an entry, which `paperfs undo --list` shows, and not a first PATH", arg)
		default:
			u.path = arg
		}
	}
	count, to := len(u.asked.Entries), u.to != ""
	switch {
	case u.asked.List && (count > 0 || u.asked.Purge || to), u.asked.Purge && to:
		return usage("--list, --to and --purge exclude each other, and --list takes no ENTRY; a PATH of digits is written as ./17")
	case to && count != 1, u.asked.Purge && count == 0:
		return usage("--to writes the content of one entry, and --purge removes entries: give the number, which `paperfs undo --list` shows")
	case u.path == "" && count == 0 && !u.asked.List:
		return usage("give a PATH in a mount, or the number of an entry: `paperfs undo --list` shows what is kept")
	}
	return nil
}

func usage(format string, args ...any) error {
	return &cli.UsageError{Err: fmt.Errorf(format, args...)}
}

// run asks the mount, and prints what it says.
func (u *undo) run() error {
	if !u.asked.List && !u.asked.Purge {
		if err := u.sendBelow(); err != nil {
			return err
		}
	}
	answer, text, err := u.ask(u.asked)
	switch {
	case err != nil:
		return err
	case u.json:
		err = cli.WriteJSON(u.cmd.OutOrStdout(), text)
	default:
		err = u.print(answer)
	}
	if err != nil {
		return err
	}
	return u.judge(answer)
}

// ask returns the answer to a question, and its JSON.
func (u *undo) ask(asked control.Undo) (answer control.Undone, text []byte, err error) {
	question, err := json.Marshal(asked)
	if err != nil {
		return answer, nil, err
	}
	if text, err = u.mounted.ask("undo", string(question)); err != nil {
		return answer, nil, saysWhy(err, u.place())
	}
	return answer, text, json.Unmarshal(text, &answer)
}

// place returns the path that the user means.
func (u *undo) place() string { return filepath.Join(u.dir, u.asked.Path) }

// sendBelow waits until what is queued at or below the path is sent: only then has it replaced what undo brings back.
func (u *undo) sendBelow() error {
	defer cli.Shown(u.cmd.ErrOrStderr(), cli.Always("sending what is queued"))()
	return u.waitUntilSent(u.ctx, func(place string) bool {
		return u.asked.Path == "" || strings.HasPrefix(place+"/", u.asked.Path+"/")
	})
}
