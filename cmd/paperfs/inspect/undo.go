package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"
	"paperfs/remote/shellword"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
)

func NewUndo() *cobra.Command {
	var list, asJSON bool
	cmd := &cobra.Command{
		Use:   "undo PATH",
		Short: "Bring back what was deleted or replaced at or below a path",
		Long: `PATH is a file, a directory or the mount point; it need not be there any more. What comes back is
what your account deleted or replaced there most recently: all changes with less than a minute
between one and the next. Run it again for what was before. Of a file that changed several times, the oldest content
comes back; what was there is kept, too. What is queued there is sent first. What was never uploaded is
not brought back, nor are the mode and time that this machine had given a file. In papers/ a path stands for what is there
now, or for what was deleted there last; a renamed paper or category keeps its history. If something else has the name of
what comes back, both carry their ids; the command says where what came back is.

The service keeps deleted and replaced things for a while (paperfs help service).`,
		Example: `paperfs undo --list ~/ipaper/media
paperfs undo ~/ipaper/media/logos
paperfs undo --since 2h ~/ipaper`,
		Args: cobra.ExactArgs(1),
		RunE: inMount(func(cmd *cobra.Command, m mounted, inside string) error {
			asked := control.Undo{Path: inside, List: list}
			if err := cli.ReadSince(cmd, &asked.Since); err != nil {
				return err
			}
			question, err := json.Marshal(asked)
			if err != nil {
				return err
			}
			ctx := serving.UntilSignal(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			if err := m.sendBelow(ctx, inside, cmd.ErrOrStderr()); err != nil {
				return err
			}
			text, err := m.ask("undo", string(question))
			if err != nil {
				return saysWhy(err, filepath.Join(m.dir, inside))
			}
			return printUndone(cmd, m, inside, list, asJSON, text)
		}),
	}
	cmd.Flags().BoolVar(&list, "list", false, "only list what would come back")
	cmd.Flags().String("since", "", "undo all since a `TIME`: 2h, or 2027-03-01 18:00 (local time)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON; fields: paperfs help scripts")
	return cmd
}

// sendBelow waits until what is queued at or below a path is sent: only then has it replaced what undo brings back.
func (m mounted) sendBelow(ctx context.Context, inside string, stderr io.Writer) error {
	defer cli.Shown(stderr, cli.Always("sending what is queued"))()
	return m.waitUntilSent(ctx, func(place string) bool { return inside == "" || strings.HasPrefix(place+"/", inside+"/") })
}

// printUndone fails if nothing came back, or not all.
func printUndone(cmd *cobra.Command, m mounted, inside string, list, asJSON bool, text []byte) error {
	var u control.Undone
	err := json.Unmarshal(text, &u)
	switch {
	case err != nil:
		return err
	case asJSON:
		err = cli.WriteJSON(cmd.OutOrStdout(), text)
	default:
		err = printKept(cmd, m, u, list)
	}
	place := filepath.Join(m.dir, inside)
	switch {
	case err != nil:
		return err
	case len(u.Back)+len(u.Left) == 0 && u.Kept > 0:
		return fmt.Errorf("nothing more that your account deleted or replaced at or below %s can be brought back at once; other versions of what was there are kept. To see them, run: ls -lt %s; mv brings one back", place, shellword.Quote(m.control("deleted")))
	case len(u.Back)+len(u.Left) == 0:
		return fmt.Errorf("nothing that your account deleted or replaced at or below %s can be brought back", place)
	case len(u.Left) > 0:
		return fmt.Errorf("%s came back, and %d not", english.Plural(len(u.Back), "thing", ""), len(u.Left))
	case asJSON:
	case list:
		fmt.Fprintf(cmd.OutOrStdout(), "To bring this back, run: paperfs undo --since %s %s\n",
			shellword.Quote(u.Since.Local().Format(time.DateTime)), shellword.Quote(place))
	default:
		fmt.Fprintf(cmd.OutOrStdout(), "%s came back.\n", english.Plural(len(u.Back), "thing", ""))
	}
	return nil
}

func printKept(cmd *cobra.Command, m mounted, u control.Undone, list bool) error {
	return cli.Table(cmd, func(line func(...any)) {
		for _, k := range u.Back {
			line(keptWords(k, m.whereNow(k, list))...)
		}
		for _, k := range u.Left {
			line(keptWords(k, "not brought back: "+k.Reason)...)
		}
	})
}

// whereNow says what a paper or category that came back is called now, and what else has its name: then both carry their
// ids. It returns "" for what is only listed, or not there, and for what has no name of its own.
func (m mounted) whereNow(k control.Kept, list bool) string {
	id, link := strconv.FormatInt(k.ID, 10), ""
	hidden, is := map[string]string{"paper": "", "category": ".category"}[k.Kind]
	if is && !list {
		link, _ = os.Readlink(filepath.Join(m.dir, "by-id", id))
	}
	if link == "" {
		return ""
	}
	dir, name := filepath.Split(filepath.Join("/by-id", link))
	address, _ := os.ReadFile(filepath.Join(m.dir, dir, name, hidden, "url")) // it is in the tree, as the link is
	words := fmt.Sprintf("now %s with the address %s", dir+name, strings.TrimSpace(string(address)))
	before, after, shared := strings.Cut(name, "~"+id)
	siblings, _ := os.ReadDir(filepath.Join(m.dir, dir))
	for _, s := range siblings {
		number, is := strings.CutPrefix(strings.TrimSuffix(s.Name(), after), before+"~")
		if shared && is && s.Name() != name && strings.HasSuffix(s.Name(), after) && strings.Trim(number, "0123456789") == "" {
			words += ", beside " + s.Name()
		}
	}
	return cli.Printable(words)
}

func keptWords(k control.Kept, more string) []any {
	what, size, kind, path := "deleted", "", k.Kind, strings.TrimRight("/"+cli.Printable(k.Path)+"  "+more, " ") // last: it may be long
	if k.Replaced {
		what = "replaced"
	}
	switch k.Kind {
	case "file", "pdf":
		size = humanize.IBytes(uint64(max(k.Bytes, 0)))
	case "paper", "category": // the path has its address
		kind += " " + cli.Printable(strconv.Quote(k.Name))
	}
	if k.At.IsZero() { // a parent, or what changed meanwhile: the answer has no more of it
		return []any{kind, "", "", path}
	}
	return []any{kind, what + " " + k.At.Local().Format(time.DateTime), size, path}
}
